import type { Database } from "@oven/db";
import { MAX_INDEXED_DIMENSIONS, operatorClass, toInteger, vectorExpression } from "./similarity.ts";
import type { StoreRow } from "./vector-store-rows.ts";

const PREFIX = "ai_vector_items_hnsw_";
/** Below that comparing every vector is about as fast, and exact. */
const INDEX_FROM_ITEMS = 2_000;

/** Stores that have a finished HNSW index. */
export async function indexedStores(db: Database): Promise<Set<number>> {
  const rows = await db.query<{ name: string }>(
    `select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = 'ai_vector_items'::regclass and i.indisvalid and c.relname like '${PREFIX.replaceAll("_", "\\_")}%'`,
  );
  return new Set(rows.map(({ name }) => Number(name.slice(PREFIX.length))));
}

/**
 * Gives a store that has become large an index of its own: a partial one, so that a search visits no item of another
 * store. Writers go on meanwhile.
 */
export async function indexIfLarge(db: Database, store: StoreRow, from = INDEX_FROM_ITEMS): Promise<boolean> {
  if (store.dimensions > MAX_INDEXED_DIMENSIONS) return false;
  const [row] = await db.query<{ items: number }>(
    "select count(*)::int as items from (select 1 from ai_vector_items where vector_store_id = $1 limit $2) as counted",
    [store.id, from],
  );
  if ((row?.items ?? 0) < from || (await indexedStores(db)).has(store.id)) return false;
  // The embedded database has one connection, so nobody writes meanwhile anyway.
  const concurrently = db.dialect === "postgres" ? "concurrently" : "";
  await db.query(
    `create index ${concurrently} if not exists ${PREFIX}${toInteger(store.id)} on ai_vector_items
     using hnsw (${vectorExpression(store.dimensions)} ${operatorClass(store.metric)}) where vector_store_id = ${toInteger(store.id)}`,
  );
  return true;
}

export async function dropIndex(db: Database, storeId: number): Promise<void> {
  await db.query(`drop index if exists ${PREFIX}${toInteger(storeId)}`);
}
