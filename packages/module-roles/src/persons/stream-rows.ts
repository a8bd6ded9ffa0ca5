import type { Queryable } from "@oven/db";

const PAGE = 200;

export interface RowSource {
  /** SQL names, as the code or the catalogue has them; never from a request. */
  table: string;
  columns: readonly string[];
  /** What comes after `from table r`, up to and with the condition. */
  condition: string;
  parameters: readonly unknown[];
}

/**
 * Rows of a table as an array of JSON objects, page by page: `[`, the rows with commas, `]`. Values are as the database writes them,
 * so no number is rounded. Rows that change meanwhile may be missing or come twice.
 */
export async function* streamRows(db: Queryable, source: RowSource): AsyncGenerator<string, void> {
  const { table, columns, condition, parameters } = source;
  const shown = columns.map((column) => `r."${column}"`).join(", ");
  const after = `$${parameters.length + 1}`;
  let at = "(0,0)";
  yield "[";
  for (let isFirst = true; ; ) {
    const rows = await db.query<{ at: string; row: string }>(
      `select r.ctid::text as at, (select row_to_json(x) from (select ${shown}) x)::text as row
       from ${table} r${condition} and r.ctid > ${after}::tid order by r.ctid limit ${PAGE}`,
      [...parameters, at],
    );
    for (const { row } of rows) {
      yield isFirst ? row : `,${row}`;
      isFirst = false;
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) break;
    at = last.at;
  }
  yield "]";
}

/** A document that is written piece by piece, to be saved as a file. */
export function toDownload(pieces: AsyncIterable<string>, name: string): Response {
  return new Response(ReadableStream.from(pieces).pipeThrough(new TextEncoderStream()), {
    headers: {
      "content-type": "application/json; charset=utf-8",
      "content-disposition": `attachment; filename="${name}"`,
      "cache-control": "no-store",
    },
  });
}
