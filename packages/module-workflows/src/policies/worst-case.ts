import type { GraphPolicyRule, WorstCase, WorstCaseQuantity } from "@oven/contract/workflow";
import type { Finding } from "./finding.ts";

type Rule = Extract<GraphPolicyRule, { kind: "worst-case" }>;

const LIMITS: readonly [keyof Rule, WorstCaseQuantity][] = [
  ["maxCostMicros", "costMicros"],
  ["maxModelCalls", "modelCalls"],
  ["maxTokens", "tokens"],
  ["maxToolCalls", "toolCalls"],
  ["maxReviews", "reviews"],
  ["maxDurationMs", "durationMs"],
];

/** What a run may need more of than allowed; where nothing bounds it, with each state that makes it so. */
export function findExceeded(rule: Rule, worst: WorstCase): Finding[] {
  return LIMITS.flatMap(([key, quantity]) => {
    const limit = rule[key];
    const { most, causes, largest } = worst[quantity];
    if (typeof limit !== "number" || (most !== null && most <= limit)) return [];
    const allowed = `and ${inWords(quantity, limit)} are allowed`;
    if (most !== null)
      return [
        {
          path: largest?.path ?? "$.states",
          message: `a run may need ${inWords(quantity, most)}, ${allowed}${mainly(quantity, largest)}`,
          fix: "Ask for shorter answers, fewer attempts or fewer passes.",
        },
      ];
    return causes.map(({ path, message }) => ({
      path,
      message: `nothing bounds ${NAMES[quantity]} of a run, ${allowed}`,
      fix: `${message}.`,
    }));
  });
}

function mainly(quantity: WorstCaseQuantity, largest: WorstCase["tokens"]["largest"]): string {
  return largest === null ? "" : `; ${largest.state} alone needs ${inWords(quantity, largest.most)}`;
}

const NAMES: Record<WorstCaseQuantity, string> = {
  costMicros: "the cost",
  modelCalls: "the model calls",
  tokens: "the tokens",
  toolCalls: "the tool calls",
  reviews: "the reviews",
  durationMs: "the time",
};

function inWords(quantity: WorstCaseQuantity, amount: number): string {
  switch (quantity) {
    case "costMicros":
      return `$${(amount / 1e6).toFixed(6).replace(/0{1,4}$/, "")}`;
    case "modelCalls":
      return `${amount} model calls`;
    case "tokens":
      return `${amount} tokens`;
    case "toolCalls":
      return `${amount} tool calls`;
    case "reviews":
      return `${amount} reviews`;
    case "durationMs":
      return `${amount / 1_000} seconds`;
  }
}
