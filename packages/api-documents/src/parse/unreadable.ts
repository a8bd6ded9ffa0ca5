import { OvenError } from "@oven/contract";

/** The error of a document that OVEN cannot use. */
export function unreadable(message: string, fix: string, cause?: unknown): OvenError {
  return new OvenError("API_DOCUMENT_UNREADABLE", message, { status: 422, fix, cause });
}
