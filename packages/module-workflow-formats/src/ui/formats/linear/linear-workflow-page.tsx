import AddRounded from "@mui/icons-material/AddRounded";
import PlaylistAddRounded from "@mui/icons-material/PlaylistAddRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import MenuItem from "@mui/material/MenuItem";
import Skeleton from "@mui/material/Skeleton";
import TextField from "@mui/material/TextField";
import type { FormatWorkflow } from "@oven/contract/format";
import type { LinearProblem, LinearStep, LinearWorkflowWithDetails } from "@oven/contract/formats/linear.ts";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ConfirmDialog } from "@oven/ui/components/confirm-dialog.tsx";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { ConvertButton } from "@oven/workflow-editor/definition/convert-button.tsx";
import { type ReactElement, useState } from "react";
import { Link as RouterLink, useParams } from "react-router-dom";
import { useFresh } from "../../use-fresh.ts";
import { earlierOutputs, moved } from "./earlier-outputs.ts";
import { NewStepDialog } from "./new-step-dialog.tsx";
import { StepPanel } from "./step-panel.tsx";

const PARENT = { to: "/workflow-formats", label: t("Workflow formats") };

/** A linear workflow in its own form: a trigger, and steps in their order. */
export function LinearWorkflowPage(): ReactElement {
  const { workflow: uuid = "" } = useParams();
  const path = `linear-workflows/${uuid}`;
  const { data: workflow, error, refetch } = useFresh<LinearWorkflowWithDetails>(`${path}/details`);
  const all = useFresh<FormatWorkflow[]>("workflow-formats/linear");
  const problems = useFresh<LinearProblem[]>(`${path}/problems`);
  const mayChange = useCan("linear-workflows.update");
  const [adding, setAdding] = useState(false);
  const [deleting, setDeleting] = useState<LinearStep | null>(null);
  const readAgain = (): void => {
    refetch();
    all.refetch();
    problems.refetch();
  };
  const changing = useAction(async (method: "DELETE" | "PUT", at: string, body?: object) => {
    await api(`${path}/${at}`, { method, ...(body === undefined ? {} : { body }) });
    readAgain();
  });
  if (workflow === undefined)
    return error === null ? (
      <Skeleton variant="rounded" height={300} />
    ) : (
      <>
        <PageHeader title={t("Linear workflow")} parent={PARENT} />
        <ErrorPanel error={error} title={t("This workflow could not be loaded")} onRetry={refetch} />
      </>
    );
  const { steps, trigger } = workflow;
  const compiled = all.data?.find(({ id }) => id === uuid)?.agent_workflow_id ?? null;
  const general = (problems.data ?? []).filter(({ step_uuid: step }) => step === null);
  return (
    <>
      <PageHeader
        title={workflow.name}
        parent={PARENT}
        line={
          <>
            <span>{t("{{count}} steps", { count: steps.length })}</span>
            {compiled === null ? (
              <span>{t("cannot run yet")}</span>
            ) : (
              <Link component={RouterLink} to={`/agent-workflows/${compiled}/show`}>
                {t("Workflow")}
              </Link>
            )}
          </>
        }
        actions={
          <>
            {compiled === null ? null : <ConvertButton format="linear" workflow={uuid} />}
            {mayChange ? (
              <Button variant="contained" size="small" startIcon={<AddRounded />} onClick={() => setAdding(true)}>
                {t("Add a step")}
              </Button>
            ) : null}
          </>
        }
      />
      <Box sx={{ display: "grid", gap: 2 }}>
        {changing.failure === null ? null : (
          <ErrorPanel error={changing.failure} title={t("The workflow was not changed")} />
        )}
        <Panel title={t("Trigger")}>
          <Box sx={{ display: "grid", gap: 1 }}>
            <TriggerField
              value={trigger?.type ?? ""}
              disabled={!mayChange || changing.busy}
              onChange={(type) =>
                void (type === ""
                  ? changing.run("DELETE", "trigger")
                  : changing.run("PUT", "trigger", { type_id: type }))
              }
            />
            {general.map(({ message, fix }) => (
              <Box key={message} role="note" sx={{ fontSize: 13.5, color: "warning.main", overflowWrap: "anywhere" }}>
                {message}. {fix}
              </Box>
            ))}
          </Box>
        </Panel>
        {steps.length === 0 ? (
          <Panel>
            <EmptyState
              icon={<PlaylistAddRounded />}
              title={t("No steps yet")}
              text={t("Add the first: it gets what the trigger brings.")}
            />
          </Panel>
        ) : null}
        {steps.map((step, index) => (
          <StepPanel
            key={step.uuid}
            place={index + 1}
            last={index === steps.length - 1}
            step={step}
            outputs={earlierOutputs(workflow, step.uuid)}
            problems={(problems.data ?? []).filter((problem) => problem.step_uuid === step.uuid)}
            mayChange={mayChange}
            onMove={(by) => void changing.run("PUT", "steps", { steps: moved(steps, step.uuid, by) })}
            onDelete={() => setDeleting(step)}
            onSaved={readAgain}
          />
        ))}
      </Box>
      {adding ? <NewStepDialog path={`${path}/steps`} onMade={readAgain} onClose={() => setAdding(false)} /> : null}
      <ConfirmDialog
        open={deleting !== null}
        title={t('Delete "{{name}}"?', { name: deleting?.name ?? "" })}
        text={t("Prompts that ask for its output have to be changed before the workflow runs again.")}
        confirmLabel={t("Delete")}
        onConfirm={async () => {
          await api(`${path}/steps/${deleting?.uuid}`, { method: "DELETE" });
          readAgain();
        }}
        onClose={() => setDeleting(null)}
      />
    </>
  );
}

interface TriggerType {
  id: string;
  title: string;
}

function TriggerField(props: { value: string; disabled: boolean; onChange: (type: string) => void }): ReactElement {
  const { value, disabled, onChange } = props;
  const { data: types = [] } = useAnswer<TriggerType[]>("linear-trigger-types");
  return (
    <TextField
      select
      label={t("What starts it")}
      value={types.some(({ id }) => id === value) ? value : ""}
      disabled={disabled}
      onChange={(event) => onChange(event.target.value)}
    >
      <MenuItem value="">{t("Nothing yet")}</MenuItem>
      {types.map(({ id, title }) => (
        <MenuItem key={id} value={id}>
          {title}
        </MenuItem>
      ))}
    </TextField>
  );
}
