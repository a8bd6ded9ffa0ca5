import { createHash } from "node:crypto";
import { type JsonObject, notFound } from "@oven/contract";
import type { DocumentChunk, DocumentType, KnowledgeDocument, RecognitionLanguage } from "@oven/contract/ai";
import type { Database, Queryable } from "@oven/db";
import { and, eq, sql } from "@oven/db/drizzle";
import { hashJson } from "@oven/engine";
import { aiDocumentContents, aiDocuments } from "../tables/ai-documents.table.ts";
import type { aiVectorItems } from "../tables/ai-vector-items.table.ts";
import type { StoreRow } from "../vector-stores/vector-store-rows.ts";
import { forgetRecognizedPages, newRecognition } from "./recognition/recognized-pages.ts";

export type DocumentRow = typeof aiDocuments.$inferSelect;

export interface NewDocument {
  key: string;
  title: string;
  mediaType: DocumentType;
  data: Uint8Array;
  /** As the Encoding Standard names it. */
  charset: string | null;
  metadata: JsonObject;
  /** Of pages without text; null: they are left as they are; undefined: as the document with the key has it. */
  recognition: readonly RecognitionLanguage[] | null | undefined;
  userId: number | null;
}

export function hashOf(data: Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

const QUEUED = { status: "queued" as const, done: 0, total: 0, attempts: 0, error: null, warnings: [] };
/** The worker that takes the earlier content in loses the lease. */
const NOBODYS = { leaseToken: null, leaseUntil: null, dueAt: sql`now()`, updatedAt: sql`now()` };

type Content = Pick<DocumentRow, "contentHash" | "title" | "mediaType" | "charset" | "metadata" | "recognition">;

/** One word for all that a document's items are made of. */
function versionOf({ contentHash, title, mediaType, charset, metadata, recognition }: Content): string {
  const version: JsonObject = { contentHash, title, mediaType, metadata };
  // Documents of before these could be asked for have their version still.
  if (charset !== null) version.charset = charset;
  if (recognition !== null) version.recognized = recognition.languages;
  return hashJson(version);
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
  return db.transaction(async (tx) => {
    await tx.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [`ai-document:${store.id}:${key}`]);
    const { vectorStoreId, key: keyColumn } = aiDocuments;
    const [known] = await tx.orm
      .select()
      .from(aiDocuments)
      .where(and(eq(vectorStoreId, store.id), eq(keyColumn, key)));
    const languages = document.recognition === undefined ? known?.recognition?.languages : document.recognition;
    const recognition = languages == null || mediaType !== "application/pdf" ? null : newRecognition(languages);
    const content = { title, mediaType, charset, metadata, recognition, userId, contentHash, bytes: data.byteLength };
    const unchanged = known !== undefined && versionOf(known) === versionOf(content) && known.status !== "failed";
    if (unchanged) return known;
    const [row] =
      known === undefined
        ? await tx.orm
            .insert(aiDocuments)
            .values({ ...content, ...QUEUED, key, tenantId: store.tenantId, vectorStoreId: store.id })
            .returning()
        : await tx.orm
            .update(aiDocuments)
            .set({ ...content, ...QUEUED, ...NOBODYS })
            .where(eq(aiDocuments.id, known.id))
            .returning();
    if (row === undefined) throw new Error("the document was not written");
    await forgetRecognizedPages(tx, row.id);
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
    .set({ ...QUEUED, dueAt: sql`now()`, updatedAt: sql`now()` })
    .where(and(eq(id, document.id), eq(tenantId, document.tenantId), eq(status, "failed")))
    .returning();
  return row ?? document;
}

/** Takes a document in anew, with its text recognized in the given languages, unless that is how it is. */
export async function recognizeDocument(
  db: Database,
  document: DocumentRow,
  languages: readonly RecognitionLanguage[],
): Promise<DocumentRow> {
  const { id, tenantId } = aiDocuments;
  const isAsked = hashJson(document.recognition?.languages ?? null) === hashJson([...languages]);
  if (isAsked) return requeueDocument(db, document);
  return db.transaction(async (tx) => {
    const [row] = await tx.orm
      .update(aiDocuments)
      .set({ recognition: newRecognition(languages), ...QUEUED, ...NOBODYS })
      .where(and(eq(id, document.id), eq(tenantId, document.tenantId)))
      .returning();
    if (row === undefined) throw notFound("Document", document.id);
    await forgetRecognizedPages(tx, row.id);
    return row;
  });
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
    recognition,
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
    recognition,
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
