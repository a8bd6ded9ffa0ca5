import type { DeliveryDecision } from "@oven/contract/trigger";
import { t } from "@oven/i18n";
import type { StatusTone } from "@oven/ui/theme/tokens.ts";

/** How a decision is shown. */
export const DECISION_LOOKS: Record<DeliveryDecision, { tone: StatusTone; word: string }> = {
  received: { tone: "queued", word: t("received") },
  queued: { tone: "queued", word: t("queued") },
  held: { tone: "paused", word: t("held") },
  merged: { tone: "completed", word: t("merged") },
  started: { tone: "completed", word: t("started") },
  filtered: { tone: "stopped", word: t("filtered") },
  skipped: { tone: "cancelled", word: t("skipped") },
  refused: { tone: "failed", word: t("refused") },
  failed: { tone: "failed", word: t("failed") },
};
