import { toActor } from "@oven/contract";
import type { Queryable } from "@oven/db";
import type { NewExecution } from "@oven/engine";
import { agentPin } from "../definitions/called-workflows.ts";
import { namesOf, type RunKind } from "./run-kinds.ts";
import { RUN_COLUMNS, type RunRow } from "./run-row.ts";

/** Who works on a run from the moment it is there, and for how long before others may. */
export interface Lease {
  worker: string;
  milliseconds: number;
}

/** Inserts a pending run inside the caller's transaction and answers its id. */
export async function insertExecution(tx: Queryable, kind: RunKind, run: NewExecution): Promise<number> {
  const { executions } = namesOf(kind);
  const { columns, values, params } = toInsert(kind, run);
  const [row] = await tx.query<{ id: number }>(
    `insert into ${executions} (${columns}) values (${values}) returning id`,
    params,
    `insert-${executions}`,
  );
  if (row === undefined) throw new Error("an insert answered no row");
  if (run.sessionId === "own")
    await tx.query(`update ${executions} set session_id = -id where id = $1`, [row.id], `own-session-${executions}`);
  return row.id;
}

/** As `insertExecution`, with its first claim in the same write. */
export async function insertLeased(
  tx: Queryable,
  kind: RunKind,
  run: NewExecution & { sessionId?: number | null | undefined },
  { worker, milliseconds, workflowName }: Lease & { workflowName: string },
): Promise<RunRow> {
  const { executions, workflowId } = namesOf(kind);
  const { columns, values, params } = toInsert(kind, run);
  const [owner, lease, name] = [params.length + 1, params.length + 2, params.length + 3];
  const [row] = await tx.query<RunRow>(
    `insert into ${executions} as e (${columns}, epoch, lease_owner, lease_until)
     values (${values}, 1, $${owner}, now() + make_interval(secs => $${lease}::float / 1000))
     returning false as taken_over, false as signalled, e.${workflowId} as workflow_id, $${name}::text as workflow_name, ${RUN_COLUMNS}`,
    [...params, worker, milliseconds, workflowName],
    `insert-leased-${executions}`,
  );
  if (row === undefined) throw new Error("an insert answered no row");
  return row;
}

function toInsert(kind: RunKind, run: NewExecution): { columns: string; values: string; params: unknown[] } {
  const { workflowId } = namesOf(kind);
  const { seed } = run;
  return {
    columns: `tenant_id, ${workflowId}, workflow_version, agent_id, session_id, retry_of, fork_of, origin_seq, part, options, pinned_calls,
       priority, trigger_event, triggered_by, principal, input, state, context, context_writers`,
    values: `$1, $2, $3, $4, $5, $6, $7, $8, $9, $10::json, $11::json, $12, $13, $14::json, $15::json, $16::json, $17::json, $18::json,
       $19::json`,
    params: [
      run.tenantId,
      run.workflowId,
      run.workflowVersion,
      run.agent?.id ?? null,
      typeof run.sessionId === "number" ? run.sessionId : (run.agent?.sessionId ?? null),
      run.retryOf ?? null,
      run.forkOf ?? null,
      run.originSeq ?? null,
      run.part ?? null,
      toJson(run.options),
      toJson(run.agent ? { ...run.pinnedCalls, [agentPin(run.agent.id)]: run.agent.version } : run.pinnedCalls),
      run.priority ?? 0,
      run.triggerEvent ?? null,
      JSON.stringify(toActor(run.principal)),
      JSON.stringify(run.principal),
      JSON.stringify(run.input),
      toJson(seed?.state),
      toJson(seed?.context.values),
      toJson(seed?.context.writers),
    ],
  };
}

function toJson(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}
