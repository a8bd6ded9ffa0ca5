import type { RecognitionLanguage, TextRecognition } from "@oven/contract/ai";
import type { Database, Queryable } from "@oven/db";
import { asc, eq } from "@oven/db/drizzle";
import { aiDocumentPages } from "../../tables/ai-documents.table.ts";
import type { DocumentRow } from "../document-rows.ts";
import type { RecognizedPage } from "./recognize-pages.ts";

/** A recognition that has not begun. */
export function newRecognition(languages: readonly RecognitionLanguage[]): TextRecognition {
  return { languages: [...languages], done: 0, total: 0, pages: [] };
}

/** What an earlier attempt recognized of the document's present content. */
export async function recognizedPages(db: Database, { id }: DocumentRow): Promise<RecognizedPage[]> {
  const { documentId, page, text, confidence } = aiDocumentPages;
  const rows = db.orm.select({ page, text, confidence }).from(aiDocumentPages);
  return rows.where(eq(documentId, id)).orderBy(asc(page));
}

/** Nothing is written when the document was given other content meanwhile. */
export async function saveRecognizedPage(
  on: Queryable,
  { id, leaseToken }: DocumentRow,
  { page, text, confidence }: RecognizedPage,
): Promise<void> {
  await on.query(
    `insert into ai_document_pages (document_id, page, tenant_id, text, confidence)
       select id, $3, tenant_id, $4, $5 from ai_documents where id = $1 and lease_token = $2 for share
     on conflict (document_id, page) do update set text = excluded.text, confidence = excluded.confidence`,
    [id, leaseToken, page, text, confidence],
  );
}

/** Of other content, or in other languages. */
export async function forgetRecognizedPages(on: Queryable, documentId: number): Promise<void> {
  await on.query("delete from ai_document_pages where document_id = $1", [documentId]);
}
