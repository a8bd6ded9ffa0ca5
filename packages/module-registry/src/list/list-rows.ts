import { type ListParams, type Principal, SHARED_TENANT } from "@oven/contract";
import type { Orm } from "@oven/db";
import {
  and,
  arrayContains,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  gt,
  gte,
  ilike,
  inArray,
  isNull,
  lt,
  lte,
  or,
  type SQL,
  sql,
} from "@oven/db/drizzle";
import type { PgColumn, PgTable } from "@oven/db/pg-core";
import { invalid } from "./list-query.ts";

export interface Listing<Table extends PgTable> {
  table: Table;
  /** What may be filtered and sorted by, and its column; any other key is refused. */
  fields: Record<string, PgColumn>;
  /** Columns that `filter.q` looks into. */
  search?: PgColumn[];
  tenant: PgColumn;
  /** What to read; absent: every column. */
  columns?: Partial<Table["_"]["columns"]>;
  where?: SQL;
  /** Whether `where` is in no index: the rows are read once then, for the page and the total together. */
  readsAll?: boolean;
}

/** Rows of the principal's tenant and shared ones. The tenant never comes from the client. */
export function visibleTo(principal: Principal, tenant: PgColumn): SQL {
  return inArray(tenant, [principal.tenantId, SHARED_TENANT]);
}

/** Rows whose JSON has one of the words as a whole text, as a value or as a key. */
export function saysOneOf(column: PgColumn, words: readonly string[]): SQL | undefined {
  return or(...words.map((word) => sql`position(${JSON.stringify(word)} in ${column}::text) > 0`));
}

/**
 * One page of a table and the number of rows that match. Filter values: a scalar (equal), null, or a list (any of; where the
 * column holds a list itself: all of);
 * `<key>_gte`, `_gt`, `_lte` and `_lt` bound numbers and instants.
 * @throws OvenError INVALID_LIST_QUERY for keys outside the allow list
 */
export async function listRows<Table extends PgTable>(
  orm: Orm,
  principal: Principal,
  params: ListParams,
  listing: Listing<Table>,
): Promise<{ rows: Table["$inferSelect"][]; total: number }> {
  const where = and(visibleTo(principal, listing.tenant), listing.where, ...toConditions(params.filter, listing));
  const sortColumn = Object.hasOwn(listing.fields, params.sort.field) ? listing.fields[params.sort.field] : undefined;
  if (sortColumn === undefined)
    throw invalid("sort", `does not know \`${params.sort.field}\`; known: ${Object.keys(listing.fields).join(", ")}`);
  const direction = params.sort.order === "ASC" ? asc : desc;
  const id = listing.fields.id;
  const order = [direction(sortColumn), ...(id === undefined || id === sortColumn ? [] : [direction(id)])];
  const page = { where, order, limit: params.range.last - params.range.first + 1, offset: params.range.first };
  const columns = (listing.columns ?? getTableColumns(listing.table)) as Record<string, PgColumn>; // cast: as below
  if (listing.readsAll === true && id !== undefined)
    return readOnce(orm, { ...page, table: listing.table, columns, id });
  const rows = await orm
    .select(columns)
    .from(listing.table as PgTable) // cast: drizzle's select types do not follow a generic table
    .where(where)
    .orderBy(...order)
    .limit(page.limit)
    .offset(page.offset);
  return { rows: rows as Table["$inferSelect"][], total: await countRows(orm, listing.table, where) }; // cast: as above
}

async function countRows(orm: Orm, table: PgTable, where: SQL | undefined): Promise<number> {
  const [counted] = await orm.select({ total: count() }).from(table).where(where);
  return Number(counted?.total ?? 0);
}

interface Page<Table extends PgTable> {
  table: Table;
  columns: Record<string, PgColumn>;
  id: PgColumn;
  where: SQL | undefined;
  order: SQL[];
  limit: number;
  offset: number;
}

/** The page's ids with the total, then the rows of those alone: what is counted over is narrow. */
async function readOnce<Table extends PgTable>(
  orm: Orm,
  { table, columns, id, where, order, limit, offset }: Page<Table>,
): Promise<{ rows: Table["$inferSelect"][]; total: number }> {
  const found = await orm
    .select({ id, total: sql<number>`count(*) over ()`.mapWith(Number) })
    .from(table as PgTable) // cast: drizzle's select types do not follow a generic table
    .where(where)
    .orderBy(...order)
    .limit(limit)
    .offset(offset);
  const [first] = found;
  if (first === undefined) return { rows: [], total: offset === 0 ? 0 : await countRows(orm, table, where) };
  const ids = found.map((row) => row.id);
  const rows = await orm
    .select(columns)
    .from(table as PgTable) // cast: as above
    .where(inArray(id, ids))
    .orderBy(...order);
  return { rows: rows as Table["$inferSelect"][], total: first.total };
}

function toConditions(
  filter: Record<string, unknown>,
  { fields, search }: Pick<Listing<PgTable>, "fields" | "search">,
): SQL[] {
  return Object.entries(filter).map(([key, value]) => {
    if (key === "q") return searchCondition(value, search ?? []);
    const column = Object.hasOwn(fields, key) ? fields[key] : undefined;
    const bound = column === undefined ? toBound(key, value, fields) : undefined;
    if (bound !== undefined) return bound;
    if (column === undefined)
      throw invalid("filter", `does not know \`${key}\`; known: ${["q", ...Object.keys(fields)].join(", ")}`);
    if (column.dataType === "array") return arrayContains(column, toTexts(key, value));
    if (value === null) return isNull(column);
    if (Array.isArray(value))
      return inArray(
        column,
        value.map((entry) => toColumnValue(key, entry, column)),
      );
    return eq(column, toColumnValue(key, value, column));
  });
}

const BOUNDS = { gte, gt, lte, lt };

/** `createdAt_gte`: from then on. Undefined where the key is no bound of a number or an instant. */
function toBound(key: string, value: unknown, fields: Listing<PgTable>["fields"]): SQL | undefined {
  const [, name = "", operator = ""] = /^(.+)_(gte|gt|lte|lt)$/.exec(key) ?? [];
  const column = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (column === undefined || !["number", "date"].includes(column.dataType)) return undefined;
  // cast: the expression above lets nothing else through
  return BOUNDS[operator as keyof typeof BOUNDS](column, toColumnValue(key, value, column));
}

/** A filter value as the column takes it: the database's own complaint would tell nothing of the filter. */
function toColumnValue(key: string, value: unknown, { dataType }: PgColumn): string | number | boolean | Date {
  switch (dataType) {
    case "number": {
      const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
      if (typeof number === "number" && Number.isFinite(number)) return number;
      throw invalid("filter", `takes numbers for \`${key}\``);
    }
    case "boolean":
      if (typeof value === "boolean") return value;
      throw invalid("filter", `takes true or false for \`${key}\``);
    case "date": {
      const date = typeof value === "string" ? new Date(value) : undefined;
      if (date !== undefined && !Number.isNaN(date.getTime())) return date;
      throw invalid("filter", `takes instants such as 2026-01-31T12:00:00Z for \`${key}\``);
    }
    default:
      if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return String(value);
      throw invalid("filter", `takes text, numbers, booleans or lists of them for \`${key}\``);
  }
}

function toTexts(key: string, value: unknown): string[] {
  const texts = Array.isArray(value) ? value : [value];
  if (texts.every((text) => typeof text === "string")) return texts;
  throw invalid("filter", `takes text or a list of it for \`${key}\``);
}

function searchCondition(value: unknown, columns: readonly PgColumn[]): SQL {
  if (typeof value !== "string") throw invalid("filter", "takes text for `q`");
  const pattern = `%${value.replace(/[\\%_]/g, "\\$&")}%`;
  const condition = or(...columns.map((column) => ilike(column, pattern)));
  if (condition === undefined) throw invalid("filter", "does not know `q` here");
  return condition;
}
