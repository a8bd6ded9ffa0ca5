import { isOvenError, type Principal } from "@oven/contract";
import type { RowVersion } from "@oven/module-registry";
import type { WorkflowService } from "../definitions/workflow-service.ts";
import { type ExecuteRequest, finderOf } from "./check-start.ts";
import type { RunStarter, StartedRun } from "./start-run.ts";

/**
 * Starts a run with the cached row of its workflow, provided that this row and those of `rowVersions` have not changed. Saves the
 * reads of a start; docs/decisions/0045 has the measurement.
 * @returns undefined when no row is cached or one is out of date; nothing was written, and the caller reads and starts as usual
 */
export async function startCached(
  { starter, workflows }: { starter: RunStarter; workflows: WorkflowService },
  principal: Principal,
  request: ExecuteRequest,
  rowVersions: readonly RowVersion[],
): Promise<StartedRun | undefined> {
  const cached = workflows.cached(finderOf(principal, request), request.workflow);
  if (cached === undefined) return undefined;
  try {
    return await starter.startWith(principal, request, cached.value, [cached.rowVersion, ...rowVersions]);
  } catch (error) {
    // A row that is out of date may be the cause.
    if (isOvenError(error) && error.status < 500 && error.status !== 429) return undefined;
    throw error;
  }
}
