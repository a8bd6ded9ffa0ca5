import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import TextField from "@mui/material/TextField";
import type { ScoreJudge } from "@oven/contract/eval";
import type { ExecutionKind } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { ModelField } from "@oven/ui/components/model-field.tsx";
import { type ReactElement, useState } from "react";

export interface JudgeDialogProps {
  target: { kind: ExecutionKind; id: number };
  judge: ScoreJudge | null;
  onClose: (saved: boolean) => void;
}

/** Lets a model score real runs of a workflow, or changes how. */
export function JudgeDialog({ target, judge, onClose }: JudgeDialogProps): ReactElement {
  const [name, setName] = useState(judge?.name ?? "");
  const [rubric, setRubric] = useState(judge?.rubric ?? "");
  const [path, setPath] = useState(judge?.path ?? "$");
  const [model, setModel] = useState(judge?.model ?? "fast");
  const [percent, setPercent] = useState(String(judge?.percent ?? 10));
  const [maxPerDay, setMaxPerDay] = useState(String(judge?.maxPerDay ?? 100));
  const [enabled, setEnabled] = useState(judge?.enabled ?? true);
  const share = Number(percent);
  const most = Number(maxPerDay);
  const usable =
    /^[a-z][a-z0-9._-]{0,59}$/.test(name) &&
    rubric.trim() !== "" &&
    path.startsWith("$") &&
    model !== "" &&
    share > 0 &&
    share <= 100 &&
    Number.isInteger(most) &&
    most > 0;
  const save = async (): Promise<void> => {
    const body = { rubric, path, model, percent: share, maxPerDay: most, enabled };
    if (judge === null) await api("score-judges", { method: "POST", body: { ...body, name, target } });
    else await api(`score-judges/${judge.id}`, { method: "PUT", body });
    onClose(true);
  };
  return (
    <FormDialog
      title={judge === null ? t("New judge") : t("Judge “{{name}}”", { name: judge.name })}
      submitLabel={t("Save the judge")}
      failureTitle={t("The judge was not saved")}
      usable={usable}
      onSubmit={save}
      onClose={() => onClose(false)}
    >
      <TextField
        autoFocus={judge === null}
        required
        disabled={judge !== null}
        label={t("Name of its scores")}
        helperText={t("Lower case, such as tone or grounded")}
        value={name}
        onChange={({ target: field }) => setName(field.value)}
      />
      <TextField
        required
        multiline
        minRows={3}
        label={t("What a good run is")}
        helperText={t("The model gives 0 to 1 by this, and a reason.")}
        value={rubric}
        onChange={({ target: field }) => setRubric(field.value)}
      />
      <TextField
        required
        label={t("What of the output it reads")}
        helperText={t("$ is all of it, $.reply a part.")}
        value={path}
        onChange={({ target: field }) => setPath(field.value)}
      />
      <ModelField required label={t("Model")} value={model} onChange={setModel} />
      <TextField
        required
        label={t("Percent of completed runs")}
        value={percent}
        onChange={({ target: field }) => setPercent(field.value)}
        slotProps={{ htmlInput: { inputMode: "decimal" } }}
      />
      <TextField
        required
        label={t("At most so many in 24 hours")}
        value={maxPerDay}
        onChange={({ target: field }) => setMaxPerDay(field.value)}
        slotProps={{ htmlInput: { inputMode: "numeric" } }}
      />
      <FormControlLabel
        control={<Checkbox checked={enabled} onChange={(_, checked) => setEnabled(checked)} />}
        label={t("On")}
      />
    </FormDialog>
  );
}
