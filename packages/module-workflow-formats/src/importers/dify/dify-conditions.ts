import type { Json, JsonObject } from "@oven/contract";
import type { Guard, Operator } from "@oven/contract/workflow";
import { toLiteral } from "../../importing/literals.ts";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import type { DifyData } from "./dify-data.ts";
import { objectsIn, selectorOf } from "./dify-document.ts";

/** Those that also hold where there is no value, by what they are the opposite of. */
const OPPOSITE: Record<string, string> = {
  "not contains": "contains",
  "not empty": "empty",
  "is not empty": "empty",
  null: "exists",
  "is null": "exists",
  "not exists": "exists",
  "not in": "in",
};
/** Those that need a value. */
const DIFFERENT: Record<string, string> = { "is not": "is", "≠": "=" };
const COMPARED: Record<string, Operator> = { ">": ">", "≥": ">=", "<": "<", "≤": "<=" };
const UNARY = new Set(["empty", "is empty", "exists", "not null", "is not null"]);

/** Conditions joined by `and` or `or`. @throws NoEquivalent */
export function translateCase({ conditions, logical_operator }: JsonObject, data: DifyData): Guard {
  const guards = objectsIn(conditions).map((condition) => {
    const selector = selectorOf(condition.variable_selector);
    const { sub_variable_condition: inner } = condition;
    if (selector === undefined || (inner !== undefined && inner !== null))
      throw new NoEquivalent("a condition does not compare one variable");
    const operator = String(condition.comparison_operator ?? "");
    const isFiles = selector.join(".") === "sys.files" && /empty|exists|null/.test(operator);
    return translate({
      key: isFiles ? data.files() : data.path(selector),
      operator,
      given: condition.value ?? "",
      type: typeof condition.varType === "string" ? condition.varType : condition.numberVarType ? "number" : "",
      data,
    });
  });
  const [first] = guards;
  if (first === undefined) throw new NoEquivalent("it has no conditions");
  return guards.length === 1 ? first : { type: logical_operator === "or" ? "any" : "all", guards };
}

interface Comparison {
  key: string;
  operator: string;
  given: Json;
  /** Of the variable: string, number, boolean, array[string] …; empty: unknown. */
  type: string;
  data: DifyData;
}

function translate(comparison: Comparison): Guard {
  const { key, operator } = comparison;
  const opposite = Object.hasOwn(OPPOSITE, operator) ? OPPOSITE[operator] : undefined;
  if (opposite !== undefined) return { type: "not", guard: translate({ ...comparison, operator: opposite }) };
  const same = Object.hasOwn(DIFFERENT, operator) ? DIFFERENT[operator] : undefined;
  if (same !== undefined) {
    const guard: Guard = { type: "not", guard: translate({ ...comparison, operator: same }) };
    return { type: "all", guards: [isThere(key), guard] };
  }
  if (UNARY.has(operator)) return operator.endsWith("empty") ? isEmpty(comparison) : isThere(key);
  return compareWith(comparison);
}

/** It is there, and not null. */
function isThere(key: string): Guard {
  return { type: "condition", params: { key, operator: "!=", value: null } };
}

/** Zero and false are empty, too. */
function isEmpty({ key, type }: Comparison): Guard {
  const empty: Guard = { type: "condition", params: { key, operator: "empty" } };
  const also = type === "number" ? [0] : type === "boolean" ? [false] : type === "" ? [0, false] : [];
  const equal = also.map((value): Guard => ({ type: "condition", params: { key, operator: "==", value } }));
  return equal.length === 0 ? empty : { type: "any", guards: [empty, ...equal] };
}

function compareWith({ key, operator, given, type, data }: Comparison): Guard {
  const compare = (to: Operator, value: Json, isLoose = false): Guard => ({
    type: "condition",
    params: { key, operator: to, value },
    ...(isLoose ? { loose: true } : {}),
  });
  const comparison = Object.hasOwn(COMPARED, operator) ? COMPARED[operator] : undefined;
  if (comparison !== undefined || operator === "=")
    return compare(comparison ?? "==", asNumber(given, data), typeof given === "string");
  switch (operator) {
    case "is":
      return type === "boolean" ? compare("==", asBoolean(given, data), true) : compare("==", data.text(given), true);
    case "contains":
      return compare("contains", /bool/.test(type) ? asBoolean(given, data) : data.text(given));
    case "in": {
      if (!Array.isArray(given)) throw new NoEquivalent("“in” compares with something that is no list");
      const filled = translate({ key, operator: "not empty", given, type, data });
      return { type: "all", guards: [filled, compare("in", toLiteral(given))] };
    }
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

/** A number is written as text; what is computed is compared as the number that it reads as. */
function asNumber(given: Json, data: DifyData): Json {
  if (typeof given === "number") return given;
  const text = String(given).trim();
  if (text.includes("{{#")) return data.value(given);
  if (text === "" || !Number.isFinite(Number(text)))
    throw new NoEquivalent(`it compares a number with ${JSON.stringify(given)}`);
  return Number(text);
}

function asBoolean(given: Json, data: DifyData): Json {
  if (typeof given === "boolean") return given;
  const text = String(given).trim();
  if (text.includes("{{#")) return data.value(given);
  if (text === "true" || text === "1") return true;
  if (text === "false" || text === "0") return false;
  throw new NoEquivalent(`it compares true or false with ${JSON.stringify(given)}`);
}
