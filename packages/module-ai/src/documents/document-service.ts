import { type JsonObject, type ListParams, OvenError, type Principal } from "@oven/contract";
import type { DocumentChunk, DocumentType, KnowledgeDocument, RecognitionLanguage } from "@oven/contract/ai";
import { decodeText } from "@oven/contract/text";
import type { Database } from "@oven/db";
import { and, eq, getTableColumns, sql } from "@oven/db/drizzle";
import { listRows } from "@oven/module-registry";
import { aiDocumentContents, aiDocuments } from "../tables/ai-documents.table.ts";
import { aiVectorItems } from "../tables/ai-vector-items.table.ts";
import { findStore } from "../vector-stores/vector-store-rows.ts";
import {
  deleteDocument,
  findDocument,
  hashOf,
  putDocument,
  recognizeDocument,
  requeueDocument,
  toChunk,
  toDocument,
} from "./document-rows.ts";
import { requireDocumentSize } from "./document-size.ts";
import { extractFile, type FileText, type GivenDocument } from "./extract-file.ts";
import { Lane } from "./lane.ts";

export interface AddedDocument {
  /** Absent: the content's hash, so that the same content is one document. */
  key?: string | undefined;
  title: string;
  mediaType: DocumentType;
  data: Uint8Array;
  /** A label of what its text is in; absent: what the file itself says, else UTF-8. */
  charset?: string | undefined;
  metadata: JsonObject;
  /** Languages that pages of a PDF without text are recognized in. Null: they are left as they are; absent: as the document with the key has it. */
  recognition?: readonly RecognitionLanguage[] | null | undefined;
}

/** Documents of a vector store: they are added at once, and searchable when their status is `ready`. */
export interface DocumentService {
  list(
    principal: Principal,
    store: number | string,
    params: ListParams,
  ): Promise<{ documents: KnowledgeDocument[]; total: number }>;
  get(tenantId: number, store: number | string, id: number): Promise<KnowledgeDocument>;
  /** The text that citations count in; null until it is known. */
  text(tenantId: number, store: number | string, id: number): Promise<string | null>;
  /** @throws OvenError DOCUMENT_TOO_LARGE, NOT_FOUND for an unknown store */
  add(principal: Principal, store: number | string, document: AddedDocument): Promise<KnowledgeDocument>;
  /** The passages it is found by, in order; of new content that is not ready the previous ones. */
  chunks(
    principal: Principal,
    store: number | string,
    id: number,
    params: ListParams,
  ): Promise<{ chunks: DocumentChunk[]; total: number }>;
  /** Takes one that failed in once more; any other stays as it is. @throws OvenError NOT_FOUND */
  retry(tenantId: number, store: number | string, id: number): Promise<KnowledgeDocument>;
  /**
   * Takes it in anew, with the text of pages recognized that have none; what was found before is found until then.
   * @throws OvenError NOT_FOUND, DOCUMENT_WITHOUT_PAGES for one that is no PDF
   */
  recognize(
    tenantId: number,
    store: number | string,
    id: number,
    languages: readonly RecognitionLanguage[],
  ): Promise<KnowledgeDocument>;
  /** Takes the text out of a file that belongs to no store. @throws OvenError DOCUMENT_*, TEXT_UNDECODABLE, see `extractFile` */
  extract(file: GivenDocument, signal: AbortSignal): Promise<FileText>;
  /** With what was made of it. */
  remove(tenantId: number, store: number | string, id: number): Promise<void>;
}

declare module "@oven/module-registry" {
  interface ServiceMap {
    documents: DocumentService;
  }
}

/**
 * @param wake called when there is something to take in
 * @param recognitionPages of one file whose text is recognized at most
 */
export function createDocumentService(
  db: Database,
  { wake, recognitionPages }: { wake: () => void; recognitionPages: number },
): DocumentService {
  const find = async (tenantId: number, store: number | string, id: number) =>
    findDocument(db, await findStore(db, tenantId, store), id);
  const files = new Lane();
  /** A scan takes minutes: other files do not wait for it. */
  const scans = new Lane();
  return {
    async list(principal, store, params) {
      const { id: vectorStoreId } = await findStore(db, principal.tenantId, store);
      const { id, key, title, mediaType, status, bytes, createdAt, updatedAt, tenantId } = aiDocuments;
      const { rows, total } = await listRows(db.orm, principal, params, {
        table: aiDocuments,
        fields: { id, key, title, mediaType, status, bytes, createdAt, updatedAt },
        search: [title, key],
        tenant: tenantId,
        where: eq(aiDocuments.vectorStoreId, vectorStoreId),
      });
      return { documents: rows.map(toDocument), total };
    },
    get: async (tenantId, store, id) => toDocument(await find(tenantId, store, id)),
    async text(tenantId, store, id) {
      const document = await find(tenantId, store, id);
      const { documentId, text } = aiDocumentContents;
      const [content] = await db.orm.select({ text }).from(aiDocumentContents).where(eq(documentId, document.id));
      return content?.text ?? null;
    },
    async add({ tenantId, userId }, store, { key, charset: label, recognition, ...document }) {
      requireDocumentSize(document.data.byteLength);
      const row = await findStore(db, tenantId, store);
      const charset = label === undefined ? null : toCharset(label);
      const added = await putDocument(db, row, {
        ...document,
        charset,
        recognition,
        key: key ?? `sha256:${hashOf(document.data)}`,
        userId,
      });
      wake();
      return toDocument(added);
    },
    async chunks(principal, store, documentId, params) {
      const document = await find(principal.tenantId, store, documentId);
      const { embedding: _embedding, search: _search, ...columns } = getTableColumns(aiVectorItems);
      const { id, chunk, content, pending, tenantId } = columns;
      const { rows, total } = await listRows(db.orm, principal, params, {
        table: aiVectorItems,
        fields: { id, chunk },
        columns,
        search: [content],
        tenant: tenantId,
        where: and(eq(aiVectorItems.documentId, document.id), eq(pending, false)) ?? sql`false`,
      });
      return { chunks: rows.map(toChunk), total };
    },
    async retry(tenantId, store, id) {
      const again = await requeueDocument(db, await find(tenantId, store, id));
      wake();
      return toDocument(again);
    },
    async recognize(tenantId, store, id, languages) {
      const document = await find(tenantId, store, id);
      if (document.mediaType !== "application/pdf") throw withoutPages(document.mediaType);
      const again = await recognizeDocument(db, document, languages);
      wake();
      return toDocument(again);
    },
    extract: (file, signal) =>
      (file.recognition === null ? files : scans).run(() => extractFile(file, { signal, recognitionPages })),
    async remove(tenantId, store, id) {
      await deleteDocument(db, await find(tenantId, store, id));
    },
  };
}

/** @throws OvenError TEXT_UNDECODABLE for a label that is not known */
function toCharset(label: string): string {
  return decodeText(new Uint8Array(), { charset: label, what: "The document", path: "$.charset" }).charset;
}

function withoutPages(mediaType: string): OvenError {
  return new OvenError("DOCUMENT_WITHOUT_PAGES", `A document of the type ${mediaType} has no pages to recognize`, {
    status: 422,
    fix: "Text is recognized in PDFs",
  });
}
