import type { RunCheckpoint } from "@oven/contract";

const WORDS: Record<RunCheckpoint["cause"], string> = {
  start: "began",
  seed: "was taken over",
  done: "was done",
  wait: "waits",
  failed: "failed",
  starting: "began to be called",
  signal: "was answered",
  clock: "time passed",
  takeover: "was taken over",
};

/** A checkpoint in words: "review was answered". */
export function toWords({ nodeId, cause, visit, item, end }: RunCheckpoint): string {
  const place =
    nodeId === null
      ? "The run"
      : `${nodeId}${item === null ? "" : ` (${item})`}${(visit ?? 1) > 1 ? ` ×${visit}` : ""}`;
  return `${place} ${WORDS[cause]}${end === null ? "" : `; ${end}`}`;
}
