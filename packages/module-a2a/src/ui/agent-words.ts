import { t } from "@oven/i18n";
import type { StatusTone } from "@oven/ui/theme/tokens.ts";
import type { A2aConnection } from "../shapes.ts";

export const STATE_LOOK: Readonly<Record<A2aConnection["state"], { tone: StatusTone; word: string }>> = {
  new: { tone: "paused", word: t("to approve") },
  approved: { tone: "completed", word: t("approved") },
  changed: { tone: "paused", word: t("changed") },
  failing: { tone: "failed", word: t("failing") },
  disabled: { tone: "cancelled", word: t("off") },
};
