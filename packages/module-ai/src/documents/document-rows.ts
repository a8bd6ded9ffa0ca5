import { createHash } from "node:crypto";
import { type JsonObject, notFound } from "@oven/contract";
import type { DocumentChunk, DocumentType, KnowledgeDocument } from "@oven/contract/ai";
import type { Database, Queryable } from "@oven/db";
import { and, eq, sql } from "@oven/db/drizzle";
import { hashJson } from "@oven/engine";
import { aiDocumentContents, aiDocuments } from "../tables/ai-documents.table.ts";
import type { aiVectorItems } from "../tables/ai-vector-items.table.ts";
import type { StoreRow } from "../vector-stores/vector-store-rows.ts";

export type DocumentRow = typeof aiDocuments.$inferSelect;

export interface NewDocument {
  key: string;
  title: string;
  mediaType: DocumentType;
  data: Uint8Array;
  /** As the Encoding Standard names it. */
  charset: string | null;
  metadata: JsonObject;
  userId: number | null;
}

export function hashOf(data: Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

type Content = Pick<DocumentRow, "contentHash" | "title" | "mediaType" | "charset" | "metadata">;

/** One word for all that a document's items are made of. */
function versionOf({ contentHash, title, mediaType, charset, metadata }: Content): string {
  return hashJson({ contentHash, title, mediaType, metadata, ...(charset === null ? {} : { charset }) });
}

/** How the items of this very content are named: those of earlier content have other names. */
export function itemPrefix(row: Content & Pick<DocumentRow, "id">): string {
  return `document-${row.id}-${versionOf(row).slice(0, 16)}-`;
}

/** @throws OvenError NOT_FOUND also for a document of another store or tenant */
export async function findDocument(db: Database, store: StoreRow, id: number): Promise<DocumentRow> {
  const { id: documentId, vectorStoreId, tenantId } = aiDocuments;
  const [row] = await db.orm
    .select()
    .from(aiDocuments)
    .where(and(eq(documentId, id), eq(vectorStoreId, store.id), eq(tenantId, store.tenantId)));
  if (row === undefined) throw notFound("Document", id);
  return row;
}

/**
 * Writes a document to be taken in. The same key with the same content is the document as it is, unless it failed; with
 * other content it is taken in anew, and what was there is found until then.
 */
export async function putDocument(db: Database, store: StoreRow, document: NewDocument): Promise<DocumentRow> {
  const { key, title, mediaType, data, charset, metadata, userId } = document;
  const contentHash = hashOf(data);
  const content = { title, mediaType, charset, metadata, userId, contentHash, bytes: data.byteLength };
  const queued = { status: "queued" as const, done: 0, total: 0, attempts: 0, error: null, warnings: [] };
  return db.transaction(async (tx) => {
    await tx.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [`ai-document:${store.id}:${key}`]);
    const { vectorStoreId, key: keyColumn } = aiDocuments;
    const [known] = await tx.orm
      .select()
      .from(aiDocuments)
      .where(and(eq(vectorStoreId, store.id), eq(keyColumn, key)));
    const unchanged = known !== undefined && versionOf(known) === versionOf(content) && known.status !== "failed";
    if (unchanged) return known;
    const lease = { leaseToken: null, leaseUntil: null, dueAt: sql`now()`, updatedAt: sql`now()` };
    const [row] =
      known === undefined
        ? await tx.orm
            .insert(aiDocuments)
            .values({ ...content, ...queued, key, tenantId: store.tenantId, vectorStoreId: store.id })
            .returning()
        : await tx.orm
            .update(aiDocuments)
            .set({ ...content, ...queued, ...lease })
            .where(eq(aiDocuments.id, known.id))
            .returning();
    if (row === undefined) throw new Error("the document was not written");
    await tx.orm
      .insert(aiDocumentContents)
      .values({ documentId: row.id, tenantId: store.tenantId, data })
      .onConflictDoUpdate({ target: aiDocumentContents.documentId, set: { data, text: null } });
    return row;
  });
}

/** What of it was embedded before it failed is gone; the file is not. One that did not fail stays as it is. */
export async function requeueDocument(db: Database, document: DocumentRow): Promise<DocumentRow> {
  const { id, tenantId, status } = aiDocuments;
  const [row] = await db.orm
    .update(aiDocuments)
    .set({
      status: "queued",
      done: 0,
      total: 0,
      attempts: 0,
      error: null,
      warnings: [],
      dueAt: sql`now()`,
      updatedAt: sql`now()`,
    })
    .where(and(eq(id, document.id), eq(tenantId, document.tenantId), eq(status, "failed")))
    .returning();
  return row ?? document;
}

export async function deleteDocument(on: Queryable, { id, tenantId }: Pick<DocumentRow, "id" | "tenantId">) {
  await on.query("delete from ai_documents where id = $1 and tenant_id = $2", [id, tenantId]);
}

export function toDocument(row: DocumentRow): KnowledgeDocument {
  const {
    id,
    tenantId,
    vectorStoreId,
    key,
    title,
    mediaType,
    bytes,
    contentHash,
    metadata,
    status,
    error,
    warnings,
    charset,
    chunks,
  } = row;
  return {
    id,
    tenantId,
    vectorStoreId,
    key,
    title,
    mediaType,
    bytes,
    contentHash,
    metadata,
    status,
    progress: { done: row.done, total: row.total },
    error,
    warnings,
    charset,
    chunks,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function toChunk(row: Omit<typeof aiVectorItems.$inferSelect, "embedding" | "search">): DocumentChunk {
  const { id, chunk, content, startOffset, endOffset, headings, metadata } = row;
  return {
    id,
    chunk: chunk ?? 0,
    text: content,
    start: startOffset ?? 0,
    end: endOffset ?? 0,
    headings: headings ?? [],
    metadata,
  };
}
