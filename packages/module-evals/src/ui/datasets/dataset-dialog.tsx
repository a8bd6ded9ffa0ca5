import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import type { Agent } from "@oven/contract/agent";
import type { EvalDataset, EvalTargetKind } from "@oven/contract/eval";
import type { Workflow } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { type ReactElement, useState } from "react";
import { useGetList } from "react-admin";
import { TARGET_WORDS } from "./use-target.ts";

const ALL = { pagination: { page: 1, perPage: 500 }, sort: { field: "name", order: "ASC" as const } };

/** Makes a dataset, or changes one. */
export function DatasetDialog({
  dataset,
  onClose,
}: {
  dataset: EvalDataset | null;
  onClose: (saved: boolean, made?: EvalDataset) => void;
}): ReactElement {
  const [name, setName] = useState(dataset?.name ?? "");
  const [description, setDescription] = useState(dataset?.description ?? "");
  const [target, setTarget] = useState(dataset === null ? "" : `${dataset.target.kind}:${dataset.target.id}`);
  const [minutes, setMinutes] = useState(String((dataset?.timeoutMs ?? 600_000) / 60_000));
  const [allowEffects, setAllowEffects] = useState(dataset?.allowEffects ?? false);
  const timeoutMs = Math.round(Number(minutes) * 60_000);
  const save = async (): Promise<void> => {
    const [kind = "", id = ""] = target.split(":");
    const body = {
      name,
      description: description.trim() === "" ? null : description,
      target: { kind: kind as EvalTargetKind, id: Number(id) }, // cast: one of the choices
      timeoutMs,
      allowEffects,
    };
    const { json } =
      dataset === null
        ? await api("eval-datasets", { method: "POST", body })
        : await api(`eval-datasets/${dataset.id}`, { method: "PUT", body });
    onClose(true, json as EvalDataset); // cast: the answer of both routes
  };
  return (
    <FormDialog
      title={dataset === null ? t("New dataset") : t("Dataset “{{name}}”", { name: dataset.name })}
      submitLabel={t("Save the dataset")}
      failureTitle={t("The dataset was not saved")}
      usable={target !== "" && timeoutMs >= 1_000}
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
      <TargetField value={target} onChange={setTarget} />
      <TextField
        multiline
        label={t("Description")}
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
      <TextField
        label={t("Longest time for a case, in minutes")}
        value={minutes}
        onChange={(event) => setMinutes(event.target.value)}
        slotProps={{ htmlInput: { inputMode: "decimal" } }}
      />
      <FormControlLabel
        control={<Checkbox checked={allowEffects} onChange={(_, checked) => setAllowEffects(checked)} />}
        label={t("Cases may really act: send messages, change things elsewhere")}
      />
    </FormDialog>
  );
}

function TargetField({ value, onChange }: { value: string; onChange: (value: string) => void }): ReactElement {
  const agents = useGetList<Agent>("agents", ALL, { enabled: useCan("agents.read") }).data ?? [];
  const graphs = useGetList<Workflow>("agent-workflows", ALL, { enabled: useCan("agent-workflows.read") }).data ?? [];
  const regular = useGetList<Workflow>("workflows", ALL, { enabled: useCan("workflows.read") }).data ?? [];
  const toChoices = (kind: EvalTargetKind, rows: readonly { id: number; name: string }[]) =>
    rows.map((row) => ({
      value: `${kind}:${row.id}`,
      label: t("{{name}} ({{kind}})", { name: row.name, kind: TARGET_WORDS[kind] }),
    }));
  const choices = [
    ...toChoices("agent-workflow", graphs),
    ...toChoices("agent", agents),
    ...toChoices("workflow", regular),
  ];
  const all =
    value === "" || choices.some((one) => one.value === value) ? choices : [...choices, { value, label: value }];
  return (
    <TextField
      select
      required
      label={t("What is tested")}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      {all.map((choice) => (
        <MenuItem key={choice.value} value={choice.value}>
          {choice.label}
        </MenuItem>
      ))}
    </TextField>
  );
}
