import { isOvenError, type Principal } from "@oven/contract";
import { isTerminal } from "@oven/contract/run";
import type { Database } from "@oven/db";
import type { ServiceMap } from "@oven/module-registry";
import type { TriggerRow } from "../triggers/trigger-row.ts";

const LOOK_AT = 200;

/** The runs of a trigger that are still under way, the oldest first. What has ended is noted, so that it is asked for once. */
export async function liveRunsOf(
  db: Database,
  services: ServiceMap,
  trigger: TriggerRow,
  principal: Principal,
  now: Date,
): Promise<number[]> {
  const started = await db.query<{ id: number; execution_id: number; execution_kind: "workflow" | "agent-workflow" }>(
    `select id, execution_id, execution_kind from trigger_deliveries
     where trigger_id = $1 and decision = 'started' and run_ended_at is null order by id limit ${LOOK_AT}`,
    [trigger.id],
  );
  const live: number[] = [];
  const ended: number[] = [];
  for (const { id, execution_id, execution_kind } of started) {
    const status = await statusOf(services, principal, execution_kind, execution_id);
    if (status === undefined || isTerminal(status)) ended.push(id);
    else if (status !== "paused" || trigger.overlapCountsPaused) live.push(execution_id);
  }
  if (ended.length > 0) {
    await db.query("update trigger_deliveries set run_ended_at = $2 where id = any($1::bigint[])", [
      ended,
      now.toISOString(),
    ]);
  }
  return live;
}

async function statusOf(services: ServiceMap, principal: Principal, kind: "workflow" | "agent-workflow", id: number) {
  try {
    return (await services.workflowPlatform.face(kind).runs.reader.summary(principal, id)).status;
  } catch (error) {
    // Removed since: what is gone has ended.
    if (isOvenError(error) && error.status === 404) return undefined;
    throw error;
  }
}

/** Cancels a run; one that ended meanwhile is left as it is. */
export async function cancelRun(
  services: ServiceMap,
  trigger: TriggerRow,
  principal: Principal,
  id: number,
): Promise<void> {
  const { runs } = services.workflowPlatform.face(trigger.targetKind);
  try {
    await runs.cancel(principal, id, `the trigger ${trigger.name} fired again`, AbortSignal.timeout(10_000));
  } catch (error) {
    if (!isOvenError(error) || error.code !== "ALREADY_ENDED") throw error;
  }
}
