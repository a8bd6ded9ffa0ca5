import type { ExecutionStatus, NodeStatus } from "@oven/contract/run";
import { t } from "@oven/i18n";
import type { StatusTone } from "../theme/tokens.ts";

const WORDS: Record<string, string> = {
  running: t("running"),
  paused: t("paused"),
  cancelled: t("cancelled"),
  waiting: t("waiting"),
};

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
      return { tone: "queued", word: t("queued") };
    case "skipped":
      return { tone: "cancelled", word: t("skipped") };
    case "completed":
      if (outcome === "stopped") return { tone: "stopped", word: t("stopped") };
      return { tone: "completed", word: withOutcome(t("completed"), outcome) };
    case "failed":
      return { tone: "failed", word: withOutcome(t("failed"), outcome === "failed" ? null : outcome) };
    default:
      return { tone: status, word: withOutcome(WORDS[status] ?? status, outcome) };
  }
}

function withOutcome(word: string, outcome: string | null): string {
  return outcome === null || outcome === "" ? word : `${word} · ${outcome.replaceAll("_", " ")}`;
}
