import type { RunCommit } from "@oven/engine";
import { coalesceRows, type RowWrite } from "./coalesce-rows.ts";
import { orNull, type StatementBuilder } from "./statement-builder.ts";

/** What a commit does to the rows of its nodes; needs a part `u` with the run's id. */
export function addNodes(builder: StatementBuilder, { rows }: RunCommit, table: string, tenantId: number): void {
  const writes = coalesceRows(rows);
  const starts = writes.filter(isStart);
  if (starts.length > 0) builder.add("n", insertNodes(builder, starts, table, tenantId));
  writes
    .filter((write) => write.start === undefined)
    .forEach((write, index) => {
      builder.add(`n${index}`, updateNode(builder, write, table));
    });
}

type StartWrite = RowWrite & { start: NonNullable<RowWrite["start"]> };

function isStart(write: RowWrite): write is StartWrite {
  return write.start !== undefined;
}

/** What a row has that was only begun. */
const NOTHING_YET: Record<string, string> = { output: "'null'::json", cost_micros: "0" };

function isPlainStart({ wait, errorInfo, finish }: StartWrite): boolean {
  return (wait ?? null) === null && (errorInfo ?? null) === null && finish === undefined;
}

/** All new rows in one insert: their ids follow the order in which they were planned. */
function insertNodes(
  builder: StatementBuilder,
  writes: readonly StartWrite[],
  table: string,
  tenantId: number,
): string {
  const isPlain = writes.every(isPlainStart);
  const rows = writes.map((write): Record<string, string> => {
    const { start, finish } = write;
    return {
      tenant_id: builder.bind(tenantId, "int"),
      node_id: builder.bind(write.nodeId, "text"),
      parent_node_id: builder.bind(start.parentNodeId, "text"),
      node_type: builder.bind(start.nodeType, "text"),
      node_version: builder.bind(start.nodeVersion, "int"),
      visit: builder.bind(write.visit, "int"),
      attempt: builder.bind(write.attempt, "int"),
      item: builder.bind(write.item, "text"),
      status: builder.bind(write.status, "text"),
      input: builder.bind(JSON.stringify(start.input), "json"),
      started_at: builder.bind(start.startedAt, "timestamptz"),
      ...(isPlain
        ? NOTHING_YET
        : {
            wait: builder.bind(write.wait ?? null, "json"),
            error: builder.bind(write.error ?? null, "text"),
            error_info: builder.bind(write.errorInfo ?? null, "json"),
            ...finishColumns(builder, finish),
          }),
    };
  });
  const columns = Object.keys(rows[0] ?? {}).join(", ");
  const values = rows.map((row) => `(${Object.values(row).join(", ")})`).join(", ");
  return `insert into ${table} (execution_id, ${columns}) select u.id, v.* from u, (values ${values}) as v(${columns})`;
}

function updateNode(builder: StatementBuilder, write: RowWrite, table: string): string {
  const set: Record<string, string> = {
    ...(write.status === undefined ? {} : { status: builder.bind(write.status, "text") }),
    ...(write.attempt === undefined ? {} : { attempt: builder.bind(write.attempt, "int") }),
    ...changedColumns(builder, write),
    ...(write.finish === undefined ? {} : finishColumns(builder, write.finish)),
  };
  const assignments = Object.entries(set).map(([column, value]) => `${column} = ${value}`);
  const node = builder.bind(write.nodeId, "text");
  const visit = builder.bind(write.visit, "int");
  const item = builder.bind(write.item, "text");
  // An outcome stands: what comes later changes nothing.
  return `update ${table} as n set ${assignments.join(", ")} from u where n.execution_id = u.id and n.node_id = ${node}
    and n.visit = ${visit} and n.item is not distinct from ${item} and n.completed_at is null`;
}

function changedColumns(builder: StatementBuilder, { wait, error, errorInfo }: RowWrite): Record<string, string> {
  if (wait === null && error === null && errorInfo === null) return { wait: "null", error: "null", error_info: "null" };
  return {
    ...(wait === undefined ? {} : { wait: builder.bind(wait, "json") }),
    ...(error === undefined ? {} : { error: builder.bind(error, "text") }),
    ...(errorInfo === undefined ? {} : { error_info: builder.bind(errorInfo, "json") }),
  };
}

function finishColumns(builder: StatementBuilder, finish: RowWrite["finish"]): Record<string, string> {
  const { tokenUsage, toolCalls, costMicros = 0 } = finish ?? {};
  const isFree = (tokenUsage ?? null) === null && (toolCalls ?? null) === null && costMicros === 0;
  return {
    output: builder.bind(JSON.stringify(finish?.output ?? null), "json"),
    ...(isFree
      ? { token_usage: "null::json", tool_calls: "null::json", cost_micros: "0::bigint" }
      : {
          token_usage: builder.bind(orNull(tokenUsage), "json"),
          tool_calls: builder.bind(orNull(toolCalls), "json"),
          cost_micros: builder.bind(costMicros, "bigint"),
        }),
    duration_ms: builder.bind(finish === undefined ? null : Math.round(finish.durationMs), "bigint"),
    completed_at: builder.bind(finish?.completedAt ?? null, "timestamptz"),
  };
}
