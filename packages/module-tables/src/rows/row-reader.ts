import type { TableFilter } from "@oven/contract/table";
import type { Queryable } from "@oven/db";
import type { StoredTable } from "../definitions/stored-column.ts";
import { toConditions, toOrder, toSearch } from "../values/filter-sql.ts";
import { SqlValues } from "../values/sql-values.ts";
import { ROW_COLUMNS, type StoredRow } from "./row-shape.ts";

/** Which rows, and in which order. */
export interface RowQuery {
  where: TableFilter;
  /** A second filter that must hold as well, such as that of a tool. */
  within?: TableFilter | undefined;
  q?: string | undefined;
  sort?: { field: string; order: "ASC" | "DESC" } | undefined;
  limit: number;
  offset?: number;
  /** Locks what is found until the transaction ends. */
  lock?: boolean;
}

/** @throws OvenError TABLE_FILTER_INVALID */
export async function readRows(db: Queryable, table: StoredTable, query: RowQuery): Promise<StoredRow[]> {
  const values = new SqlValues();
  const where = whereOf(table, query, values);
  const { field, order } = query.sort ?? { field: "id", order: "ASC" };
  return db.query<StoredRow>(
    `select ${ROW_COLUMNS} from user_table_rows r where ${where} order by ${toOrder(table, field, order)}
     limit ${values.add(query.limit)}::int offset ${values.add(query.offset ?? 0)}::int${query.lock === true ? " for update" : ""}`,
    values.params,
  );
}

/** @throws OvenError TABLE_FILTER_INVALID */
export async function countRows(
  db: Queryable,
  table: StoredTable,
  query: Pick<RowQuery, "where" | "within" | "q">,
): Promise<number> {
  if (Object.keys(query.where).length === 0 && query.within === undefined && query.q === undefined) {
    const [size] = await db.query<{ rows: number }>("select rows from user_table_sizes where table_id = $1::bigint", [
      table.id,
    ]);
    return Number(size?.rows ?? 0);
  }
  const values = new SqlValues();
  const [counted] = await db.query<{ total: number }>(
    `select count(*)::int as total from user_table_rows r where ${whereOf(table, query, values)}`,
    values.params,
  );
  return counted?.total ?? 0;
}

function whereOf(
  table: StoredTable,
  { where, within, q }: Pick<RowQuery, "where" | "within" | "q">,
  values: SqlValues,
): string {
  return [
    `r.tenant_id = ${values.add(table.tenantId)}::int`,
    `r.table_id = ${values.add(table.id)}::bigint`,
    ...toConditions(table, where, values),
    ...(within === undefined ? [] : toConditions(table, within, values)),
    ...(q === undefined ? [] : [toSearch(table, q, values)]),
  ].join(" and ");
}
