import BuildOutlined from "@mui/icons-material/BuildOutlined";
import Button from "@mui/material/Button";
import type { Execution } from "@oven/contract/run";
import { MAX_REPAIRED_RUNS, REPAIR_WORKFLOW, type StartedRepair } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { runPath } from "@oven/ui/components/workflow-kind.ts";
import type { FailureActionProps, RunActionProps } from "@oven/ui/ui-module.ts";
import type { ReactElement } from "react";
import { Link as RouterLink, useNavigate } from "react-router-dom";

/** On the page of a run: has it repaired, or leads from the run that repairs to what it proposes. */
export function RepairRun({ run }: RunActionProps): ReactElement | null {
  if (run.kind === "agent-workflow" && run.workflowSlug === REPAIR_WORKFLOW)
    return (
      <Button startIcon={<BuildOutlined />} component={RouterLink} to={`/repairs/${run.id}`}>
        {t("Open the repair")}
      </Button>
    );
  return isRepairable(run) ? <Repair runIds={[run.id]} /> : null;
}

/** In a group of failures: has all of them repaired that were not tried again yet. */
export function RepairFailures({ group }: FailureActionProps): ReactElement | null {
  const { workflow, open } = group;
  if (workflow.kind !== "agent-workflow" || open.length === 0) return null;
  return <Repair runIds={open.slice(0, MAX_REPAIRED_RUNS)} />;
}

/** Starts a repair, and leads to the run that repairs. */
function Repair({ runIds }: { runIds: readonly number[] }): ReactElement | null {
  const mayChange = useCan("agent-workflows.update");
  const mayRun = useCan("agent-workflows.execute");
  const navigate = useNavigate();
  const { busy, failure, run, reset } = useAction(async () => {
    const { json } = await api("builder/repairs", { method: "POST", body: { runIds } });
    const { executionId } = json as StartedRepair; // cast: the shape of the route
    void navigate(runPath("agent-workflow", executionId));
  });
  if (!mayChange || !mayRun) return null;
  return (
    <>
      <Button size="small" startIcon={<BuildOutlined />} loading={busy} onClick={() => void run()}>
        {t("Repair")}
      </Button>
      {failure === null ? null : <ErrorPanel error={failure} title={t("No repair was started")} onRetry={reset} />}
    </>
  );
}

function isRepairable({ kind, status, parentId, workflowVersion, options }: Execution): boolean {
  const isTest = workflowVersion < 1 || options?.test === true || options?.dryRun === true;
  return kind === "agent-workflow" && status === "failed" && parentId === null && !isTest;
}
