import { isOvenError, OvenError } from "@oven/contract";
import type { DocumentWarning } from "@oven/contract/ai";
import type { Database } from "@oven/db";
import { eq } from "@oven/db/drizzle";
import { aiDocumentContents, type aiDocuments } from "../tables/ai-documents.table.ts";
import { embedFor, type Models } from "../vector-stores/query-store.ts";
import { existingKeys, type NewItem, writeItems } from "../vector-stores/vector-items.ts";
import type { StoreRow } from "../vector-stores/vector-store-rows.ts";
import { type Chunk, chunkText, estimateTokens } from "./chunk-text.ts";
import { type DocumentRow, itemPrefix } from "./document-rows.ts";
import { type ExtractRecognition, extractText } from "./extract-text.ts";
import { recognizedPages, saveRecognizedPage } from "./recognition/recognized-pages.ts";

/** Texts embedded at once; after each batch the progress is kept, so a crash costs one batch at most. */
const BATCH = 32;

export interface TakeInDeps {
  db: Database;
  models: Models;
  /** Pages of one document whose text is recognized at most. */
  recognitionPages: number;
}

/** Keeps the lease and the progress. @throws when the lease is lost: the document has new content, or is gone */
export type Report = (
  progress: Partial<Pick<typeof aiDocuments.$inferInsert, "done" | "total" | "recognition">>,
) => Promise<void>;

export interface TakenIn {
  chunks: number;
  warnings: DocumentWarning[];
}

/**
 * Text, chunks, vectors: what is there already from an earlier attempt is not computed again. The items stay hidden until
 * `publish`.
 * @returns how many chunks the document has, and what is missing in them
 */
export async function takeIn(
  { db, models, recognitionPages }: TakeInDeps,
  store: StoreRow,
  document: DocumentRow,
  report: Report,
  signal: AbortSignal,
): Promise<TakenIn> {
  const { chunks, warnings } = await readChunks(
    db,
    document,
    signal,
    await toRecognition(db, document, recognitionPages, report),
  );
  const prefix = itemPrefix(document);
  const keys = chunks.map((_, index) => `${prefix}${index}`);
  const known = await existingKeys(db, store, keys);
  const open = [...chunks.entries()].filter(([index]) => !known.has(`${prefix}${index}`));
  await report({ total: chunks.length, done: chunks.length - open.length });
  const caller = { tenantId: document.tenantId, userId: document.userId };
  for (let from = 0; from < open.length; from += BATCH) {
    signal.throwIfAborted();
    const batch = open.slice(from, from + BATCH);
    const texts = batch.map(([, chunk]) => toEmbeddedText(document, chunk));
    const { embeddings } = await embedFor(models, store, texts, { caller, signal });
    const items = batch.map(([index, chunk], position): NewItem => {
      const { text, start, end, headings } = chunk;
      return {
        key: `${prefix}${index}`,
        text,
        metadata: { ...document.metadata, document: document.key, tokens: estimateTokens(text) },
        embedding: embeddings[position] ?? [],
        chunk: { documentId: document.id, chunk: index, start, end, headings },
      };
    });
    await report({ done: chunks.length - open.length + from + batch.length });
    await writeItems(db, store, items);
  }
  return { chunks: chunks.length, warnings };
}

/** Pages that are through are saved one by one, and with each the lease goes on. */
async function toRecognition(
  db: Database,
  document: DocumentRow,
  maxPages: number,
  report: Report,
): Promise<ExtractRecognition | undefined> {
  if (document.recognition === null) return undefined;
  const { languages } = document.recognition;
  const known = await recognizedPages(db, document);
  const pages = known.filter(({ text }) => text.trim() !== "").map(({ page }) => page);
  return {
    languages,
    maxPages,
    known,
    async onProgress({ done, total, recognized }) {
      if (recognized !== undefined) {
        await saveRecognizedPage(db, document, recognized);
        if (recognized.text.trim() !== "") pages.push(recognized.page);
      }
      await report({ recognition: { languages, done, total, pages: pages.toSorted((a, b) => a - b) } });
    },
  };
}

async function readChunks(
  db: Database,
  document: DocumentRow,
  signal: AbortSignal,
  recognition: ExtractRecognition | undefined,
): Promise<{ chunks: Chunk[]; warnings: DocumentWarning[] }> {
  const [content] = await db.orm
    .select()
    .from(aiDocumentContents)
    .where(eq(aiDocumentContents.documentId, document.id));
  if (content?.data == null) {
    throw new OvenError("DOCUMENT_UNREADABLE", "The document's file is gone", { status: 422, fix: "Add it again" });
  }
  const { text, kind, warnings } = await extractText(document, content.data, signal, recognition);
  await db.orm.update(aiDocumentContents).set({ text }).where(eq(aiDocumentContents.documentId, document.id));
  return { chunks: chunkText(text, kind), warnings };
}

/** Title and headings say what a passage is about when the passage itself does not. */
function toEmbeddedText({ title }: DocumentRow, { headings, text }: Chunk): string {
  return `${[title, ...headings].join(" › ")}\n${text}`;
}

/** What the document's row says of a failure. */
export function toFailure(error: unknown): { code: string; message: string; fix: string | null; retryable: boolean } {
  if (isOvenError(error)) {
    const { code, message, fix, retryable } = error;
    return { code, message, fix: fix ?? null, retryable };
  }
  return {
    code: "INTERNAL",
    message: error instanceof Error ? error.message : String(error),
    fix: null,
    retryable: true,
  };
}
