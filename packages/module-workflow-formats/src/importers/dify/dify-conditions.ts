import type { Guard, Json, JsonObject } from "@oven/contract";
import { NoEquivalent } from "../no-equivalent.ts";
import type { DifyData } from "./dify-data.ts";
import { objectsIn, selectorOf } from "./dify-document.ts";

const NEGATED: Record<string, string> = {
  "not contains": "contains",
  "is not": "is",
  "≠": "=",
  "not empty": "empty",
  "is not empty": "empty",
  "not null": "null",
  "is not null": "null",
  "not in": "in",
  "not exists": "exists",
};
const COMPARED: Record<string, ">" | ">=" | "<" | "<="> = { ">": ">", "≥": ">=", "<": "<", "≤": "<=" };

/** Conditions joined by `and` or `or`. @throws NoEquivalent */
export function translateCase({ conditions, logical_operator }: JsonObject, data: DifyData): Guard {
  const guards = objectsIn(conditions).map((condition) => {
    const selector = selectorOf(condition.variable_selector);
    if (selector === undefined || condition.sub_variable_condition !== undefined)
      throw new NoEquivalent("a condition does not compare one variable");
    const isNumber = condition.varType === "number" || condition.numberVarType !== undefined;
    return translate(
      data.path(selector),
      String(condition.comparison_operator ?? ""),
      condition.value ?? "",
      isNumber,
      data,
    );
  });
  const [first] = guards;
  if (first === undefined) throw new NoEquivalent("it has no conditions");
  return guards.length === 1 ? first : { type: logical_operator === "or" ? "any" : "all", guards };
}

function translate(key: string, operator: string, given: Json, isNumber: boolean, data: DifyData): Guard {
  const negated = Object.hasOwn(NEGATED, operator) ? NEGATED[operator] : undefined;
  if (negated !== undefined) return { type: "not", guard: translate(key, negated, given, isNumber, data) };
  if (operator === "empty" || operator === "is empty" || operator === "null" || operator === "is null")
    return { type: "condition", params: { key, operator: "empty" } };
  if (operator === "exists") return { type: "condition", params: { key, operator: "exists" } };
  const value = data.value(given);
  const compare = (to: "==" | "contains" | "in" | "matches" | (typeof COMPARED)[string], right: Json): Guard => ({
    type: "condition",
    params: { key, operator: to, value: right },
  });
  const comparison = Object.hasOwn(COMPARED, operator) ? COMPARED[operator] : undefined;
  if (comparison !== undefined) return compare(comparison, numberOf(value));
  switch (operator) {
    case "=":
      return compare("==", numberOf(value));
    case "is":
      return compare("==", isNumber ? numberOf(value) : value);
    case "contains":
      return compare("contains", value);
    case "in":
      return compare("in", value);
    case "start with":
    case "end with": {
      if (typeof given !== "string" || given.includes("{{#"))
        throw new NoEquivalent(`the text of “${operator}” is computed`);
      const quoted = given.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
      return compare("matches", operator === "start with" ? `(?s)^${quoted}` : `(?s)${quoted}$`);
    }
    default:
      throw new NoEquivalent(`the condition “${operator}” has no exact equivalent`);
  }
}

function numberOf(value: Json): Json {
  return typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value)) ? Number(value) : value;
}
