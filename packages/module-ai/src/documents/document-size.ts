import { OvenError } from "@oven/contract";

/** Bytes of one document; the text of a thick book is about 2 MB. */
export const MAX_DOCUMENT_BYTES = 20_971_520;

/** @throws OvenError DOCUMENT_TOO_LARGE */
export function requireDocumentSize(bytes: number): void {
  if (bytes <= MAX_DOCUMENT_BYTES) return;
  throw new OvenError("DOCUMENT_TOO_LARGE", `The document has ${bytes} bytes, and ${MAX_DOCUMENT_BYTES} are taken`, {
    status: 413,
    fix: "Split it into several documents",
    details: { limit: MAX_DOCUMENT_BYTES },
  });
}
