import type { WorkflowDraft, WorkflowVersion } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ChoiceField } from "@oven/ui/components/choice-field.tsx";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { areUsable, CanaryFields, NEW_CANARY, toCanaryBody } from "@oven/workflow-editor/screen/canary-fields.tsx";
import { type ReactElement, useState } from "react";

/** No number of a version is this. */
const DRAFT = "draft";

/** Which version takes which share of the new runs, and when that ends by itself. */
export function CanaryDialog({
  path,
  draftPath,
  versions,
  onBegun,
  onClose,
}: {
  path: string;
  /** Of the draft, which can be the candidate. */
  draftPath: string;
  versions: readonly WorkflowVersion[];
  onBegun: () => void;
  onClose: () => void;
}): ReactElement {
  // Answers with 404 where there is none.
  const { data: draft } = useAnswer<WorkflowDraft>(draftPath);
  const [chosen, setVersion] = useState("");
  const version = chosen || (draft === undefined ? String(versions[0]?.version ?? "") : DRAFT);
  const [settings, setSettings] = useState(NEW_CANARY);
  return (
    <FormDialog
      title={t("Try a version on a part of the runs")}
      submitLabel={t("Begin")}
      failureTitle={t("The candidate was not set")}
      usable={version !== "" && areUsable(settings)}
      onSubmit={async () => {
        const which = version === DRAFT ? { draftRevision: draft?.revision } : { version: Number(version) };
        await api(path, { method: "PUT", body: { ...which, ...toCanaryBody(settings) } });
        onBegun();
        onClose();
      }}
      onClose={onClose}
    >
      <ChoiceField
        label={t("Candidate")}
        value={version}
        helperText={version === "" ? t("Change the draft, or publish a second version first") : undefined}
        choices={[
          ...(draft === undefined ? [] : [{ value: DRAFT, label: t("The draft, published without going live") }]),
          ...versions.map((one) => ({
            value: String(one.version),
            label: t("Version {{version}}", { version: one.version }),
          })),
        ]}
        onChange={setVersion}
      />
      <CanaryFields settings={settings} onChange={setSettings} />
    </FormDialog>
  );
}
