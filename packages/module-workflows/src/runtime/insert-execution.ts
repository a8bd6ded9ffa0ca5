import { toActor } from "@oven/contract";
import type { ColumnValue, Queryable } from "@oven/db";
import type { NewExecution } from "@oven/engine";
import { agentPin } from "../definitions/called-workflows.ts";
import type { ExecutionRow } from "../executions/execution-row.ts";
import type { RunInsert } from "./run-insert-statement.ts";
import { namesOf, type RunKind } from "./run-kinds.ts";
import type { RunRow } from "./run-row.ts";
import { orNull, StatementBuilder } from "./statement-builder.ts";

/** The worker that holds the run from its insert on, and for how many milliseconds. */
export interface Lease {
  worker: string;
  milliseconds: number;
}

/** Inserts a pending run with the given id, inside the caller's transaction. */
export async function insertExecution(tx: Queryable, kind: RunKind, run: NewExecution, id: number): Promise<void> {
  const { executions } = namesOf(kind);
  const builder = new StatementBuilder();
  const columns = startColumns(kind, run, id);
  const names = columns.map(({ name }) => name).join(", ");
  const values = columns.map(({ value, type }) => builder.bind(value, type)).join(", ");
  await tx.query(`insert into ${executions} (${names}) values (${values})`, builder.params, `insert-${executions}`);
}

/** A run with its id, its first lease and the insert that writes both. */
export interface LeasedRun {
  row: RunRow;
  kind: RunKind;
  runInsert: RunInsert;
  /** What lists show of the run and its row does not hold. */
  shown: ShownOfStart;
}

type ShownOfStart = Pick<
  ExecutionRow,
  "retryOf" | "forkOf" | "originSeq" | "priority" | "triggerEvent" | "triggeredBy"
> & {
  workflowSlug: string;
};

export interface FirstLease extends Lease, Pick<RunInsert, "rowVersions" | "alsoInsert"> {
  /** Id of the run. */
  id: number;
  workflow: { name: string; slug: string };
}

/** The run's row as it will be read after the insert, its first claim included, so that no claim is needed. */
export function toLeasedRun(
  kind: RunKind,
  run: NewExecution & { sessionId?: number | null | undefined },
  { id, worker, milliseconds, workflow, rowVersions, alsoInsert }: FirstLease,
): LeasedRun {
  // By this process's clock, as its first step, which may be written before the insert is.
  const createdAt = new Date();
  const runInsert: RunInsert = {
    executionId: id,
    executions: namesOf(kind).executions,
    columns: [
      ...startColumns(kind, run, id),
      { name: "created_at", type: "timestamptz", value: createdAt.toISOString() },
      { name: "epoch", type: "int", value: 1 },
      { name: "lease_owner", type: "text", value: worker },
    ],
    leaseMs: milliseconds,
    rowVersions,
    alsoInsert,
  };
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
    trigger_event: run.triggerEvent ?? null,
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
    runInsert,
    shown: {
      retryOf: run.retryOf ?? null,
      forkOf: run.forkOf ?? null,
      originSeq: run.originSeq ?? null,
      priority: run.priority ?? 0,
      triggerEvent: run.triggerEvent ?? null,
      triggeredBy: toActor(run.principal),
      workflowSlug: workflow.slug,
    },
  };
}

/** The value as a column would return it: a copy, without anything that JSON cannot hold. */
function asStored<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T; // cast: callers hand in JSON
}

function pinsOf({ agent, pinnedCalls }: NewExecution): Record<string, number> | null {
  if (agent) return { ...pinnedCalls, [agentPin(agent.id)]: agent.version };
  return pinnedCalls ?? null;
}

function startColumns(kind: RunKind, run: NewExecution, id: number): ColumnValue[] {
  const { workflowId } = namesOf(kind);
  const { seed } = run;
  // A session that begins with its run gets the run's id.
  const sessionId = run.sessionId === "own" ? -id : (run.sessionId ?? run.agent?.sessionId ?? null);
  return [
    { name: "id", type: "bigint", value: id },
    { name: "tenant_id", type: "int", value: run.tenantId },
    { name: workflowId, type: "bigint", value: run.workflowId },
    { name: "workflow_version", type: "int", value: run.workflowVersion },
    { name: "agent_id", type: "bigint", value: run.agent?.id ?? null },
    { name: "session_id", type: "bigint", value: sessionId },
    { name: "retry_of", type: "bigint", value: run.retryOf ?? null },
    { name: "fork_of", type: "bigint", value: run.forkOf ?? null },
    { name: "origin_seq", type: "int", value: run.originSeq ?? null },
    { name: "part", type: "text", value: run.part ?? null },
    { name: "options", type: "json", value: orNull(run.options) },
    { name: "pinned_calls", type: "json", value: orNull(pinsOf(run)) },
    { name: "priority", type: "smallint", value: run.priority ?? 0 },
    { name: "trigger_event", type: "text", value: run.triggerEvent ?? null },
    { name: "triggered_by", type: "json", value: JSON.stringify(toActor(run.principal)) },
    { name: "principal", type: "json", value: JSON.stringify(run.principal) },
    { name: "input", type: "json", value: JSON.stringify(run.input) },
    { name: "state", type: "json", value: orNull(seed?.state) },
    { name: "context", type: "json", value: orNull(seed?.context.values) },
    { name: "context_writers", type: "json", value: orNull(seed?.context.writers) },
  ];
}
