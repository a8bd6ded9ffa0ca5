import { toActor } from "@oven/contract";
import type { ColumnValue, NewRow, Queryable } from "@oven/db";
import type { NewExecution } from "@oven/engine";
import type { RowVersion } from "@oven/module-registry";
import { agentPin } from "../definitions/called-workflows.ts";
import type { ExecutionRow } from "../executions/execution-row.ts";
import { heldCondition } from "../holds/held-condition.ts";
import { type NewRunValues, type RunRow, toColumnValues, toInsertedRow } from "./run-columns.ts";
import { namesOf, type RunKind } from "./run-kinds.ts";
import { type Statement, StatementBuilder } from "./statement-builder.ts";

/** The worker that holds the run from its insert on, and for how many milliseconds. */
export interface Lease {
  worker: string;
  milliseconds: number;
}

/** Inserts a pending run with the given id, inside the caller's transaction. */
export async function insertExecution(tx: Queryable, kind: RunKind, run: NewExecution, id: number): Promise<void> {
  const { executions } = namesOf(kind);
  const builder = new StatementBuilder();
  const { createdAt, ...values } = toValues(run, id);
  const columns = toColumnValues(kind.tables.executions, values);
  const names = columns.map(({ name }) => name).join(", ");
  const bound = columns.map(({ value, type }) => builder.bind(value, type)).join(", ");
  await tx.query(`insert into ${executions} (${names}) values (${bound})`, builder.params, `insert-${executions}`);
}

/** What writes a run: by itself, or with the run's first steps. */
export interface RunInsert {
  executionId: number;
  executions: string;
  columns: readonly ColumnValue[];
  /** For how long the process that writes it works on it, before others may. */
  leaseMs: number;
  /** The run is written only if all of them are as they were. */
  rowVersions?: readonly RowVersion[] | undefined;
  /** Written with it, or not at all. */
  alsoInsert?: NewRow | undefined;
  /** It is not written where runs of this kind, workflow and tenant are held: it must not begin. */
  scope: { kind: string; tenantId: number; workflowId: number };
}

/** A run as it was accepted, before its first step. It answers a row when the run was written. */
export function runInsertStatement(runInsert: RunInsert): Statement {
  const builder = new StatementBuilder();
  addRunInsert(builder, runInsert);
  return builder.build("begin");
}

/**
 * The run's row as part `u`, and what is written beside it.
 * @param stepped columns as the run's first steps leave them
 */
export function addRunInsert(
  builder: StatementBuilder,
  runInsert: RunInsert,
  stepped: Record<string, string> = {},
): void {
  const { executions, leaseMs, rowVersions = [], alsoInsert, scope } = runInsert;
  const columns = { ...stepped };
  for (const { name, type, value } of runInsert.columns) columns[name] ??= builder.bind(value, type);
  columns.lease_until ??= `now() + make_interval(secs => ${builder.bind(leaseMs, "float")} / 1000)`;
  const unchanged = rowVersions.map(
    ({ table, id, xmin }) =>
      `exists (select 1 from ${table} where id = ${builder.bind(id, "bigint")} and xmin::text = ${builder.bind(xmin, "text")})`,
  );
  const [tenantId, workflowId] = [builder.bind(scope.tenantId, "bigint"), builder.bind(scope.workflowId, "bigint")];
  const where = ` where ${[`not ${heldCondition(scope.kind, { tenantId, workflowId, runs: [] })}`, ...unchanged].join(" and ")}`;
  const names = Object.keys(columns).join(", ");
  builder.add(
    "u",
    `insert into ${executions} (${names}) select ${Object.values(columns).join(", ")}${where} returning id`,
  );
  if (alsoInsert === undefined) return;
  const values = alsoInsert.columns.map(({ value, type }) => builder.bind(value, type));
  const given = alsoInsert.columns.map(({ name }) => name).join(", ");
  builder.add("b", `insert into ${alsoInsert.table} (${given}) select ${values.join(", ")} from u`);
}

/** A run with its id, its first lease and the insert that writes both. */
export interface LeasedRun {
  row: RunRow & ExecutionRow;
  kind: RunKind;
  runInsert: RunInsert;
  workflowSlug: string;
}

export interface FirstLease extends Lease, Pick<RunInsert, "rowVersions" | "alsoInsert"> {
  /** Id of the run. */
  id: number;
  workflow: { name: string; slug: string };
}

/** The run's row as it will be read after the insert, its first claim included, so that no claim is needed. */
export function toLeasedRun(
  kind: RunKind,
  run: NewExecution,
  { id, worker, milliseconds, workflow, rowVersions, alsoInsert }: FirstLease,
): LeasedRun {
  const table = kind.tables.executions;
  const values = { ...toValues(run, id), epoch: 1, leaseOwner: worker };
  return {
    row: { ...toInsertedRow(table, values), workflowName: workflow.name, takenOver: false, signalled: false },
    kind,
    workflowSlug: workflow.slug,
    runInsert: {
      executionId: id,
      executions: namesOf(kind).executions,
      columns: toColumnValues(table, values),
      leaseMs: milliseconds,
      rowVersions,
      alsoInsert,
      scope: { kind: kind.kind.kind, tenantId: run.tenantId, workflowId: run.workflowId },
    },
  };
}

function pinsOf({ agent, pinnedCalls }: NewExecution): Record<string, number> | null {
  if (agent) return { ...pinnedCalls, [agentPin(agent.id)]: agent.version };
  return pinnedCalls ?? null;
}

function toValues(run: NewExecution, id: number): NewRunValues {
  const { seed } = run;
  return {
    id,
    tenantId: run.tenantId,
    workflowId: run.workflowId,
    workflowVersion: run.workflowVersion,
    agentId: run.agent?.id ?? null,
    sessionId: run.sessionId ?? run.agent?.sessionId ?? null,
    retryOf: run.retryOf ?? null,
    forkOf: run.forkOf ?? null,
    originSeq: run.originSeq ?? null,
    part: run.part ?? null,
    options: run.options ?? null,
    pinnedCalls: pinsOf(run),
    priority: run.priority ?? 0,
    triggerEvent: run.triggerEvent ?? null,
    triggeredBy: toActor(run.principal),
    principal: run.principal,
    input: run.input,
    state: seed?.state ?? null,
    context: seed?.context.values ?? null,
    contextWriters: seed?.context.writers ?? null,
    // By this process's clock, as its first step, which may be written before the insert is.
    createdAt: new Date(),
  };
}
