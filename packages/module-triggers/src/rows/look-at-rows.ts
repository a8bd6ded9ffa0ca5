import { createHash } from "node:crypto";
import type { Json, JsonObject } from "@oven/contract";
import type { Arrival, Firing, FiringContext } from "@oven/module-registry";
// What it puts into `services`.
import type {} from "@oven/module-workflows";
import { z } from "zod";
import type { RowsConfig } from "./rows-config.ts";

const TIMEOUT_MS = 20_000;
const CURSOR = "oven_cursor";
const KEY = "oven_key";

/** The last row that was taken, as the server writes its values. */
const PositionSchema = z.strictObject({ cursor: z.string(), key: z.string() });
type Position = z.output<typeof PositionSchema>;
/** Absent: it was not looked at yet. null: there was no row. */
const StateSchema = z.looseObject({ last: PositionSchema.nullable().optional() });

/**
 * Fetches the rows behind the last one, in the order of their cursor. They are deliveries before the position is written down: after a
 * crash they are fetched again, and their keys are known.
 * @throws OvenError as `core.sql` does
 */
export async function lookAtRows(context: FiringContext<RowsConfig>): Promise<Firing> {
  const { config, now } = context;
  const { last } = StateSchema.parse(context.state);
  const next = new Date(now.getTime() + config.everySeconds * 1_000);
  if (last === undefined && config.existing === "skip")
    return { arrivals: [], next, state: { last: await lastRow(context) } };
  const { rows, truncated } = await rowsBehind(context, last ?? null);
  const arrivals = rows.map(({ row, at }): Arrival => ({ key: keyOf(config, at), payload: row }));
  const position = rows.at(-1)?.at ?? last ?? null;
  return { arrivals, next: truncated ? new Date(now.getTime() + 1_000) : next, state: { last: position } };
}

function keyOf({ table }: RowsConfig, { cursor, key }: Position): string {
  return `row:${createHash("sha256")
    .update(JSON.stringify([table, cursor, key]))
    .digest("base64url")}`;
}

async function lastRow(context: FiringContext<RowsConfig>): Promise<Position | null> {
  const { table, cursor, key } = namesOf(context.config);
  const { rows } = await query(
    context,
    `select ${cursor}::text as "${CURSOR}", ${key}::text as "${KEY}" from ${table} t
     where ${cursor} is not null order by ${cursor} desc, ${key} desc limit 1`,
    [],
    1,
  );
  const [row] = rows;
  return row === undefined ? null : PositionSchema.parse({ cursor: row[CURSOR], key: row[KEY] });
}

async function rowsBehind(context: FiringContext<RowsConfig>, last: Position | null) {
  const { table, cursor, key } = namesOf(context.config);
  const isBehind = last === null ? `${cursor} is not null` : `(${cursor}, ${key}) > ($1, $2)`;
  const { rows, truncated } = await query(
    context,
    `select t.*, ${cursor}::text as "${CURSOR}", ${key}::text as "${KEY}" from ${table} t
     where ${isBehind} order by ${cursor}, ${key}`,
    last === null ? [] : [last.cursor, last.key],
    context.config.maxRows,
  );
  const found = rows.map(({ [CURSOR]: cursor, [KEY]: key, ...row }) => ({
    row,
    at: PositionSchema.parse({ cursor, key }),
  }));
  return { rows: found, truncated };
}

function query(
  { tenantId, services, signal }: FiringContext<RowsConfig>,
  text: string,
  params: Json[],
  maxRows: number,
): Promise<{ rows: JsonObject[]; truncated: boolean }> {
  return services.sql.query({ tenantId, query: text, params, maxRows, timeoutMs: TIMEOUT_MS, signal });
}

/** Quoted: they are names, whatever they are called. */
function namesOf({ table, cursor, key }: RowsConfig) {
  const column = (name: string) => `t."${name}"`;
  return {
    table: table
      .split(".")
      .map((name) => `"${name}"`)
      .join("."),
    cursor: column(cursor),
    key: column(key ?? cursor),
  };
}
