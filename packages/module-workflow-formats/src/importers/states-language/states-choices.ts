import type { Json, JsonObject } from "@oven/contract";
import type { Guard, Operator } from "@oven/contract/workflow";
import { isObject } from "@oven/engine";
import { toLiteral } from "../../importing/literals.ts";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { checkedCel } from "./states-cel.ts";
import type { StateData } from "./states-data.ts";
import { celOf, pathOf } from "./states-paths.ts";
import { celIsTimestamp, isTimestamp } from "./states-timestamps.ts";

const ORDERS: Record<string, Operator> = {
  Equals: "==",
  LessThan: "<",
  LessThanEquals: "<=",
  GreaterThan: ">",
  GreaterThanEquals: ">=",
};
const COMPARISON =
  /^(String|Numeric|Boolean|Timestamp)(Equals|LessThan|LessThanEquals|GreaterThan|GreaterThanEquals)(Path)?$/;
/** Types as CEL names them, and as they are written out. */
const TYPES: Record<string, { cel: string; isOne: (value: Json) => boolean }> = {
  String: { cel: "string", isOne: (value) => typeof value === "string" },
  Numeric: { cel: "double", isOne: (value) => typeof value === "number" },
  Boolean: { cel: "bool", isOne: (value) => typeof value === "boolean" },
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
  return compare(variable, operator, value, data);
}

const cel = (expression: string): Guard => ({ type: "cel", params: { expression: checkedCel(expression) } });

function compare(variable: string, operator: string, value: Json, data: StateData): Guard {
  const place = data.place(variable);
  const key = pathOf(place);
  const condition = (to: Operator, other: Json): Guard => ({
    type: "condition",
    params: { key, operator: to, value: other },
  });
  const unknown = new NoEquivalent(`the comparison ${operator} has no exact equivalent`);
  if (operator.startsWith("Is")) {
    if (typeof value !== "boolean") throw unknown;
    return isOf(operator, celOf(place), key, value) ?? refuse(unknown);
  }
  if (operator === "StringMatches" && typeof value === "string") return condition("matches", patternOf(value));
  const [, type = "", order = "", isPath] = COMPARISON.exec(operator) ?? [];
  const comparison = ORDERS[order];
  if (comparison === undefined || (type === "Boolean" && order !== "Equals")) throw unknown;
  if (type === "Timestamp") {
    if (isPath === undefined && !isTimestamp(value)) throw unknown;
    const [one, two] = [celOf(place), isPath === undefined ? JSON.stringify(value) : celOf(data.place(String(value)))];
    const other = isPath === undefined ? "" : ` && ${celIsTimestamp(two)}`;
    return cel(`${celIsTimestamp(one)}${other} && timestamp(${one}) ${comparison} timestamp(${two})`);
  }
  const known = TYPES[type];
  if (known === undefined) throw unknown;
  if (isPath === undefined) {
    if (!known.isOne(value)) throw unknown;
    return condition(comparison, toLiteral(value));
  }
  if (typeof value !== "string") throw unknown;
  const [one, two] = [celOf(place), celOf(data.place(value))];
  return cel(`type(${one}) == ${known.cel} && type(${two}) == ${known.cel} && ${one} ${comparison} ${two}`);
}

function refuse(error: NoEquivalent): never {
  throw error;
}

/** What a value is. One that is missing is nothing at all, except for `IsPresent`. */
function isOf(operator: string, value: string, key: string, holds: boolean): Guard | undefined {
  if (operator === "IsPresent") {
    const guard: Guard = { type: "condition", params: { key, operator: "exists" } };
    return holds ? guard : { type: "not", guard };
  }
  if (operator === "IsNull") return { type: "condition", params: { key, operator: holds ? "==" : "!=", value: null } };
  if (operator === "IsTimestamp") return cel(holds ? celIsTimestamp(value) : `!(${celIsTimestamp(value)})`);
  const type = TYPES[operator.slice(2)]?.cel;
  return type === undefined ? undefined : cel(`type(${value}) ${holds ? "==" : "!="} ${type}`);
}

/** `*` is any text; a backslash makes it, and itself, a character. @throws NoEquivalent */
function patternOf(text: string): string {
  const pattern = text.replaceAll(/\\(.?)|([*])|([^*\\]+)/gs, (_all, escaped?: string, star?: string, plain = "") => {
    if (star !== undefined) return ".*";
    if (escaped === undefined) return quoted(plain);
    if (escaped !== "*" && escaped !== "\\") throw new NoEquivalent("a pattern of it has an open backslash");
    return quoted(escaped);
  });
  return `(?s)^${pattern}$`;
}

const quoted = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
