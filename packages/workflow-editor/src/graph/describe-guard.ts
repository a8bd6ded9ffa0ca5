import type { NodeType } from "@oven/contract/node";
import { t } from "@oven/i18n";
import { isRecord, toRecord, toText } from "./read-json.ts";

const WORDS: Record<string, string> = {
  "==": "is",
  "!=": t("is not"),
  ">": ">",
  "<": "<",
  ">=": "≥",
  "<=": "≤",
  contains: "contains",
  exists: "exists",
  empty: t("is empty"),
  in: t("is in"),
  matches: "matches",
};
/** As a sentence says it. */
const SENTENCES: Record<string, (field: string, operand: string) => string> = {
  "==": (field, operand) => t("{{field}} is {{operand}}", { field, operand }),
  "!=": (field, operand) => t("{{field}} is not {{operand}}", { field, operand }),
  ">": (field, operand) => t("{{field}} is greater than {{operand}}", { field, operand }),
  "<": (field, operand) => t("{{field}} is less than {{operand}}", { field, operand }),
  ">=": (field, operand) => t("{{field}} is at least {{operand}}", { field, operand }),
  "<=": (field, operand) => t("{{field}} is at most {{operand}}", { field, operand }),
  contains: (field, operand) => t("{{field}} contains {{operand}}", { field, operand }),
  exists: (field) => t("{{field}} is there", { field }),
  empty: (field) => t("{{field}} is empty", { field }),
  in: (field, operand) => t("{{field}} is one of {{operand}}", { field, operand }),
  matches: (field, operand) => t("{{field}} matches {{operand}}", { field, operand }),
};
const UNARY = new Set(["exists", "empty"]);
const LIMIT = 34;

function shorten(text: string): string {
  return text.length > LIMIT ? `${text.slice(0, LIMIT - 1)}…` : text;
}

/** The last part of a path: `$.review_output.action` is `action`. */
function lastSegment(key: string): string {
  const parts = key.split(/[.[\]"]+/).filter((part) => part !== "" && part !== "$" && !/^-?\d+$/.test(part));
  return parts.at(-1) ?? key;
}

function describeCondition(params: Record<string, unknown>): string {
  const operator = toText(params.operator);
  const key = lastSegment(toText(params.key));
  const word = WORDS[operator] ?? operator;
  if (UNARY.has(operator)) return `${key} ${word}`;
  const { value } = params;
  return `${key} ${word} ${typeof value === "string" ? value : JSON.stringify(value ?? null)}`;
}

type DescribeCondition = (params: Record<string, unknown>) => string;

function sayCondition(params: Record<string, unknown>): string {
  const operator = toText(params.operator);
  const sentence = SENTENCES[operator];
  if (sentence === undefined) return describeCondition(params);
  const { value } = params;
  const list = Array.isArray(value) ? value : [value ?? null];
  const words = list.map((entry) => (typeof entry === "string" ? entry : JSON.stringify(entry)));
  return sentence(lastSegment(toText(params.key)), words.join(", "));
}

const bothOf = (one: string, other: string): string => t("{{one}} and {{other}}", { one, other });
const eitherOf = (one: string, other: string): string => t("{{one}} or {{other}}", { one, other });

function describe(guard: unknown, nested: boolean, condition: DescribeCondition = describeCondition): string {
  if (!isRecord(guard)) return "";
  const guards = Array.isArray(guard.guards) ? guard.guards : [];
  switch (guard.type) {
    case "condition":
      return condition(toRecord(guard.params));
    case "all":
    case "any": {
      const join = guard.type === "all" ? bothOf : eitherOf;
      const parts = guards.map((entry) => describe(entry, true, condition));
      const text = parts.length === 0 ? "" : parts.reduce(join);
      return nested && guards.length > 1 ? `(${text})` : text;
    }
    case "not":
      return t("not {{condition}}", { condition: describe(guard.guard, true, condition) });
    case "cel":
      return toText(toRecord(guard.params).expression);
    default:
      return "";
  }
}

/** A guard in words short enough for a handle: `amount > 100`. */
export function describeGuard(guard: unknown): string {
  return shorten(describe(guard, false));
}

/** A guard as a sentence: `amount is greater than 100`. */
export function sayGuard(guard: unknown): string {
  return describe(guard, false, sayCondition);
}

/** The node type's own name for an outcome, when the guard is the preset of one. */
export function toOutcomeTitle(guard: unknown, stateId: string, nodeType: NodeType | undefined): string | null {
  return nodeType?.outcomes.find((outcome) => matchesOutcome(guard, stateId, outcome.guard))?.title ?? null;
}

/** Whether a guard of a state is the preset of an outcome, whose key begins with `output.`. */
export function matchesOutcome(guard: unknown, stateId: string, preset: unknown): boolean {
  if (!isRecord(guard) || guard.type !== "condition" || !isRecord(preset)) return false;
  const params = toRecord(guard.params);
  const key = toText(params.key).replace(/^\$\./, "");
  const local = [`${stateId}_output.`, `${stateId}.`].find((prefix) => key.startsWith(prefix));
  return (
    local !== undefined &&
    preset.key === `output.${key.slice(local.length)}` &&
    preset.operator === params.operator &&
    JSON.stringify(preset.value) === JSON.stringify(params.value)
  );
}
