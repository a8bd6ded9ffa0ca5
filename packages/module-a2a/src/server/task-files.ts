import { isOvenError, type Principal } from "@oven/contract";
import type { ServiceMap } from "@oven/module-registry";
import { type BlobService, findRunFiles, type RunFile, type WorkflowFace } from "@oven/module-workflows";

/** A file of a completed task. */
export interface TaskFile {
  name: string;
  mediaType: string;
  /** Its bytes, or the address of a larger one, which takes a key with `executions.read`. */
  content: Buffer | string;
}

interface Deps {
  face: WorkflowFace;
  services: ServiceMap;
  publicUrl: string;
}

/** All files of a task together; base64 makes a third more of them. */
const MOST_INLINE_BYTES = 1_048_576;

/** The files that a completed run answers with. */
export async function readTaskFiles(
  { face, services: { blobs, secrets }, publicUrl }: Deps,
  principal: Principal,
  executionId: number,
): Promise<TaskFile[]> {
  const files: TaskFile[] = [];
  let left = MOST_INLINE_BYTES;
  for (const file of await findRunFiles({ reader: face.runs.reader, secrets }, principal, executionId)) {
    const blob = await findBlob(blobs, principal, file);
    if (blob === undefined) continue;
    const { id, bytes, mediaType } = blob;
    const isInline = bytes <= left;
    if (isInline) left -= bytes;
    const content = isInline ? Buffer.from((await blobs.read(id, principal)).data) : `${publicUrl}/api/blobs/${id}`;
    files.push({ name: file.name, mediaType, content });
  }
  return files;
}

/** Undefined where the content was deleted, or where a run has made its reference up. */
async function findBlob(blobs: BlobService, principal: Principal, { blob: { $blob, sha256 } }: RunFile) {
  try {
    const found = await blobs.find($blob, principal);
    return found.sha256 === sha256 ? found : undefined;
  } catch (error) {
    if (isOvenError(error) && error.code === "NOT_FOUND") return undefined;
    throw error;
  }
}
