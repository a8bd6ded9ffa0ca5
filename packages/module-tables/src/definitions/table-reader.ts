import { notFound, type Principal } from "@oven/contract";
import type { Database, Queryable, Transaction } from "@oven/db";
import { and, eq } from "@oven/db/drizzle";
import { userTables } from "../schema.ts";
import type { StoredTable } from "./stored-column.ts";

interface Row extends Record<string, unknown> {
  id: number;
  tenant_id: number;
  slug: string;
  name: string;
  description: string | null;
  columns: StoredTable["columns"];
  unique_groups: string[][];
  next_key: number;
  version: number;
  created_at: Date;
  updated_at: Date;
}

/** Tables as they are stored, by id or slug. */
export class TableReader {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** @throws OvenError NOT_FOUND, also for tables of other tenants */
  async get(principal: Pick<Principal, "tenantId">, idOrSlug: string): Promise<StoredTable> {
    const [row] = await this.#db.orm
      .select()
      .from(userTables)
      .where(
        and(
          eq(userTables.tenantId, principal.tenantId),
          isId(idOrSlug) ? eq(userTables.id, Number(idOrSlug)) : eq(userTables.slug, idOrSlug),
        ),
      );
    if (row === undefined) throw notFound("table", idOrSlug);
    return row;
  }

  /**
   * The same, locked until the transaction ends.
   * @param strength `share`: its columns do not change; `update`: none of its rows is written meanwhile either
   * @throws OvenError NOT_FOUND
   */
  async lock(
    tx: Transaction,
    principal: Pick<Principal, "tenantId">,
    idOrSlug: string,
    strength: "share" | "update",
  ): Promise<StoredTable> {
    const [row] = await tx.query<Row>(
      `select * from user_tables where tenant_id = $1::int and ${isId(idOrSlug) ? "id = $2::bigint" : "slug = $2"} for ${strength}`,
      [principal.tenantId, isId(idOrSlug) ? Number(idOrSlug) : idOrSlug],
    );
    if (row === undefined) throw notFound("table", idOrSlug);
    return {
      id: Number(row.id),
      tenantId: row.tenant_id,
      slug: row.slug,
      name: row.name,
      description: row.description,
      columns: row.columns,
      uniqueGroups: row.unique_groups,
      nextKey: row.next_key,
      version: row.version,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    };
  }

  /** Slugs of all tables of a tenant, by id. */
  async slugs(db: Queryable, tenantId: number): Promise<ReadonlyMap<number, string>> {
    const rows = await db.query<{ id: number; slug: string }>(
      "select id, slug from user_tables where tenant_id = $1::int",
      [tenantId],
    );
    return new Map(rows.map(({ id, slug }) => [Number(id), slug]));
  }
}

function isId(idOrSlug: string): boolean {
  return /^\d{1,15}$/.test(idOrSlug);
}
