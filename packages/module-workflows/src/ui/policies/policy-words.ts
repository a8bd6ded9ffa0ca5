import type { Effect } from "@oven/contract/node";
import type { GraphPolicyRule, PastRunsRule, PolicyTarget } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { EFFECT_LOOK } from "@oven/ui/components/effect-words.ts";
import { formatDuration, formatMoney } from "@oven/ui/components/format.ts";
import { type MostKey, type RuleKind, type TargetBy, toParts, toPercent } from "./policy-draft.ts";

/** What each kind of rule is for, as a choice. */
export const KIND_WORDS: Readonly<Record<RuleKind, string>> = {
  "review-before": t("People approve before something happens"),
  "untrusted-flow": t("What comes from outside is looked at before it goes on"),
  "bounded-loops": t("Loops come to an end"),
  "allowed-models": t("Only some models are used"),
  "forbidden-nodes": t("Some kinds of step are not used"),
  "worst-case": t("Runs need no more than so much"),
  scores: t("Versions are scored before the next one"),
  "past-runs": t("Past runs come to the same before a version is published"),
};

/** By what a target names things, as a choice. */
export const BY_WORDS: Readonly<Record<TargetBy, string>> = {
  tools: t("these tools"),
  nodeTypes: t("steps of these types"),
  tags: t("what is tagged"),
  effects: t("what has this effect"),
};

/** A rule as a sentence. @param titleOf of a role, by its name */
export function toSentence(rule: GraphPolicyRule, titleOf: (role: string) => string): string {
  switch (rule.kind) {
    case "review-before":
      return t("Before a run reaches {{target}}, {{person}} must approve.", {
        target: toTargetWords(rule.target),
        person: toPersonWords(rule.role, titleOf),
      });
    case "untrusted-flow":
      return t("What models and outside services answer reaches {{target}} only once {{person}} has approved it.", {
        target: rule.sinks === undefined ? t("anything that sends or acts") : toTargetWords(rule.sinks),
        person: toPersonWords(rule.role, titleOf),
      });
    case "bounded-loops":
      return rule.maxIterations === undefined
        ? t("Every loop and every cycle ends by itself.")
        : t("Every loop and every cycle ends by itself, a loop after at most {{limit}} passes.", {
            limit: rule.maxIterations,
          });
    case "allowed-models":
      return t("Steps use only these models: {{models}}.", { models: rule.models.join(", ") });
    case "forbidden-nodes":
      return t("No workflow has a step of the type {{types}}.", { types: toChoiceWords(rule.nodeTypes) });
    case "scores": {
      const { name, samples, days, atLeast } = rule;
      const values = { name, samples, days };
      return atLeast === undefined
        ? t(
            "A new version is published once the live one has {{samples}} scores “{{name}}” of the last {{days}} days.",
            values,
          )
        : t(
            "A new version is published once the live one has {{samples}} scores “{{name}}” of the last {{days}} days with a mean of at least {{atLeast}}.",
            { ...values, atLeast },
          );
    }
    case "worst-case":
      return t("A run needs at most {{bounds}}.", { bounds: toBounds(rule).join(", ") });
    case "past-runs":
      return toPastRunsSentence(rule);
  }
}

function toPastRunsSentence({ workflow, dataset, runs, status, ...rule }: PastRunsRule): string {
  const { minSame, noNewToolCalls, live, everyDifferenceSeen } = rule;
  const demands = [
    minSame === undefined ? [] : t("at least {{share}} % of them come out the same", { share: toPercent(minSame) }),
    noNewToolCalls === true ? t("none makes a tool call that was not there") : [],
    everyDifferenceSeen === true ? t("a person has looked at every difference") : [],
    live === undefined
      ? []
      : t("models are asked anew for at most {{money}}", { money: formatMoney(live.maxCostMicros) }),
  ].flat();
  const which = status === "failed" ? t("failed runs") : t("runs");
  const of = workflow === undefined ? t("any workflow") : t("workflow {{id}}", { id: workflow.id });
  const words = { of, runs, which, demands: demands.join(", ") };
  return dataset === undefined
    ? t("Before a version of {{of}} is published, its last {{runs}} {{which}} are tried on it: {{demands}}.", words)
    : t(
        "Before a version of {{of}} is published, its last {{runs}} {{which}} that asked what the dataset {{dataset}} asks are tried on it: {{demands}}.",
        { ...words, dataset },
      );
}

/** What each bound is about, as the label of its field. */
export const MOST_WORDS: Readonly<Record<MostKey, string>> = {
  maxCostMicros: t("Dollars"),
  maxModelCalls: t("Model calls"),
  maxTokens: t("Tokens"),
  maxToolCalls: t("Tool calls"),
  maxReviews: t("Reviews"),
  maxDurationMs: t("Minutes"),
};

function toBounds(rule: Extract<GraphPolicyRule, { kind: "worst-case" }>): string[] {
  const { maxCostMicros, maxModelCalls, maxTokens, maxToolCalls, maxReviews, maxDurationMs } = rule;
  return [
    maxCostMicros === undefined ? [] : formatMoney(maxCostMicros),
    maxModelCalls === undefined ? [] : t("{{count}} model calls", { count: maxModelCalls }),
    maxTokens === undefined ? [] : t("{{count}} tokens", { count: maxTokens }),
    maxToolCalls === undefined ? [] : t("{{count}} tool calls", { count: maxToolCalls }),
    maxReviews === undefined ? [] : t("{{count}} reviews", { count: maxReviews }),
    maxDurationMs === undefined ? [] : formatDuration(maxDurationMs),
  ].flat();
}

function toPersonWords(role: string | undefined, titleOf: (role: string) => string): string {
  return role === undefined ? t("a person") : t("a person with the role {{role}}", { role: titleOf(role) });
}

function toTargetWords(target: PolicyTarget): string {
  return toChoiceWords(toParts(target).map(({ by, names }) => toPartWords(by, names)));
}

function toPartWords(by: TargetBy, names: readonly string[]): string {
  const words = toChoiceWords(names);
  switch (by) {
    case "tools":
      return t("the tool {{names}}", { names: words });
    case "nodeTypes":
      return t("a step of the type {{names}}", { names: words });
    case "tags":
      return t("what is tagged {{names}}", { names: words });
    case "effects":
      // cast: a target names effects by their ids
      return toChoiceWords(names.map((effect) => t("what {{does}}", { does: EFFECT_LOOK[effect as Effect].word })));
  }
}

/** `a`, `a or b`, `a, b or c`. */
function toChoiceWords(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  const others = words.slice(0, -1);
  return others.length === 0 ? last : t("{{others}} or {{last}}", { others: others.join(", "), last });
}
