import type { ExecutionStatus, NodeStatus } from "@oven/contract";
import type { StatusTone } from "../theme/tokens.ts";

export interface StatusLook {
  tone: StatusTone;
  word: string;
}

/**
 * The tone and word of a status. `pending` reads "queued"; `completed` with the outcome `stopped` is a status of its
 * own; any other outcome stands beside the word.
 */
export function toStatusLook(status: ExecutionStatus | NodeStatus, outcome: string | null = null): StatusLook {
  switch (status) {
    case "pending":
      return { tone: "queued", word: "queued" };
    case "skipped":
      return { tone: "cancelled", word: "skipped" };
    case "completed":
      if (outcome === "stopped") return { tone: "stopped", word: "stopped" };
      return { tone: "completed", word: withOutcome("completed", outcome) };
    case "failed":
      return { tone: "failed", word: withOutcome("failed", outcome === "failed" ? null : outcome) };
    default:
      return { tone: status, word: withOutcome(status, outcome) };
  }
}

function withOutcome(word: string, outcome: string | null): string {
  return outcome === null || outcome === "" ? word : `${word} · ${outcome.replaceAll("_", " ")}`;
}
