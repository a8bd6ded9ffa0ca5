import {
  type CreateVectorStore,
  notFound,
  OvenError,
  toSlug,
  type UpdateVectorStore,
  type VectorStore,
} from "@oven/contract";
import type { Database } from "@oven/db";
import { and, eq, sql } from "drizzle-orm";
import { aiVectorStores } from "../tables/ai-vector-stores.table.ts";

export type StoreRow = typeof aiVectorStores.$inferSelect;

/** @throws OvenError NOT_FOUND also for another tenant's store */
export async function findStore(
  db: Pick<Database, "orm">,
  tenantId: number,
  idOrSlug: number | string,
): Promise<StoreRow> {
  const row = await findStoreIfAny(db, tenantId, idOrSlug);
  if (row === undefined) throw notFound("Vector store", idOrSlug);
  return row;
}

export async function findStoreIfAny(
  db: Pick<Database, "orm">,
  tenantId: number,
  idOrSlug: number | string,
): Promise<StoreRow | undefined> {
  const { id, slug } = aiVectorStores;
  const named = /^\d{1,15}$/.test(String(idOrSlug)) ? eq(id, Number(idOrSlug)) : eq(slug, String(idOrSlug));
  const [row] = await db.orm
    .select()
    .from(aiVectorStores)
    .where(and(named, eq(aiVectorStores.tenantId, tenantId)));
  return row;
}

type NewStore = Required<Pick<CreateVectorStore, "name" | "metric" | "language">> &
  Pick<CreateVectorStore, "slug" | "description"> & { embeddingModel: string; dimensions: number };

/** @throws OvenError SLUG_TAKEN */
export async function insertStore(db: Database, tenantId: number, store: NewStore): Promise<StoreRow> {
  const slug = store.slug ?? toSlug(store.name);
  const [row] = await db.orm
    .insert(aiVectorStores)
    .values({ ...store, slug, description: store.description ?? null, tenantId })
    .onConflictDoNothing({ target: [aiVectorStores.tenantId, aiVectorStores.slug] })
    .returning();
  if (row !== undefined) return row;
  throw new OvenError("SLUG_TAKEN", `There is already a vector store with the slug ${slug}`, {
    status: 409,
    path: "$.slug",
    fix: "Choose another slug.",
  });
}

export async function updateStore(
  db: Database,
  { id, tenantId }: StoreRow,
  { name, description }: UpdateVectorStore,
): Promise<StoreRow> {
  const [row] = await db.orm
    .update(aiVectorStores)
    .set({
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      updatedAt: sql`now()`,
    })
    .where(and(eq(aiVectorStores.id, id), eq(aiVectorStores.tenantId, tenantId)))
    .returning();
  if (row === undefined) throw notFound("Vector store", id);
  return row;
}

interface Counts extends Record<string, unknown> {
  id: number;
  items: number;
  documents: number;
}

/** Rows as the API shows them, with what they hold. */
export async function toVectorStores(
  db: Database,
  rows: readonly StoreRow[],
  indexed: ReadonlySet<number>,
): Promise<VectorStore[]> {
  if (rows.length === 0) return [];
  const counts = await db.query<Counts>(
    `select s.id,
       (select count(*) from ai_vector_items i where i.vector_store_id = s.id and not i.pending)::int as items,
       (select count(*) from ai_documents d where d.vector_store_id = s.id)::int as documents
     from ai_vector_stores s where s.id in (select value::bigint from json_array_elements_text($1::text::json))`,
    [JSON.stringify(rows.map(({ id }) => id))],
  );
  const byId = new Map(counts.map((count) => [count.id, count]));
  return rows.map((row) => ({
    ...row,
    items: byId.get(row.id)?.items ?? 0,
    documents: byId.get(row.id)?.documents ?? 0,
    search: indexed.has(row.id) ? "hnsw" : "exact",
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }));
}
