import { getOwn, type Json, type JsonObject } from "@oven/contract";
import type { Guard } from "@oven/contract/workflow";
import { isObject } from "@oven/engine";
import { NoEquivalent, orReason } from "../../importing/no-equivalent.ts";
import { type Asked, conditionInCode } from "./n8n-conditions-code.ts";
import { type N8nReferences, translateValue } from "./n8n-expression.ts";

/** Those that are `not` another one, by the name of the other. */
const NEGATED: Record<string, string> = {
  notEquals: "equals",
  notEqual: "equals",
  notContains: "contains",
  notStartsWith: "startsWith",
  notEndsWith: "endsWith",
  notRegex: "regex",
  notExists: "exists",
  notEmpty: "empty",
  isNotEmpty: "empty",
};
const ALIASES: Record<string, string> = {
  equal: "equals",
  larger: "gt",
  largerEqual: "gte",
  smaller: "lt",
  smallerEqual: "lte",
  isEmpty: "empty",
};
const COMPARED: Record<string, ">" | ">=" | "<" | "<="> = { gt: ">", gte: ">=", lt: "<", lte: "<=" };

/** Of IF, Switch and Filter, in either of their forms. @throws NoEquivalent */
export function translateConditions(value: Json | undefined, references: N8nReferences, combine?: Json): Guard {
  if (!isObject(value)) throw new NoEquivalent("its conditions are not there");
  if (Array.isArray(value.conditions)) return currentForm(value, value.conditions, references);
  return oldForm(value, combine, references);
}

function currentForm(value: JsonObject, list: readonly Json[], references: N8nReferences): Guard {
  const options = isObject(value.options) ? value.options : {};
  const isLoose = isObject(value.options) && options.typeValidation !== "strict";
  const ignoreCase = isObject(value.options) && !options.caseSensitive;
  const guards = list.filter(isObject).map((condition) => {
    const operator = isObject(condition.operator) ? condition.operator : {};
    return translateCondition(
      { left: condition.leftValue ?? "", right: condition.rightValue ?? "" },
      { operation: String(operator.operation ?? ""), type: String(operator.type ?? ""), isLoose, ignoreCase },
      references,
    );
  });
  return joined(guards, value.combinator === "or" ? "any" : "all");
}

/** What is compared before version 2 of a node, where nothing is said. */
const DEFAULT_OPERATION: Record<string, string> = { number: "smaller", dateTime: "after" };

/** One condition of the older form. @throws NoEquivalent */
export function translateOld(
  sides: { left: Json | undefined; right: Json | undefined; operation: Json | undefined },
  type: string,
  references: N8nReferences,
): Guard {
  const none: Json = type === "boolean" ? false : type === "number" ? 0 : "";
  return translateCondition(
    { left: sides.left ?? "", right: sides.right ?? none },
    {
      operation: String(sides.operation ?? getOwn(DEFAULT_OPERATION, type) ?? "equals"),
      ...{ type, isLoose: type === "number", ignoreCase: false, isOld: true },
    },
    references,
  );
}

/** Before version 2: lists by type. */
function oldForm(value: JsonObject, combine: Json | undefined, references: N8nReferences): Guard {
  const guards = Object.entries(value).flatMap(([type, list]) =>
    (Array.isArray(list) ? list.filter(isObject) : []).map(({ value1, value2, operation }) =>
      translateOld({ left: value1, right: value2, operation }, type, references),
    ),
  );
  return joined(guards, combine === "any" || combine === "OR" ? "any" : "all");
}

function joined(guards: readonly Guard[], type: "all" | "any"): Guard {
  const [first] = guards;
  if (first === undefined) throw new NoEquivalent("it has no conditions");
  return guards.length === 1 ? first : { type, guards: [...guards] };
}

const WHOLE = /^=\s*\{\{(?:(?!\}\}).)*\}\}\s*$/s;
/** What no guard compares. */
const CODE_ONLY = new Set([
  ...["regex", "after", "before", "afterOrEquals", "beforeOrEquals"],
  ...["lengthEquals", "lengthNotEquals", "lengthGt", "lengthGte", "lengthLt", "lengthLte"],
]);

/** Whether a condition has to be computed, as far as that is seen before anything of it is. */
function needsCode({ left, right }: { left: Json; right: Json }, { operation, type, ignoreCase }: Asked): boolean {
  if (operation === "exists" || operation === "empty") return false;
  const isComputed = (value: Json) => typeof value === "string" && value.startsWith("=");
  if (!isComputed(left) || !WHOLE.test(String(left))) return true;
  if (CODE_ONLY.has(operation) || type === "dateTime") return true;
  const isText = type === "string" || type === "";
  return isText && isComputed(right) && (ignoreCase || operation === "startsWith" || operation === "endsWith");
}

/** As a guard; else a step before computes it, and the guard reads whether it holds. @throws NoEquivalent */
function translateCondition(sides: { left: Json; right: Json }, asked: Asked, references: N8nReferences): Guard {
  const negated = Object.hasOwn(NEGATED, asked.operation) ? NEGATED[asked.operation] : undefined;
  if (negated !== undefined)
    return { type: "not", guard: translateCondition(sides, { ...asked, operation: negated }, references) };
  const operation = Object.hasOwn(ALIASES, asked.operation) ? (ALIASES[asked.operation] ?? "") : asked.operation;
  const plain = { ...asked, operation };
  const exact = needsCode(sides, plain) ? undefined : orReason(() => toGuard(sides, plain, references));
  if (exact !== undefined && "value" in exact) return exact.value;
  const code = conditionInCode(sides, plain);
  if (code === undefined) throw exact === undefined ? unknown(asked) : new NoEquivalent(exact.reason);
  return { type: "condition", params: { key: references.compute(code), operator: "==", value: true } };
}

function toGuard(sides: { left: Json; right: Json }, asked: Asked, references: N8nReferences): Guard {
  const { operation } = asked;
  const key = translateValue(sides.left, references);
  if (typeof key !== "string" || !/^\$\.[^|]*$/.test(key))
    throw new NoEquivalent("the left side of a condition is not one value of the run");
  const compare = (operator: (typeof COMPARED)[string] | "==" | "contains" | "matches", value: Json): Guard => ({
    type: "condition",
    params: { key, operator, value },
    ...(asked.isLoose ? { loose: true } : {}),
  });
  // What is null is not there, either.
  if (operation === "exists") return { type: "condition", params: { key, operator: "!=", value: null } };
  if (operation === "empty" || (operation === "equals" && asked.type === "string" && sides.right === ""))
    return { type: "condition", params: { key, operator: "empty" } };
  if (asked.type === "dateTime") throw unknown(asked);
  if (asked.type === "boolean" && (operation === "true" || operation === "false"))
    return compare("==", operation === "true");
  const right = translateValue(sides.right, references);
  const comparison = Object.hasOwn(COMPARED, operation) ? COMPARED[operation] : undefined;
  if (comparison !== undefined) return compare(comparison, toNumber(right, asked.type));
  const isText = asked.type === "string" || asked.type === "";
  if (!isText || (!asked.ignoreCase && (operation === "equals" || operation === "contains"))) {
    if (operation === "equals") return compare("==", toNumber(right, asked.type));
    if (operation === "contains" && !(asked.ignoreCase && typeof right === "string")) return compare("contains", right);
    throw unknown(asked);
  }
  if (typeof sides.right !== "string" || sides.right.startsWith("="))
    throw new NoEquivalent(`the text of “${asked.operation}” is computed`);
  const quoted = sides.right.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const flag = asked.ignoreCase ? "(?is)" : "(?s)";
  switch (operation) {
    case "equals":
      return compare("matches", `${flag}^${quoted}$`);
    case "contains":
      return compare("matches", `${flag}${quoted}`);
    case "startsWith":
      return compare("matches", `${flag}^${quoted}`);
    case "endsWith":
      return compare("matches", `${flag}${quoted}$`);
    default:
      throw unknown(asked);
  }
}

function toNumber(value: Json, type: string): Json {
  const isNumber =
    type === "number" && typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value));
  return isNumber ? Number(value) : value;
}

function unknown({ operation, type }: Asked): NoEquivalent {
  return new NoEquivalent(`the condition “${operation}” of ${type || "text"} has no exact equivalent`);
}
