import type { Json, Principal } from "@oven/contract";
import { type Database, withinTenant } from "@oven/db";
import Papa from "papaparse";
import type { StoredTable } from "../definitions/stored-column.ts";
import { readRows } from "../rows/row-reader.ts";
import { toValues } from "../rows/row-shape.ts";

const BATCH = 1_000;
/** What a text begins with that a spreadsheet takes for a formula gets an apostrophe before it. */
const OPTIONS = { escapeFormulae: true, newline: "\r\n" };

/** All rows as CSV (RFC 4180), some at a time: a large table is never in memory at once. */
export async function* exportRows(db: Database, principal: Principal, table: StoredTable): AsyncGenerator<string> {
  const names = table.columns.map(({ name }) => name);
  yield `\uFEFF${Papa.unparse([names], OPTIONS)}\r\n`;
  for (let after = 0; ; ) {
    const query = { where: { id: { gt: after } }, limit: BATCH };
    // A stream is read when its request has been answered, outside of the tenant.
    const rows = await withinTenant(principal.tenantId, () => readRows(db, table, query));
    if (rows.length === 0) return;
    const lines = rows.map(({ cells }) => {
      const values = toValues(table, cells);
      return names.map((name) => toText(values[name] ?? null));
    });
    yield `${Papa.unparse(lines, OPTIONS)}\r\n`;
    if (rows.length < BATCH) return;
    after = Number(rows.at(-1)?.id);
  }
}

function toText(value: Json): Json {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
}
