import { toActor } from "@oven/contract";
import type { PreparedCall, Queryable } from "@oven/db";
import type { NewExecution } from "@oven/engine";
import { agentPin } from "../definitions/called-workflows.ts";
import type { ExecutionRow } from "../executions/execution-row.ts";
import { namesOf, type RunKind } from "./run-kinds.ts";
import type { RunRow } from "./run-row.ts";

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

/** A run with its number, its first lease and the statement that will write both. */
export interface LeasedRun {
  row: RunRow;
  kind: RunKind;
  insert: PreparedCall;
  /** What the row does not tell of it, and lists show. */
  shown: ShownOfStart;
}

type ShownOfStart = Pick<
  ExecutionRow,
  "retryOf" | "forkOf" | "originSeq" | "priority" | "triggerEvent" | "triggeredBy"
> & {
  workflowSlug: string;
};

export interface FirstLease extends Lease {
  /** The run's number. */
  id: number;
  workflow: { name: string; slug: string };
}

/** A run as it will be read once `insert` was written: with its first claim, which nobody needs to make. */
export function toLeasedRun(
  kind: RunKind,
  run: NewExecution & { sessionId?: number | null | undefined },
  { id, worker, milliseconds, workflow }: FirstLease,
): LeasedRun {
  const { executions } = namesOf(kind);
  const { columns, values, params } = toInsert(kind, run);
  const next = params.length;
  // By the clock that its first step goes by, which may be written before the insert is.
  const createdAt = new Date();
  const sql = `insert into ${executions} (${columns}, id, created_at, epoch, lease_owner, lease_until)
     values (${values}, $${next + 1}, $${next + 2}, 1, $${next + 3}, now() + make_interval(secs => $${next + 4}::float / 1000)) returning id`;
  const row: RunRow = {
    id,
    tenant_id: run.tenantId,
    workflow_id: run.workflowId,
    workflow_version: run.workflowVersion,
    workflow_name: workflow.name,
    agent_id: run.agent?.id ?? null,
    session_id: run.sessionId ?? run.agent?.sessionId ?? null,
    principal: asStored(run.principal),
    input: asStored(run.input),
    parent_id: null,
    parent_node_id: null,
    parent_visit: null,
    parent_item: null,
    parent_seq: null,
    part: run.part ?? null,
    root_id: null,
    depth: 0,
    options: asStored(run.options ?? null),
    pinned_calls: pinsOf(run),
    status: "pending",
    created_at: createdAt,
    started_at: null,
    epoch: 1,
    seq: 0,
    taken_over: false,
    signalled: false,
    state: run.seed?.state ?? null,
    context: run.seed?.context.values ?? null,
    context_writers: run.seed?.context.writers ?? null,
    context_seq: run.seed?.context.seq ?? 0,
  };
  return {
    row,
    kind,
    shown: {
      retryOf: run.retryOf ?? null,
      forkOf: run.forkOf ?? null,
      originSeq: run.originSeq ?? null,
      priority: run.priority ?? 0,
      triggerEvent: run.triggerEvent ?? null,
      triggeredBy: toActor(run.principal),
      workflowSlug: workflow.slug,
    },
    insert: {
      name: `insert-leased-${executions}`,
      sql,
      params: [...params, id, createdAt.toISOString(), worker, milliseconds],
    },
  };
}

/** What a column would give back: nobody else's object, and nothing that JSON does not have. */
function asStored<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T; // cast: callers hand in JSON
}

function pinsOf({ agent, pinnedCalls }: NewExecution): Record<string, number> | null {
  if (agent) return { ...pinnedCalls, [agentPin(agent.id)]: agent.version };
  return pinnedCalls ?? null;
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
      toJson(pinsOf(run)),
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
