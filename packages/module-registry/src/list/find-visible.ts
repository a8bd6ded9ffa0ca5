import { type Principal, SHARED_TENANT } from "@oven/contract";
import type { Orm } from "@oven/db";
import { and, desc, eq, inArray, sql } from "@oven/db/drizzle";
import type { PgColumn, PgTable } from "@oven/db/pg-core";

type Visible = PgTable & { id: PgColumn; tenantId: PgColumn };
type SluggedTable = Visible & { slug: PgColumn };
type Found<Row = unknown> = { row: Row; xmin: string };
type Find = (values: { tenantId: number; key: number | string }) => Promise<Found[]>;

/** Building a statement takes longer than asking it: once for each table and connection, for as long as that lives. */
const built = new WeakMap<Orm, WeakMap<PgColumn, Find>>();

/** The row of this id that the principal may see: of its tenant, or shared. The tenant never comes from the client. */
export async function findVisible<T extends Visible>(
  orm: Orm,
  table: T,
  principal: Principal,
  id: number,
): Promise<T["$inferSelect"] | undefined> {
  const [found] = await rowsBy(orm, table, table.id)({ tenantId: principal.tenantId, key: id });
  return found?.row as T["$inferSelect"] | undefined; // cast: a row of this table
}

/** As `findVisible`, by slug: the tenant's own row comes before a shared one. */
export async function findVisibleBySlug<T extends SluggedTable>(
  orm: Orm,
  table: T,
  principal: Principal,
  slug: string,
): Promise<T["$inferSelect"][]> {
  return (await findWithVersion(orm, table, principal, slug)).map(({ row }) => row);
}

/** As the two above, with the row's `xmin`, which each change of the row replaces, so that cached values can be checked. */
export async function findWithVersion<T extends SluggedTable>(
  orm: Orm,
  table: T,
  { tenantId }: Principal,
  idOrSlug: number | string,
): Promise<Found<T["$inferSelect"]>[]> {
  const column = typeof idOrSlug === "number" ? table.id : table.slug;
  return (await rowsBy(orm, table, column)({ tenantId, key: idOrSlug })) as Found<T["$inferSelect"]>[]; // cast: as above
}

function rowsBy(orm: Orm, table: Visible, column: PgColumn): Find {
  const ofThis = built.get(orm) ?? new WeakMap<PgColumn, Find>();
  built.set(orm, ofThis);
  const find = ofThis.get(column) ?? build(orm, table, column);
  ofThis.set(column, find);
  return find;
}

function build(orm: Orm, table: Visible, column: PgColumn): Find {
  const visible = inArray(table.tenantId, [sql.placeholder("tenantId"), SHARED_TENANT]);
  const query = orm
    .select({ row: table as PgTable, xmin: sql<string>`${table}.xmin::text` }) // cast: its columns are not needed here
    .from(table as PgTable) // cast: as above
    .where(and(eq(column, sql.placeholder("key")), visible))
    .orderBy(desc(table.tenantId))
    .prepare(""); // whether it is worth a name, the connection decides
  return (values) => query.execute(values);
}
