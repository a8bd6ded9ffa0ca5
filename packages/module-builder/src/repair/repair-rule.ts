import { isGranted, isOvenError, type Principal, SYSTEM_PRINCIPAL } from "@oven/contract";
import { TEST_RUN } from "@oven/contract/workflow";
import { withinTenant } from "@oven/db";
import type { SelectiveListener, ServiceMap } from "@oven/module-registry";
import { z } from "zod";
import { failureOf, REPAIR_PERMISSIONS, toFailureKey } from "./failed-runs.ts";
import type { RepairParts } from "./repair-parts.ts";
import { FROM_REPAIR } from "./repair-service.ts";

const DAY_MS = 86_400_000;
const Failed = z.looseObject({ id: z.int(), agentWorkflowId: z.int() });

/** Begins a repair once a run fails, of workflows whose rule says so. */
export function repairListener(parts: () => RepairParts): SelectiveListener {
  return {
    handle: async ({ tenantId, payload }) => {
      const { id, agentWorkflowId } = Failed.parse(payload);
      await withinTenant(tenantId, () =>
        repairByRule(parts(), { tenantId, executionId: id, workflowId: agentWorkflowId }),
      );
    },
    // Parts of other runs, tests and repairs are never repaired by a rule.
    concerns: ({ run }) =>
      run === undefined || (run.parentId === null && run.triggerEvent !== TEST_RUN && run.triggerEvent !== FROM_REPAIR),
  };
}

interface Failure {
  tenantId: number;
  executionId: number;
  workflowId: number;
}

async function repairByRule(parts: RepairParts, { tenantId, executionId, workflowId }: Failure): Promise<void> {
  const { services, rows, failedRuns, repairs } = parts;
  if ((await settingOf(services, tenantId, "REPAIR_AUTOMATICALLY", workflowId)) !== true) return;
  const { runs, workflows } = services.workflowPlatform.face("agent-workflow");
  const reading: Principal = { ...SYSTEM_PRINCIPAL, tenantId };
  const run = await runs.reader.summary(reading, executionId);
  if (run.options?.test === true || run.options?.dryRun === true || run.workflowVersion < 1) return;
  const workflow = await workflows.get(reading, String(workflowId));
  // A shared one, such as those of the assistant itself, is no tenant's to change.
  if (workflow.tenantId === null) return;
  const owner = await ownerOf(services, tenantId, workflow.createdBy);
  if (owner === undefined) return;
  const failureKey = toFailureKey(failureOf(run));
  const { version: baseVersion } = workflow;
  // What was proposed for this version once is not proposed again by itself, whatever became of it.
  if ((await rows.count(owner, { workflowId, baseVersion, failureKey })) > 0) return;
  const since = new Date(Date.now() - DAY_MS);
  const most = await settingOf(services, tenantId, "REPAIR_MAX_PER_DAY", undefined);
  if ((await rows.count(owner, { automatic: true, since })) >= Number(most)) return;
  try {
    const found = await failedRuns.gather(owner, [executionId]);
    await rows.requireNone(owner, { workflowId, failureKey });
    const idempotencyKey = `repair:${workflowId}:${baseVersion}:${failureKey}`;
    await repairs.begin(owner, found, { automatic: true, idempotencyKey });
  } catch (error) {
    // What cannot be repaired now, for its kind or for lack of rights, is left to people.
    if (!isOvenError(error) || error.status >= 500) throw error;
  }
}

/** The workflow's owner with the rights of now; undefined: there is none who may have it repaired. */
async function ownerOf(
  { access }: ServiceMap,
  tenantId: number,
  createdBy: number | null,
): Promise<Principal | undefined> {
  const owner = createdBy === null ? undefined : await access.findPrincipal(createdBy, tenantId);
  const mayRepair = REPAIR_PERMISSIONS.every((permission) => owner && isGranted(owner.permissions, permission));
  return mayRepair ? owner : undefined;
}

async function settingOf({ config }: ServiceMap, tenantId: number, key: string, workflowId: number | undefined) {
  const instance = workflowId === undefined ? undefined : String(workflowId);
  return (await config.resolve({ module: "module-builder", key, tenantId, instance })).value;
}
