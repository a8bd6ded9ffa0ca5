import type { Embed } from "@oven/contract/embed";
import { t } from "@oven/i18n";

/** How a row says how an embed is. */
export function stateOf({ enabled, lastError }: Pick<Embed, "enabled" | "lastError">) {
  if (!enabled) return { tone: "cancelled", word: t("Off") } as const;
  if (lastError !== null) return { tone: "failed", word: t("Failing") } as const;
  return { tone: "completed", word: t("On") } as const;
}
