import { getOwn } from "@oven/contract";
import type { UnboundedCause, WorstCase, WorstCaseQuantity, WorstCaseSummary } from "@oven/contract/workflow";
import { currentLocale, t } from "@oven/i18n";
import { formatDuration, formatMoney } from "@oven/ui/components/format.ts";

const NUMBER = new Intl.NumberFormat(currentLocale());

/** The quantities with their names, the most asked for first. */
export function quantities(): { key: WorstCaseQuantity; label: string }[] {
  return [
    { key: "costMicros", label: t("Cost") },
    { key: "modelCalls", label: t("Model calls") },
    { key: "tokens", label: t("Tokens") },
    { key: "toolCalls", label: t("Tool calls") },
    { key: "reviews", label: t("Reviews") },
    { key: "durationMs", label: t("Time") },
  ];
}

/** How much that is. */
export function toAmountText(quantity: WorstCaseQuantity, most: number | null): string {
  if (most === null) return t("no limit");
  if (quantity === "costMicros") return formatMoney(most);
  return quantity === "durationMs" ? formatDuration(most) : NUMBER.format(most);
}

/** `At most $0.84, 14 model calls, 2 reviews`; what has no limit of these is named as such. */
export function toShortText({ costMicros, modelCalls, reviews }: WorstCase): string {
  return toShortSummary({ costMicros: costMicros.most, modelCalls: modelCalls.most, reviews: reviews.most });
}

/** The same of a summary. */
export function toShortSummary({
  costMicros,
  modelCalls,
  reviews,
}: Pick<WorstCaseSummary, "costMicros" | "modelCalls" | "reviews">): string {
  const parts = [
    costMicros === null ? t("cost without a limit") : t("at most {{cost}}", { cost: formatMoney(costMicros) }),
    modelCalls === null ? t("model calls without a limit") : t("{{count}} model calls", { count: modelCalls }),
    ...(reviews === 0
      ? []
      : [reviews === null ? t("reviews without a limit") : t("{{count}} reviews", { count: reviews })]),
  ];
  return parts.join(", ");
}

/** Why nothing bounds it, and what to do. */
export function toCauseText({ code, state, about }: UnboundedCause): string {
  const name = about ?? "";
  switch (code) {
    case "cycle":
      return t("{{state}} is on a cycle without a limit: draw a loop, or set a limit of steps", { state });
    case "no-deadline":
      return t("{{state}} waits without a deadline: give it one", { state });
    case "computed":
      return t("What bounds {{state}} is computed when it runs: write it out", { state });
    case "model-unknown":
      return t("{{state}} asks the model {{name}}, which stands for nothing now", { state, name });
    case "model-context":
      return t("How much the model {{name}} of {{state}} reads is not known: give its price a context length", {
        state,
        name,
      });
    case "model-answer":
      return t("How long an answer of {{name}} at {{state}} may be is not known: limit its tokens", { state, name });
    case "model-price":
      return t("What the model {{name}} of {{state}} costs is not known: give it a price", { state, name });
    case "any-calls":
      return t("The model may ask {{state}} for any number of tool calls in one answer: set maxCalls", { state });
    case "tool":
      return t("What {{name}} spends when {{state}} calls it is not known", { state, name });
    case "tool-asks":
      return t("{{name}} may ask people any number of questions when {{state}} calls it", { state, name });
    case "callee":
      return t("What {{state}} runs is known only when it runs: name it", { state });
    case "store":
      return t("What the vector store of {{state}} asks models for is not known", { state });
  }
}

/** Every cause once, with the quantities that it makes unbounded. */
export function causesOf(worst: WorstCase): { cause: UnboundedCause; of: string[] }[] {
  const found: Record<string, { cause: UnboundedCause; of: string[] }> = {};
  for (const { key, label } of quantities()) {
    for (const cause of worst[key].causes) {
      const name = JSON.stringify([cause.state, cause.code, cause.about]);
      const before = getOwn(found, name);
      if (before === undefined) found[name] = { cause, of: [label] };
      else before.of.push(label);
    }
  }
  return Object.values(found);
}
