import { isObject, type Json, type Principal } from "@oven/contract";
import { type BlobReference, BlobReferenceSchema, type ExecutionKind } from "@oven/contract/run";
import { mediaTypeOf } from "@oven/contract/text";
import { shorten } from "@oven/module-notifications";
import type { ServiceMap } from "@oven/module-registry";
import { LARGEST_FILE, MOST_FILES } from "./read-files.ts";

/**
 * A file of an answer. `waiting`: nothing was done; `uploaded`: the messenger has its content, which no one sees yet; `sharing`: it is being
 * shown in the thread, which after a crash may have happened or not; `posted`: it is there; `left`: it is on the page of the run only.
 */
export interface AnswerFile {
  name: string;
  blob: BlobReference;
  state: "waiting" | "uploaded" | "sharing" | "posted" | "left";
  /** What the messenger calls it. */
  fileId: string | null;
  /** What the messenger did not take. */
  reason: string | null;
}

const LONGEST_NAME = 120;
const DEEPEST = 20;
/** More are not looked for: no more than `MOST_FILES` are posted, and the others are named. */
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
 * The files of a completed run: those that its output refers to, and pictures and films that its tools have made.
 * @param isTaken whether the messenger takes files at all
 */
export async function answerFiles(
  { workflowPlatform, secrets }: ServiceMap,
  principal: Principal,
  { kind, id }: { kind: ExecutionKind; id: number },
  isTaken: boolean,
): Promise<AnswerFile[]> {
  const { reader } = workflowPlatform.face(kind).runs;
  const { output } = await reader.summary(principal, id);
  const found = new Map<number, { blob: BlobReference; name: string | undefined }>();
  collect(output, undefined, 0, found);
  for (const { toolCalls } of await reader.nodes(principal, id))
    for (const { tool, result } of toolCalls ?? [])
      if (MAKING_TOOLS.has(tool) && result !== undefined) collect(result, undefined, 0, found);
  return [...found.values()].map(({ blob, name }, index) => {
    const isSmall = blob.bytes > 0 && blob.bytes <= LARGEST_FILE;
    const state = isTaken && isSmall && index < MOST_FILES ? "waiting" : "left";
    const shown = secrets.redact(principal.tenantId, toName(name, blob));
    return { name: shown, blob, state, fileId: null, reason: null };
  });
}

/** References in a value, each once, with the name that stands beside them. */
function collect(
  value: Json,
  name: string | undefined,
  depth: number,
  found: Map<number, { blob: BlobReference; name: string | undefined }>,
): void {
  if (typeof value !== "object" || value === null || depth > DEEPEST || found.size >= MOST_FOUND) return;
  const blob = BlobReferenceSchema.safeParse(value).data;
  if (blob !== undefined) {
    if (!found.has(blob.$blob)) found.set(blob.$blob, { blob, name });
    return;
  }
  const own = isObject(value) && typeof value.filename === "string" ? value.filename : undefined;
  for (const [key, inner] of Object.entries(value)) collect(inner, key === "blob" ? own : undefined, depth + 1, found);
}

/** Names are shown to people and go into requests: no paths, and nothing that is not to be seen. */
function toName(name: string | undefined, { $blob, mediaType }: BlobReference): string {
  const clean = (name ?? "")
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "")
    .replace(/[\\/]/g, "_")
    .trim();
  if (clean !== "") return shorten(clean, LONGEST_NAME);
  const type = mediaTypeOf(mediaType);
  const ending = ENDINGS[type] ?? /\/([a-z0-9]{1,8})$/.exec(type)?.[1] ?? "bin";
  return `file-${$blob}.${ending}`;
}
