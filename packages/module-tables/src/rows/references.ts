import { type JsonObject, OvenError } from "@oven/contract";
import type { Transaction } from "@oven/db";
import type { StoredColumn, StoredTable } from "../definitions/stored-column.ts";
import { keyOf } from "../values/row-keys.ts";

/** Rows that are referred to are there, and stay until the transaction ends. @throws OvenError REFERENCE_MISSING 422 */
export async function requireReferenced(
  tx: Transaction,
  { columns, tenantId }: StoredTable,
  made: readonly JsonObject[],
  pathOf: (index: number) => string,
): Promise<void> {
  for (const { key, name, references } of columns) {
    if (references === undefined) continue;
    const ids = [...new Set(made.flatMap((cells) => (typeof cells[key] === "number" ? [cells[key]] : [])))];
    if (ids.length === 0) continue;
    const found = await tx.query<{ id: number }>(
      `select id from user_table_rows where tenant_id = $1::int and table_id = $2::bigint and id = any($3::bigint[])
       order by id for key share`,
      [tenantId, references, ids],
    );
    const known = new Set(found.map(({ id }) => Number(id)));
    const missing = made.findIndex((cells) => typeof cells[key] === "number" && !known.has(cells[key]));
    if (missing === -1) continue;
    throw new OvenError(
      "REFERENCE_MISSING",
      `${name}: there is no row ${made[missing]?.[key]} in the table it refers to`,
      {
        status: 422,
        path: `${pathOf(missing)}.${name}`,
        fix: "Name the id of a row that is there.",
      },
    );
  }
}

/** No other row refers to rows that are to be deleted. @throws OvenError ROW_REFERENCED 409 */
export async function requireUnreferenced(
  tx: Transaction,
  table: Pick<StoredTable, "id" | "tenantId" | "slug">,
  ids: readonly number[],
): Promise<void> {
  for (const { id, slug, column } of await referringColumns(tx, table)) {
    const [row] = await tx.query<{ row_id: number; key: string }>(
      `select k.row_id, k.key from user_table_keys k
       where k.table_id = $1::bigint and k.kind = $2 and k.key = any($3::text[]) and k.is_unique = $4::boolean
         and not (k.table_id = $5::bigint and k.row_id = any($6::bigint[])) limit 1`,
      [id, column.key, ids.map((one) => keyOf([one])), column.unique, table.id, ids],
    );
    if (row === undefined) continue;
    throw new OvenError("ROW_REFERENCED", `Row ${row.row_id} of ${slug} refers to a row that is to be deleted`, {
      status: 409,
      fix: `Clear ${column.name} there, or delete that row first.`,
      details: { table: slug, column: column.name, row: Number(row.row_id) },
    });
  }
}

interface Referring {
  id: number;
  slug: string;
  column: StoredColumn;
}

/** Columns of the tenant's tables that refer to rows of this one. */
export async function referringColumns(
  tx: Transaction,
  { id, tenantId }: Pick<StoredTable, "id" | "tenantId">,
): Promise<Referring[]> {
  const tables = await tx.query<{ id: number; slug: string; columns: StoredColumn[] }>(
    `select id, slug, columns from user_tables where tenant_id = $1::int
       and columns @> jsonb_build_array(jsonb_build_object('references', $2::bigint))`,
    [tenantId, id],
  );
  return tables.flatMap((table) =>
    table.columns
      .filter(({ references }) => references === id)
      .map((column) => ({ id: Number(table.id), slug: table.slug, column })),
  );
}
