import { z } from "zod";

/** Stands in a run's data for what is kept outside of it: an output too large for a row, or a file. */
export const BlobReferenceSchema = z.strictObject({
  $blob: z.int().positive(),
  mediaType: z.string(),
  bytes: z.int().nonnegative(),
  /** Hex; a reference is followed only when it is right, so that nobody can make one up. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** The beginning of a text, or the shape of a value; at most 500 characters. */
  summary: z.string(),
});
export type BlobReference = z.infer<typeof BlobReferenceSchema>;

/** A file of the largest kind that steps read, as base64 with what stands before it. */
const MOST_CHARACTERS = 28_000_000;

const name = z.string().max(1_000).nullish();

/**
 * A file as it comes into a run: an address (http, https) or a `data:` URL, a reference of stored content, or an object as webhooks and
 * mails hand files on. What else such an object says is passed over.
 */
export const GivenFileSchema = z.union([
  z.string().min(1).max(MOST_CHARACTERS),
  BlobReferenceSchema,
  z.looseObject({ filename: name, contentType: name, blob: BlobReferenceSchema }),
  z.looseObject({ filename: name, contentType: name, base64: z.string().max(MOST_CHARACTERS) }),
]);
export type GivenFile = z.infer<typeof GivenFileSchema>;
