import type { ApiConnection, ApiConnectionStatus, ApiOperationState } from "@oven/contract/api";
import { t } from "@oven/i18n";
import type { StatusTone } from "@oven/ui/theme/tokens.ts";

export const STATUS_LOOK: Readonly<Record<ApiConnectionStatus, { tone: StatusTone; word: string }>> = {
  ok: { tone: "completed", word: t("ready") },
  failing: { tone: "failed", word: t("document unreadable") },
  "sign-in": { tone: "paused", word: t("sign in") },
  disabled: { tone: "cancelled", word: t("off") },
};

export const STATE_LOOK: Readonly<Record<ApiOperationState, { tone: StatusTone; word: string }>> = {
  new: { tone: "queued", word: t("not approved") },
  approved: { tone: "completed", word: t("approved") },
  changed: { tone: "paused", word: t("changed") },
  vanished: { tone: "cancelled", word: t("gone") },
  refused: { tone: "failed", word: t("unusable") },
};

/** `3 of 120 operations approved`. */
export function toOperationWords({ approved, total }: ApiConnection["operations"]): string {
  return t("{{approved}} of {{total}} operations approved", { approved, total });
}
