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
