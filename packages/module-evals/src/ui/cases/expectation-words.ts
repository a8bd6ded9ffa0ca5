import type { Json } from "@oven/contract";
import type { Expectation } from "@oven/contract/eval";
import { t } from "@oven/i18n";
import { formatDuration, formatMoney } from "@oven/ui/components/format.ts";
import type { ExpectationDraft, ExpectationType } from "./expectation-draft.ts";

/** What can be expected, as a choice; what is used most comes first. */
export const TYPE_WORDS: Readonly<Record<ExpectationType, string>> = {
  contains: t("The output contains a text"),
  notContains: t("The output does not contain a text"),
  exact: t("The output is exactly a value"),
  judge: t("A model judges the output"),
  jsonPath: t("There is something, or nothing, at a place"),
  matches: t("The output matches a pattern"),
  schema: t("The output fits a JSON Schema"),
  toolCalled: t("A tool is called"),
  toolNotCalled: t("A tool is not called"),
  toolOrder: t("Tools are called in an order"),
  status: t("The run ends in a way"),
  paused: t("The run waits for a person"),
  atMost: t("The run stays below a limit"),
  cel: t("An expression is true"),
};

export const MEASURE_WORDS: Readonly<Record<ExpectationDraft["measure"], string>> = {
  tokens: t("tokens"),
  costMicros: t("millionths of a dollar"),
  durationMs: t("milliseconds"),
  steps: t("steps"),
};

const LONGEST = 160;

/** An expectation as a sentence. */
export function toExpectationSentence(given: Expectation): string {
  switch (given.type) {
    case "exact":
      return t("{{place}} is exactly {{wanted}}.", { place: toPlace(given.path), wanted: toShort(given.value) });
    case "contains":
      return t("{{place}} contains {{texts}}.", { place: toPlace(given.path), texts: toTexts(given) });
    case "notContains":
      return t("{{place}} does not contain {{texts}}.", { place: toPlace(given.path), texts: toTexts(given) });
    case "matches":
      return t("{{place}} matches {{pattern}}.", { place: toPlace(given.path), pattern: given.pattern });
    case "jsonPath":
      return given.exists
        ? t("There is something at {{path}}.", { path: given.path })
        : t("There is nothing at {{path}}.", { path: given.path });
    case "schema":
      return t("{{place}} fits the schema {{schema}}.", { place: toPlace(given.path), schema: toShort(given.schema) });
    case "cel":
      return t("This is true: {{expression}}", { expression: given.expression });
    case "judge":
      return t("{{place}} gets at least {{threshold}} of 1 from the model {{model}}: {{rubric}}", {
        place: toPlace(given.path),
        threshold: given.threshold,
        model: given.model,
        rubric: given.rubric,
      });
    case "toolCalled":
      return toCallSentence(given);
    case "toolNotCalled":
      return t("The tool {{tool}} is not called.", { tool: given.tool });
    case "toolOrder":
      return t("These tools are called in this order: {{tools}}.", { tools: given.tools.join(", ") });
    case "status":
      return t("The run ends like this: {{status}}.", {
        status: [given.status, given.outcome, given.error].filter((part) => part !== undefined).join(" · "),
      });
    case "paused":
      return toPausedSentence(given);
    case "atMost":
      return toLimitSentence(given);
  }
}

function toCallSentence({
  tool,
  arguments: args,
  atLeast,
  atMost,
}: Extract<Expectation, { type: "toolCalled" }>): string {
  const times = atMost === undefined ? `${atLeast}+` : atLeast === atMost ? String(atLeast) : `${atLeast}–${atMost}`;
  return args === undefined
    ? t("The tool {{tool}} is called, so many times: {{times}}.", { tool, times })
    : t("The tool {{tool}} is called with {{args}}, so many times: {{times}}.", { tool, times, args: toShort(args) });
}

function toPausedSentence({ node, tool }: Extract<Expectation, { type: "paused" }>): string {
  if (node !== undefined && tool !== undefined)
    return t("The run waits for a person at {{node}}, about {{tool}}.", { node, tool });
  if (node !== undefined) return t("The run waits for a person at {{node}}.", { node });
  return tool === undefined
    ? t("The run waits for a person.")
    : t("The run waits for a person about {{tool}}.", { tool });
}

function toLimitSentence({ measure, value }: Extract<Expectation, { type: "atMost" }>): string {
  switch (measure) {
    case "tokens":
      return t("The run takes at most {{number}} tokens.", { number: value });
    case "steps":
      return t("The run takes at most {{number}} steps.", { number: value });
    case "costMicros":
      return t("The run costs at most {{money}}.", { money: formatMoney(value) });
    case "durationMs":
      return t("The run takes at most {{time}}.", { time: formatDuration(value) });
  }
}

function toPlace(path: string): string {
  return path === "$" ? t("The output") : t("The output at {{path}}", { path });
}

function toTexts({ text, mode }: Extract<Expectation, { type: "contains" | "notContains" }>): string {
  const quoted = (typeof text === "string" ? [text] : text).map((one) => t("“{{text}}”", { text: toShort(one) }));
  const last = quoted.at(-1) ?? "";
  const others = quoted.slice(0, -1).join(", ");
  if (others === "") return last;
  return mode === "all"
    ? t("{{others}} and {{last}}", { others, last })
    : t("{{others}} or {{last}}", { others, last });
}

function toShort(value: Json): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
