import type { DeliveryDecision } from "@oven/contract";
import type { StatusTone } from "../../theme/tokens.ts";

/** How a decision is shown. */
export const DECISION_LOOKS: Record<DeliveryDecision, { tone: StatusTone; word: string }> = {
  received: { tone: "queued", word: "received" },
  queued: { tone: "queued", word: "queued" },
  started: { tone: "completed", word: "started" },
  filtered: { tone: "stopped", word: "filtered" },
  skipped: { tone: "cancelled", word: "skipped" },
  refused: { tone: "failed", word: "refused" },
  failed: { tone: "failed", word: "failed" },
};
