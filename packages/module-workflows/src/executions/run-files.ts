import { isObject, type Json, type Principal } from "@oven/contract";
import { type BlobReference, BlobReferenceSchema } from "@oven/contract/run";
import { mediaTypeOf } from "@oven/contract/text";
import type { SecretService } from "@oven/module-registry";
import type { ExecutionReader } from "./execution-reader.ts";

/** A file that a run answers with, under a name that people may be shown. */
export interface RunFile {
  name: string;
  blob: BlobReference;
}

const LONGEST_NAME = 120;
const DEEPEST = 20;
const MOST_FOUND = 20;
/** Tools whose results are the answer, and not what the agent has read: these are shown although the model only speaks of them. */
const MAKING_TOOLS = new Set(["ai.generateImage", "ai.generateVideo"]);
const ENDINGS: Readonly<Record<string, string>> = {
  "text/plain": "txt",
  "text/markdown": "md",
  "image/jpeg": "jpg",
  "audio/mpeg": "mp3",
};

/**
 * The files of a completed run, 20 at most: those that its output refers to, and pictures and films that its tools have made.
 * Names come from the value beside the reference, without paths, invisible characters and secrets.
 */
export async function findRunFiles(
  { reader, secrets }: { reader: ExecutionReader; secrets: Pick<SecretService, "redact"> },
  principal: Principal,
  id: number,
): Promise<RunFile[]> {
  const { output } = await reader.summary(principal, id);
  const found: Found = new Map();
  collect(output, undefined, 0, found);
  for (const { toolCalls } of await reader.nodes(principal, id))
    for (const { tool, result } of toolCalls ?? [])
      if (MAKING_TOOLS.has(tool) && result !== undefined) collect(result, undefined, 0, found);
  return [...found.values()].map(({ blob, name }) => ({
    name: secrets.redact(principal.tenantId, toName(name, blob)),
    blob,
  }));
}

type Found = Map<number, { blob: BlobReference; name: string | undefined }>;

/** References in a value, each once, with the name that stands beside them. */
function collect(value: Json, name: string | undefined, depth: number, found: Found): void {
  if (typeof value !== "object" || value === null || depth > DEEPEST || found.size >= MOST_FOUND) return;
  const blob = BlobReferenceSchema.safeParse(value).data;
  if (blob !== undefined) {
    if (!found.has(blob.$blob)) found.set(blob.$blob, { blob, name });
    return;
  }
  const own = isObject(value) && typeof value.filename === "string" ? value.filename : undefined;
  for (const [key, inner] of Object.entries(value)) collect(inner, key === "blob" ? own : undefined, depth + 1, found);
}

function toName(name: string | undefined, { $blob, mediaType }: BlobReference): string {
  const clean = (name ?? "")
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "")
    .replace(/[\\/]/g, "_")
    .trim();
  if (clean !== "") return clean.slice(0, LONGEST_NAME).toWellFormed();
  const type = mediaTypeOf(mediaType);
  const ending = ENDINGS[type] ?? /\/([a-z0-9]{1,8})$/.exec(type)?.[1] ?? "bin";
  return `file-${$blob}.${ending}`;
}
