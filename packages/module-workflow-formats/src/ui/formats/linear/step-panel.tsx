import ArrowDownwardRounded from "@mui/icons-material/ArrowDownwardRounded";
import ArrowUpwardRounded from "@mui/icons-material/ArrowUpwardRounded";
import DeleteOutlineRounded from "@mui/icons-material/DeleteOutlineRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import TextField from "@mui/material/TextField";
import Tooltip from "@mui/material/Tooltip";
import type { LinearProblem, LinearStep } from "@oven/contract/formats/linear.ts";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { CodeBlock } from "@oven/ui/components/code-block.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { ModelField } from "@oven/ui/components/model-field.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { type ReactElement, useState } from "react";
import type { EarlierOutput } from "./earlier-outputs.ts";
import { PromptField } from "./prompt-field.tsx";
import { STEP_PATHS, STEP_TITLES } from "./step-paths.ts";

export interface StepPanelProps {
  /** From 1. */
  place: number;
  last: boolean;
  step: LinearStep;
  outputs: readonly EarlierOutput[];
  problems: readonly LinearProblem[];
  mayChange: boolean;
  onMove: (by: -1 | 1) => void;
  onDelete: () => void;
  onSaved: () => void;
}

/** One step: what it is asked, and with which model. Unsaved words stay when the list is read again. */
export function StepPanel(props: StepPanelProps): ReactElement {
  const { place, last, step, outputs, problems, mayChange, onMove, onDelete, onSaved } = props;
  // What was saved is shown until the step is read again: the words before would flash up, and move what is below.
  const [draft, setDraft] = useState<{ step: LinearStep; savedOver: LinearStep | null } | null>(null);
  const current = draft === null || (draft.savedOver !== null && draft.savedOver !== step) ? null : draft;
  const shown = current?.step ?? step;
  const change = (changed: LinearStep): void => setDraft({ step: changed, savedOver: null });
  const saving = useAction(async () => {
    await api(`${STEP_PATHS[shown.type]}/${shown.uuid}`, { method: "PUT", body: shown });
    setDraft({ step: shown, savedOver: step });
    onSaved();
  });
  const isChanged =
    current !== null && current.savedOver === null && JSON.stringify(current.step) !== JSON.stringify(step);
  return (
    <Panel
      title={`${place}. ${step.name}`}
      aside={
        <Box sx={{ display: "flex", alignItems: "center", gap: 0.5, ml: "auto" }}>
          <Box sx={{ fontSize: 13, color: "text.secondary" }}>{STEP_TITLES[step.type]}</Box>
          {mayChange ? (
            <>
              <StepButton label={t("Move {{name}} up", { name: step.name })} off={place === 1} run={() => onMove(-1)}>
                <ArrowUpwardRounded sx={{ fontSize: 18 }} />
              </StepButton>
              <StepButton label={t("Move {{name}} down", { name: step.name })} off={last} run={() => onMove(1)}>
                <ArrowDownwardRounded sx={{ fontSize: 18 }} />
              </StepButton>
              <StepButton label={t("Delete {{name}}", { name: step.name })} off={false} run={onDelete}>
                <DeleteOutlineRounded sx={{ fontSize: 18 }} />
              </StepButton>
            </>
          ) : null}
        </Box>
      }
    >
      <Box
        component="form"
        aria-label={step.name}
        onSubmit={(event) => {
          event.preventDefault();
          void saving.run();
        }}
        sx={{ display: "grid", gap: 1.5 }}
      >
        {problems.map(({ message, fix }) => (
          <Box key={message} role="note" sx={{ fontSize: 13.5, color: "warning.main", overflowWrap: "anywhere" }}>
            {message}. {fix}
          </Box>
        ))}
        <TextField
          label={t("Name")}
          value={shown.name}
          disabled={!mayChange}
          required
          onChange={(event) => change({ ...shown, name: event.target.value })}
        />
        {shown.type === "stop_checker" ? (
          <Conditions conditions={shown.stop_conditions} outputs={outputs} />
        ) : (
          <>
            <ModelField label={t("Model")} value={shown.model} onChange={(model) => change({ ...shown, model })} />
            <PromptField
              value={shown.system_prompt}
              outputs={outputs}
              disabled={!mayChange}
              onChange={(prompt) => change({ ...shown, system_prompt: prompt })}
            />
            {shown.generated_summary === null ? null : (
              <Box sx={{ fontSize: 13, color: "text.secondary", overflowWrap: "anywhere" }}>
                {t("In short")}: {shown.generated_summary}
              </Box>
            )}
          </>
        )}
        {shown.type === "custom_agent" ? (
          <Box sx={{ fontSize: 13, overflowWrap: "anywhere" }}>
            {t("Tools")}: {toolsOf(shown.tools).join(", ") || t("none")}
          </Box>
        ) : null}
        {saving.failure === null ? null : <ErrorPanel error={saving.failure} title={t("The step was not saved")} />}
        {mayChange ? (
          <Box sx={{ display: "flex", gap: 1 }}>
            <Button type="submit" variant="contained" size="small" disabled={!isChanged || saving.busy}>
              {t("Save")}
            </Button>
            {isChanged ? (
              <Button size="small" onClick={() => setDraft(null)}>
                {t("Discard")}
              </Button>
            ) : null}
          </Box>
        ) : null}
      </Box>
    </Panel>
  );
}

function StepButton(props: { label: string; off: boolean; run: () => void; children: ReactElement }): ReactElement {
  const { label, off, run, children } = props;
  return (
    <Tooltip title={label}>
      <span>
        <IconButton size="small" aria-label={label} disabled={off} onClick={run}>
          {children}
        </IconButton>
      </span>
    </Tooltip>
  );
}

type Conditions = Extract<LinearStep, { type: "stop_checker" }>["stop_conditions"];

/** When the run stops, in words: what of which output is compared with what. */
function Conditions({
  conditions,
  outputs,
}: {
  conditions: Conditions;
  outputs: readonly EarlierOutput[];
}): ReactElement {
  if (conditions.length === 0)
    return <Box sx={{ fontSize: 13.5, color: "text.secondary" }}>{t("It has no conditions yet.")}</Box>;
  const titleOf = (uuid: string) => outputs.find((output) => output.uuid === uuid)?.title ?? uuid;
  const lines = conditions.map(
    ({ datacontainer_definition_uuid: uuid, extraction_json_path: path, operator, target_value: target }) =>
      `${titleOf(uuid)}  ${path}  ${operator}  ${JSON.stringify(target)}`,
  );
  return <CodeBlock text={lines.join("\n")} what={t("When it stops the run")} />;
}

function toolsOf(tools: Extract<LinearStep, { type: "custom_agent" }>["tools"]): string[] {
  return Object.entries(tools).flatMap(([tool, { enabled }]) => (enabled === false ? [] : [tool]));
}
