import PlayArrowRounded from "@mui/icons-material/PlayArrowRounded";
import Autocomplete from "@mui/material/Autocomplete";
import TextField from "@mui/material/TextField";
import type { EvalCase, EvalDataset, EvalMode, EvalRun } from "@oven/contract/eval";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ChoiceField } from "@oven/ui/components/choice-field.tsx";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { type ReactElement, useState } from "react";
import { useGetList } from "react-admin";
import { useNavigate } from "react-router-dom";
import { useTarget } from "../datasets/use-target.ts";

const MODES: { value: EvalMode; label: string }[] = [
  { value: "live", label: t("Ask the models") },
  { value: "record", label: t("Ask the models, and record their answers") },
  { value: "replay", label: t("Replay recorded answers: asks no model and costs nothing") },
];
const ALL = { pagination: { page: 1, perPage: 500 }, sort: { field: "position", order: "ASC" as const } };

/** Asks against which version the cases run, and how. */
export function RunDialog({ dataset, onClose }: { dataset: EvalDataset; onClose: () => void }): ReactElement {
  const target = useTarget(dataset.target);
  const [version, setVersion] = useState("");
  const [mode, setMode] = useState<EvalMode>("live");
  const [tags, setTags] = useState<string[]>([]);
  const cases = useGetList<EvalCase>("eval-cases", { ...ALL, filter: { datasetId: dataset.id } }).data ?? [];
  const known = [...new Set(cases.flatMap((one) => one.tags))].sort();
  const navigate = useNavigate();
  const isVersion = version === "" || /^[1-9]\d{0,8}$/.test(version);
  const start = async (): Promise<void> => {
    const { json } = await api(`eval-datasets/${dataset.id}/run`, {
      method: "POST",
      body: {
        mode,
        ...(version === "" ? {} : { version: Number(version) }),
        ...(tags.length === 0 ? {} : { tags }),
      },
    });
    void navigate(`/eval-runs/${(json as EvalRun).id}/show`); // cast: 202 carries the row
  };
  return (
    <FormDialog
      title={t("Run the cases of “{{name}}”", { name: dataset.name })}
      submitLabel={t("Run")}
      submitIcon={<PlayArrowRounded />}
      failureTitle={t("The evaluation was not started")}
      usable={isVersion}
      onSubmit={start}
      onClose={onClose}
    >
      <TextField
        label={t("Version")}
        value={version}
        error={!isVersion}
        placeholder={target.version === undefined ? "" : t("the current one, {{version}}", { version: target.version })}
        helperText={t("An earlier one can be tried, too. Empty: the current one.")}
        onChange={(event) => setVersion(event.target.value.trim())}
        slotProps={{ inputLabel: { shrink: true }, htmlInput: { inputMode: "numeric" } }}
      />
      <ChoiceField label={t("How")} value={mode} choices={MODES} onChange={setMode} />
      {known.length === 0 ? null : (
        <Autocomplete
          multiple
          options={known}
          value={tags}
          onChange={(_, chosen) => setTags(chosen)}
          renderInput={(parameters) => (
            <TextField
              {...parameters}
              label={t("Only cases with one of these tags")}
              slotProps={{ input: parameters.InputProps, htmlInput: parameters.inputProps }}
            />
          )}
        />
      )}
    </FormDialog>
  );
}
