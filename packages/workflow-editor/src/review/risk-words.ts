import { getOwn } from "@oven/contract";
import { isRisky, type Review, tellingTags } from "@oven/contract/review";
import { t } from "@oven/i18n";

export interface RiskWords {
  /** Whether releasing it changes something that cannot be changed back by asking again. */
  high: boolean;
  /** `moves money`, `cannot be undone`. */
  words: string[];
}

const OF_TAG: Record<string, string> = {
  money: t("moves money"),
  outbound: t("reaches outside"),
  "outside-content": t("reads what strangers wrote"),
};

/** What a reviewer must know of the call; null: nothing is called. What is unknown is taken for the worst. */
export function toRiskWords({ tool, risk }: Pick<Review, "tool" | "risk">): RiskWords | null {
  if (tool === null) return null;
  const high = isRisky({ tool, risk });
  if (risk === null) return { high, words: [t("may have effects that cannot be undone")] };
  const tags = tellingTags(risk.tags).map((tag) => getOwn(OF_TAG, tag) ?? t("is tagged {{tag}}", { tag }));
  if (risk.effect === "pure") return { high, words: [t("changes nothing"), ...tags] };
  if (risk.effect === "idempotent") return { high, words: [t("changes something"), ...tags] };
  return { high, words: [...tags, t("cannot be undone")] };
}
