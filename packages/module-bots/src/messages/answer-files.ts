import type { Principal } from "@oven/contract";
import type { BlobReference, ExecutionKind } from "@oven/contract/run";
import type { ServiceMap } from "@oven/module-registry";
import { findRunFiles } from "@oven/module-workflows";
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

/**
 * The files of a completed run, as they are to be posted: no more than `MOST_FILES`, and the others are named.
 * @param isTaken whether the messenger takes files at all
 */
export async function answerFiles(
  { workflowPlatform, secrets }: ServiceMap,
  principal: Principal,
  { kind, id }: { kind: ExecutionKind; id: number },
  isTaken: boolean,
): Promise<AnswerFile[]> {
  const { reader } = workflowPlatform.face(kind).runs;
  const files = await findRunFiles({ reader, secrets }, principal, id);
  return files.map(({ name, blob }, index) => {
    const isSmall = blob.bytes > 0 && blob.bytes <= LARGEST_FILE;
    const state = isTaken && isSmall && index < MOST_FILES ? "waiting" : "left";
    return { name, blob, state, fileId: null, reason: null };
  });
}
