import type { BudgetSpend, ModelBudget } from "@oven/contract/ai";
import { currentLocale, t } from "@oven/i18n";
import { formatMoney } from "@oven/ui/components/format.ts";

const EACH: Record<ModelBudget["scope"], string> = {
  run: t("each run"),
  workflow: t("each workflow"),
  agent: t("each agent"),
  key: t("each API key"),
  tenant: t("everything together"),
};

/** `$5 a day for each workflow; what goes beyond it is blocked`. */
export function toTerms({ scope, target, period, limitMicros, limitTokens, action }: ModelBudget): string {
  const amounts = [
    ...(limitMicros === null ? [] : [formatMoney(limitMicros)]),
    ...(limitTokens === null ? [] : [`${limitTokens.toLocaleString(currentLocale())} tokens`]),
  ].join(" and ");
  const time = period === "run" ? "" : ` a ${period}`;
  const whom = target === null ? EACH[scope] : `${scope} ${target}`;
  const then = action === "block" ? t("is blocked") : t("waits for a person");
  return t("{{amounts}}{{time}} for {{whom}}; what goes beyond it {{then}}.", { amounts, time, whom, then });
}

/** How much of a budget is gone, of the limit that is nearer; 1: all of it. */
export function toShare(
  { limitMicros, limitTokens }: Pick<ModelBudget, "limitMicros" | "limitTokens">,
  { spentMicros, spentTokens }: Pick<BudgetSpend, "spentMicros" | "spentTokens">,
): number {
  return Math.max(
    limitMicros === null ? 0 : spentMicros / limitMicros,
    limitTokens === null ? 0 : spentTokens / limitTokens,
  );
}
