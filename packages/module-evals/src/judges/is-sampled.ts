import { createHash } from "node:crypto";

const RANGE = 2 ** 32;

/** Whether a run belongs to a judge's sample: the same answer wherever and however often it is asked. */
export function isSampled(judgeId: number, executionId: number, percent: number): boolean {
  const place = createHash("sha256").update(`${judgeId}:${executionId}`).digest().readUInt32BE(0);
  return place < (percent / 100) * RANGE;
}
