import type { DocumentWarning, RecognitionLanguage } from "@oven/contract/ai";
import { declaredCharset } from "@oven/contract/text";
import { requireDocumentSize } from "./document-size.ts";
import { type ExtractRecognition, extractText } from "./extract-text.ts";
import { kindOfFile, type ReadableType } from "./file-kind.ts";

/** A file whose text is taken out of it. */
export interface GivenDocument {
  data: Uint8Array;
  /** Its name, or the end of its address; null: it has none. */
  name: string | null;
  /** What its sender says that it is, with or without a charset; null: nothing. */
  contentType: string | null;
  /** Whether a page becomes Markdown, or stays as it is written. */
  html: "markdown" | "source";
  /** Languages that pages of a PDF without text are recognized in; null: they are left as they are. */
  recognition: readonly RecognitionLanguage[] | null;
}

export interface FileText {
  text: string;
  mediaType: ReadableType;
  /** What of the file is not in the text. */
  warnings: DocumentWarning[];
}

/**
 * The text of one file, which is read outside of the event loop.
 * @throws OvenError DOCUMENT_TOO_LARGE over 20 MiB, DOCUMENT_TYPE_UNKNOWN, DOCUMENT_EMPTY (also of scans), DOCUMENT_ENCRYPTED,
 * DOCUMENT_UNREADABLE
 */
export async function extractFile(
  { data, name, contentType, html, recognition }: GivenDocument,
  { signal, recognitionPages }: { signal: AbortSignal; recognitionPages: number },
): Promise<FileText> {
  requireDocumentSize(data.byteLength);
  const mediaType = kindOfFile(data, { name, contentType });
  const source = { mediaType, charset: declaredCharset(contentType) ?? null, html };
  const asked: ExtractRecognition | undefined =
    recognition === null
      ? undefined
      : { languages: [...recognition], maxPages: recognitionPages, known: [], onProgress: async () => undefined };
  const { text, warnings } = await extractText(source, data, signal, asked);
  return { text, mediaType, warnings };
}
