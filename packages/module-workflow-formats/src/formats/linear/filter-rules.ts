import { type Json, type JsonObject, OvenError } from "@oven/contract";
import { STOP_OPERATORS, StopOperatorSchema } from "@oven/contract/formats/linear.ts";
import type { Guard } from "@oven/contract/workflow";
import { isObject } from "@oven/engine";
import { pathProblem } from "./check-source.ts";

const OPERATORS = {
  equals: "==",
  not_equals: "!=",
  contains: "contains",
  greater_than: ">",
  less_than: "<",
} as const;

/**
 * Simple rules as a guard of ours: every path must hold its value, or what `{operator, value}` says. Undefined: everything
 * matches.
 * @throws OvenError INVALID_TRIGGER with the rule
 */
export function toFilter(rules: JsonObject): Guard | null {
  const guards = Object.entries(rules).map(([key, rule]) => toGuard(key.startsWith("$") ? key : `$.${key}`, key, rule));
  const [only] = guards;
  if (only === undefined) return null;
  return guards.length === 1 ? only : { type: "all", guards };
}

function toGuard(path: string, key: string, rule: Json): Guard {
  const problem = pathProblem(path);
  if (problem !== undefined) throw invalid(key, problem, "Write a path such as `from.address`.");
  if (!isObject(rule)) return condition(path, "equals", rule);
  const operator = StopOperatorSchema.safeParse(rule.operator);
  if (!operator.success || !Object.hasOwn(rule, "value")) {
    throw invalid(key, "a rule is a value, or {operator, value}", `operator is one of: ${STOP_OPERATORS.join(", ")}.`);
  }
  return condition(path, operator.data, rule.value ?? null);
}

/** Rules speak of the event, which a trigger knows as `$.trigger`. */
function condition(path: string, operator: keyof typeof OPERATORS, value: Json): Guard {
  return { type: "condition", params: { key: path.replace(/^\$/, "$.trigger"), operator: OPERATORS[operator], value } };
}

function invalid(key: string, message: string, fix: string): OvenError {
  return new OvenError("INVALID_TRIGGER", `The filter rule ${JSON.stringify(key)}: ${message}`, {
    status: 400,
    path: `$.filter_rules[${JSON.stringify(key)}]`,
    fix,
  });
}
