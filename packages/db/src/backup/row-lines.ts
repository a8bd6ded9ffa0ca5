import { createHash } from "node:crypto";
import type { Queryable } from "../database.ts";
import { quoted, type Table } from "./catalogue.ts";

/** What one fetch should bring, in characters, and how many rows it takes at most. */
const FETCH_CHARACTERS = 1_048_576;
const FETCH_ROWS = 200;
/** Rows with bytes, such as pictures, can be some megabytes each. */
const FETCH_ROWS_WITH_BYTES = 4;

/** Texts that do not depend on settings of the server, no filter of rows that goes unseen, and no time limit. */
const SETTINGS = [
  "timezone = 'UTC'",
  "datestyle = 'ISO, YMD'",
  "intervalstyle = 'postgres'",
  "extra_float_digits = 1",
  "row_security = off",
  "statement_timeout = 0",
  "idle_in_transaction_session_timeout = 0",
];

/** To be called in a transaction, before `rowLines`. */
export async function fixTexts(tx: Queryable): Promise<void> {
  for (const setting of SETTINGS) await tx.query(`set local ${setting}`);
}

/**
 * The rows of a table in the order of its key, each a JSON array of texts. The same rows give the same lines on every database.
 * @param tx a transaction after `fixTexts`
 */
export async function* rowLines(tx: Queryable, { name, columns, key }: Table): AsyncGenerator<string[]> {
  const texts = columns.map((column) => toText(column.name, column.type));
  const order = key.map((column) => `${quoted(column.name)}${column.isText ? ' collate "C"' : ""}`);
  await tx.query(
    `declare oven_rows no scroll cursor for
     select array_to_json(array[${texts.join(", ")}]::text[])::text as line from ${quoted(name)} order by ${order.join(", ")}`,
  );
  const most = columns.some(({ type }) => type === "bytea") ? FETCH_ROWS_WITH_BYTES : FETCH_ROWS;
  let count = 1;
  for (;;) {
    const rows = await tx.query<{ line: string }>(`fetch forward ${count} from oven_rows`);
    if (rows.length === 0) break;
    const lines = rows.map(({ line }) => line);
    yield lines;
    const characters = lines.reduce((sum, line) => sum + line.length, 1);
    const fitting = Math.floor((FETCH_CHARACTERS * rows.length) / characters);
    count = Math.max(1, Math.min(most, 2 * count, fitting));
  }
  await tx.query("close oven_rows");
}

/** The digest of a table's rows, as in a backup. */
export async function digestTable(tx: Queryable, table: Table): Promise<{ rows: number; sha256: string }> {
  const hash = createHash("sha256");
  let rows = 0;
  for await (const lines of rowLines(tx, table)) {
    rows += lines.length;
    hash.update(`${lines.join("\n")}\n`);
  }
  return { rows, sha256: hash.digest("hex") };
}

/** The value that a text of a row stands for; `text` is an SQL expression. */
export function toValue(text: string, type: string): string {
  return type === "bytea" ? `decode(${text}, 'base64')` : `(${text})::${type}`;
}

function toText(name: string, type: string): string {
  return type === "bytea" ? `translate(encode(${quoted(name)}, 'base64'), E'\\n', '')` : `${quoted(name)}::text`;
}
