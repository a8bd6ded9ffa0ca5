import type { ColumnValue, NewRow } from "@oven/db";
import type { RowVersion } from "@oven/module-registry";
import { type Statement, StatementBuilder } from "./statement-builder.ts";

/** What writes a run: by itself, or with the run's first steps. */
export interface RunInsert {
  executionId: number;
  executions: string;
  columns: readonly ColumnValue[];
  /** For how long whoever writes it works on it, before others may. */
  leaseMs: number;
  /** The run is written only if all of them are as they were. */
  rowVersions?: readonly RowVersion[] | undefined;
  /** Written with it, or not at all. */
  alsoInsert?: NewRow | undefined;
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
  const { executions, leaseMs, rowVersions = [], alsoInsert } = runInsert;
  const columns = { ...stepped };
  for (const { name, type, value } of runInsert.columns) columns[name] ??= builder.bind(value, type);
  columns.lease_until ??= `now() + make_interval(secs => ${builder.bind(leaseMs, "float")} / 1000)`;
  const unchanged = rowVersions.map(
    ({ table, id, xmin }) =>
      `exists (select 1 from ${table} where id = ${builder.bind(id, "bigint")} and xmin::text = ${builder.bind(xmin, "text")})`,
  );
  const where = unchanged.length === 0 ? "" : ` where ${unchanged.join(" and ")}`;
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
