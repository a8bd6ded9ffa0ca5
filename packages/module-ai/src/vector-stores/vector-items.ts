import { createHash } from "node:crypto";
import { type JsonObject, OvenError } from "@oven/contract";
import type { VectorMatch } from "@oven/contract/ai";
import type { Database, Queryable, Row } from "@oven/db";
import type { Found } from "./search-items.ts";
import { languageOf } from "./search-items.ts";
import { SEARCH_VERSION, toSearchText } from "./search-text.ts";
import { toStored } from "./similarity.ts";
import type { StoreRow } from "./vector-store-rows.ts";

/** One text with its vector, ready to be written. */
export interface NewItem {
  key: string;
  text: string;
  metadata: JsonObject;
  embedding: readonly number[];
  /** Of a document: hidden until the whole document is taken in. */
  chunk?: { documentId: number; chunk: number; start: number; end: number; headings: readonly string[] };
}

/** A key for a text that was given none: the same text has the same one. */
export function keyOf(text: string): string {
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

/** @throws OvenError VECTOR_DIMENSIONS when a vector has not the length of the store's */
export function requireDimensions(store: StoreRow, embedding: readonly number[]): void {
  if (embedding.length === store.dimensions) return;
  throw new OvenError(
    "VECTOR_DIMENSIONS",
    `A vector of ${embedding.length} numbers does not fit ${store.slug}, which has ${store.dimensions}`,
    {
      status: 422,
      fix: `Compute it with ${store.embeddingModel}, or leave it out: the store computes it`,
    },
  );
}

/** Writes items; one with a known key replaces that one. */
export async function writeItems(on: Queryable, store: StoreRow, items: readonly NewItem[]): Promise<void> {
  const rows = new Map<string, object>();
  for (const { key, text, metadata, embedding, chunk } of items) {
    requireDimensions(store, embedding);
    // PostgreSQL keeps no NUL in text.
    const content = text.replaceAll("\u0000", "\ufffd").toWellFormed();
    const at = chunk && { document: chunk.documentId, chunk: chunk.chunk, first: chunk.start, last: chunk.end };
    rows.set(key, {
      key,
      content,
      search: toSearchText([...(chunk?.headings ?? []), content].join(" ")),
      metadata,
      embedding: toStored(embedding, store.metric),
      ...at,
      headings: chunk?.headings,
    });
  }
  await on.query(
    `insert into ai_vector_items (tenant_id, vector_store_id, key, content, metadata, embedding, search, search_version,
       document_id, chunk, start_offset, end_offset, headings, pending)
     select $1, $2, key, content, metadata, embedding,
       to_tsvector('${languageOf(store)}', search), ${SEARCH_VERSION},
       document, chunk, first, last, headings, document is not null
     from json_to_recordset($3::text::json) as item(key text, content text, search text, metadata jsonb, embedding real[],
       document bigint, chunk int, first int, last int, headings jsonb)
     on conflict (vector_store_id, key) do update set content = excluded.content, metadata = excluded.metadata,
       embedding = excluded.embedding, search = excluded.search, search_version = excluded.search_version, document_id = excluded.document_id, chunk = excluded.chunk,
       start_offset = excluded.start_offset, end_offset = excluded.end_offset, headings = excluded.headings,
       pending = excluded.pending, updated_at = now()`,
    [store.tenantId, store.id, JSON.stringify([...rows.values()])],
  );
}

type StoreId = Pick<StoreRow, "id" | "tenantId">;

export async function deleteItems(on: Queryable, store: StoreId, keys: readonly string[]): Promise<number> {
  const rows = await on.query(
    `delete from ai_vector_items where vector_store_id = $1 and tenant_id = $2
       and key in (select json_array_elements_text($3::text::json)) returning id`,
    [store.id, store.tenantId, JSON.stringify(keys)],
  );
  return rows.length;
}

/** Those of the keys that the store has. */
export async function existingKeys(on: Queryable, store: StoreId, keys: readonly string[]): Promise<Set<string>> {
  const rows = await on.query<{ key: string }>(
    `select key from ai_vector_items where vector_store_id = $1 and tenant_id = $2
       and key in (select json_array_elements_text($3::text::json))`,
    [store.id, store.tenantId, JSON.stringify(keys)],
  );
  return new Set(rows.map(({ key }) => key));
}

interface ItemRow extends Row {
  id: number;
  key: string;
  content: string;
  metadata: JsonObject;
  document_id: number | null;
  chunk: number | null;
  start_offset: number | null;
  end_offset: number | null;
  headings: string[] | null;
  title: string | null;
}

/** What was found with its texts, in the given order. */
export async function toMatches(db: Database, store: StoreRow, found: readonly Found[]): Promise<VectorMatch[]> {
  const rows = await db.query<ItemRow>(
    `select i.id, i.key, i.content, i.metadata, i.document_id, i.chunk, i.start_offset, i.end_offset, i.headings, d.title
     from ai_vector_items i left join ai_documents d on d.id = i.document_id
     where i.vector_store_id = $1 and i.id in (select value::bigint from json_array_elements_text($2::text::json))`,
    [store.id, JSON.stringify(found.map(({ id }) => id))],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return found.flatMap(({ id, score, similarity }) => {
    const row = byId.get(id);
    if (row === undefined) return [];
    const { key, content: text, metadata } = row;
    return [{ id, key, text, metadata, score, similarity, source: toSource(row) }];
  });
}

function toSource(row: ItemRow): VectorMatch["source"] {
  if (row.document_id === null) return null;
  return {
    documentId: row.document_id,
    title: row.title ?? "",
    chunk: row.chunk ?? 0,
    start: row.start_offset ?? 0,
    end: row.end_offset ?? 0,
    headings: row.headings ?? [],
  };
}
