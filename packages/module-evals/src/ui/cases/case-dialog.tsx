import TextField from "@mui/material/TextField";
import { isObject, type JsonObject } from "@oven/contract";
import type { EvalCase, EvalDataset } from "@oven/contract/eval";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { SchemaForm } from "@oven/ui/components/schema-form/schema-form.tsx";
import { type ReactElement, useState } from "react";
import { useTarget } from "../datasets/use-target.ts";
import { NEW_EXPECTATION, toExpectation, toExpectationDraft } from "./expectation-draft.ts";
import { ExpectationFields, type KeyedExpectation } from "./expectation-fields.tsx";

export interface CaseDialogProps {
  dataset: EvalDataset;
  /** Null: a new one. */
  given: EvalCase | null;
  onClose: (saved: boolean) => void;
}

/** Makes a case of a dataset, or changes one: what goes in, and what its run must show. */
export function CaseDialog({ dataset, given, onClose }: CaseDialogProps): ReactElement {
  const { inputSchema } = useTarget(dataset.target);
  const [name, setName] = useState(given?.name ?? "");
  const [input, setInput] = useState<{ value: JsonObject; valid: boolean }>({ value: given?.input ?? {}, valid: true });
  const [tags, setTags] = useState(given?.tags.join(", ") ?? "");
  const [expected, setExpected] = useState<KeyedExpectation[]>(
    given === null
      ? [{ key: 1, draft: NEW_EXPECTATION }]
      : given.expectations.map((one, index) => ({ key: index + 1, draft: toExpectationDraft(one) })),
  );
  const expectations = expected.flatMap(({ draft }) => toExpectation(draft) ?? []);
  const save = async (): Promise<void> => {
    const listed = [...new Set(tags.split(",").map((tag) => tag.trim()))].filter((tag) => tag !== "");
    const body = { name, input: input.value, expectations, tags: listed };
    if (given === null) await api(`eval-datasets/${dataset.id}/cases`, { method: "POST", body });
    else await api(`eval-cases/${given.id}`, { method: "PUT", body });
    onClose(true);
  };
  return (
    <FormDialog
      maxWidth="md"
      title={given === null ? t("New case") : t("Case “{{name}}”", { name: given.name })}
      submitLabel={t("Save the case")}
      failureTitle={t("The case was not saved")}
      usable={input.valid && expectations.length === expected.length}
      onSubmit={save}
      onClose={() => onClose(false)}
    >
      <TextField
        fullWidth
        autoFocus
        required
        label={t("Name")}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <SchemaForm
        key={inputSchema === undefined ? "asked" : "known"}
        label={t("Input")}
        schema={inputSchema ?? null}
        value={input.value}
        onChange={(value, valid) =>
          setInput({ value: isObject(value) ? value : input.value, valid: valid && isObject(value) })
        }
      />
      <ExpectationFields value={expected} onChange={setExpected} />
      <TextField
        label={t("Tags")}
        helperText={t("Separated by commas. An evaluation can take the cases of some tags only.")}
        value={tags}
        onChange={(event) => setTags(event.target.value)}
      />
    </FormDialog>
  );
}
