import { toActor } from "@oven/contract";
import type { Queryable } from "@oven/db";
import type { NewExecution } from "@oven/engine";
import { namesOf, type RunKind } from "./run-kinds.ts";

/** Inserts a pending run inside the caller's transaction and answers its id. */
export async function insertExecution(tx: Queryable, kind: RunKind, run: NewExecution): Promise<number> {
  const { executions, workflowId } = namesOf(kind);
  const [row] = await tx.query<{ id: number }>(
    `insert into ${executions} (tenant_id, ${workflowId}, workflow_version, agent_id, session_id, parent_id, root_id,
       retry_of, fork_of, trigger_event, triggered_by, principal, input)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::json, $12::json, $13::json) returning id`,
    [
      run.tenantId,
      run.workflowId,
      run.workflowVersion,
      run.agentId ?? null,
      run.sessionId ?? null,
      run.parentId ?? null,
      run.rootId ?? null,
      run.retryOf ?? null,
      run.forkOf ?? null,
      run.triggerEvent ?? null,
      JSON.stringify(toActor(run.principal)),
      JSON.stringify(run.principal),
      JSON.stringify(run.input),
    ],
    `insert-${executions}`,
  );
  if (row === undefined) throw new Error("an insert answered no row");
  return row.id;
}
