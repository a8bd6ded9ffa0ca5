import type { Json } from "@oven/contract";
import { type BlobReference, BlobReferenceSchema } from "@oven/contract/run";

/** The most links in one answer; more would not be useful. */
const MOST = 50;
const DEEPEST = 20;

/** References to stored content in a value, in order of occurrence, without duplicates. */
export function blobsIn(value: Json): BlobReference[] {
  const found = new Map<number, BlobReference>();
  collect(value, 0, found);
  return [...found.values()];
}

function collect(value: Json, depth: number, found: Map<number, BlobReference>): void {
  if (typeof value !== "object" || value === null || depth > DEEPEST || found.size >= MOST) return;
  const reference = "$blob" in value ? BlobReferenceSchema.safeParse(value).data : undefined;
  if (reference !== undefined) found.set(reference.$blob, reference);
  else for (const inner of Object.values(value)) collect(inner, depth + 1, found);
}
