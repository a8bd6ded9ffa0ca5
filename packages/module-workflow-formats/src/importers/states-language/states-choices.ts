import type { Json, JsonObject } from "@oven/contract";
import type { Guard, Operator } from "@oven/contract/workflow";
import { isObject } from "@oven/engine";
import { toLiteral } from "../../importing/literals.ts";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import type { StateData } from "./states-data.ts";

const EQUALS = new Set(["StringEquals", "NumericEquals", "BooleanEquals"]);
const COMPARED: Record<string, Operator> = {
  NumericLessThan: "<",
  NumericLessThanEquals: "<=",
  NumericGreaterThan: ">",
  NumericGreaterThanEquals: ">=",
};

/** A rule of a Choice state. @throws NoEquivalent */
export function translateRule(rule: JsonObject, data: StateData): Guard {
  for (const [key, type] of [
    ["And", "all"],
    ["Or", "any"],
  ] as const) {
    const rules = rule[key];
    if (!Array.isArray(rules)) continue;
    if (rules.length === 0) throw new NoEquivalent(`its ${key} has no rules`);
    return { type, guards: rules.filter(isObject).map((one) => translateRule(one, data)) };
  }
  if (isObject(rule.Not)) return { type: "not", guard: translateRule(rule.Not, data) };
  const { Variable: variable, Next: _next, Comment: _comment, ...rest } = rule;
  const [[operator, value] = ["", null], ...more] = Object.entries(rest);
  if (typeof variable !== "string" || operator === "" || more.length > 0)
    throw new NoEquivalent("a rule of it does not compare one variable in one way");
  return compare(data.path(variable), operator, value);
}

function compare(key: string, operator: string, value: Json): Guard {
  const condition = (to: Operator, other: Json): Guard => ({
    type: "condition",
    params: { key, operator: to, value: other },
  });
  const negated = (guard: Guard, holds: Json): Guard => (holds === false ? { type: "not", guard } : guard);
  if (EQUALS.has(operator)) return condition("==", toLiteral(value));
  const comparison = Object.hasOwn(COMPARED, operator) ? COMPARED[operator] : undefined;
  if (comparison !== undefined && typeof value === "number") return condition(comparison, value);
  if (operator === "IsNull") return negated(condition("==", null), value);
  if (operator === "IsPresent") return negated({ type: "condition", params: { key, operator: "exists" } }, value);
  if (operator === "StringMatches" && typeof value === "string" && !value.includes("\\")) {
    const quoted = value.replaceAll(/[\\^$.+?()[\]{}|]/g, "\\$&").replaceAll("*", ".*");
    return condition("matches", `(?s)^${quoted}$`);
  }
  throw new NoEquivalent(`the comparison ${operator} has no exact equivalent`);
}
