import { notFound, OvenError, toSlug } from "@oven/contract";
import type { CreateVectorStore, UpdateVectorStore, VectorStore } from "@oven/contract/ai";
import type { Database } from "@oven/db";
import { and, eq, sql } from "@oven/db/drizzle";
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
  open: number;
  failed: number;
  bytes: number;
  changed: Date | null;
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
       greatest(d.changed, (select max(i.updated_at) from ai_vector_items i where i.vector_store_id = s.id)) as changed,
       d.documents, d.open, d.failed, d.bytes
     from ai_vector_stores s cross join lateral (
       select count(*)::int as documents, count(*) filter (where status in ('queued', 'running'))::int as open,
         count(*) filter (where status = 'failed')::int as failed, coalesce(sum(bytes), 0)::float8 as bytes,
         max(updated_at) as changed
       from ai_documents where vector_store_id = s.id) d
     where s.id in (select value::bigint from json_array_elements_text($1::text::json))`,
    [JSON.stringify(rows.map(({ id }) => id))],
  );
  const byId = new Map(counts.map((count) => [count.id, count]));
  return rows.map((row) => {
    const { items = 0, documents = 0, open = 0, failed = 0, bytes = 0, changed = null } = byId.get(row.id) ?? {};
    return {
      ...row,
      items,
      documents,
      documentsOpen: open,
      documentsFailed: failed,
      bytes,
      changedAt: new Date(
        Math.max(row.updatedAt.getTime(), changed === null ? 0 : new Date(changed).getTime()),
      ).toISOString(),
      search: indexed.has(row.id) ? "hnsw" : "exact",
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
    };
  });
}
