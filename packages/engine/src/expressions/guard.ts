import type { Json } from "@oven/contract";
import type { Guard, Operator } from "@oven/contract/workflow";
import { compileCel } from "./cel.ts";
import { ExpressionSyntaxError, expressionError } from "./expression-error.ts";
import { getOwn, isObject, isSameJson } from "./json-access.ts";
import { parsePath } from "./path.ts";
import { compilePattern, matchesPattern } from "./regex.ts";
import { resolvePath, type Scope } from "./scope.ts";
import { type CompiledValue, compileValue } from "./value.ts";

/** @throws OvenError EXPRESSION_ERROR when the guard cannot be decided on this data */
export type CompiledGuard = (scope: Scope) => boolean;

/** @throws ExpressionSyntaxError */
export function compileGuard(guard: Guard): CompiledGuard {
  switch (guard.type) {
    case "condition":
      return compileCondition(guard.params, guard.loose ?? false);
    case "not": {
      const inner = compileGuard(guard.guard);
      return (scope) => !inner(scope);
    }
    case "all": {
      const inner = guard.guards.map(compileGuard);
      return (scope) => inner.every((test) => test(scope));
    }
    case "any": {
      const inner = guard.guards.map(compileGuard);
      return (scope) => inner.some((test) => test(scope));
    }
    case "cel": {
      const expression = compileCel(guard.params.expression);
      return (scope) => expression.test(scope);
    }
  }
}

type Condition = Extract<Guard, { type: "condition" }>["params"];

function compileCondition(condition: Condition, loose: boolean): CompiledGuard {
  const key = parsePath(condition.key);
  const { operator } = condition;
  if (operator === "exists") return (scope) => resolvePath(scope, key) !== undefined;
  if (operator === "empty") return (scope) => isEmpty(resolvePath(scope, key));
  if (condition.value === undefined) {
    throw new ExpressionSyntaxError("guard", `The operator ${operator} needs a value`, "Give params.value.");
  }
  if (operator === "matches" && typeof condition.value === "string" && isConstant(condition.value))
    compilePattern(condition.value);
  const expected = compileValue(condition.value);
  return (scope) => {
    const actual = resolvePath(scope, key);
    if (actual === undefined) return false;
    const value = resolveOptional(expected, scope);
    return value !== undefined && compare(operator, actual, value, loose);
  };
}

function isConstant(text: string): boolean {
  return compileValue(text).constant;
}

/** A missing value on the right side makes the guard false, like one on the left. */
function resolveOptional(value: CompiledValue, scope: Scope): Json | undefined {
  try {
    return value.resolve(scope);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "MISSING_VALUE") return undefined;
    throw error;
  }
}

function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}

/** Both sides are present. `loose` (imported guards) also compares numbers and booleans with their text. */
export function compare(operator: Operator, actual: Json, value: Json, loose: boolean): boolean {
  switch (operator) {
    case "==":
      return isEqual(actual, value, loose);
    case "!=":
      return !isEqual(actual, value, loose);
    case ">":
      return order(actual, value, loose) > 0;
    case "<":
      return order(actual, value, loose) < 0;
    case ">=":
      return order(actual, value, loose) >= 0;
    case "<=":
      return order(actual, value, loose) <= 0;
    case "contains":
      if (typeof actual === "string") return typeof value === "string" && actual.includes(value);
      if (Array.isArray(actual)) return actual.some((item) => isEqual(item, value, loose));
      return isObject(actual) && typeof value === "string" && getOwn(actual, value) !== undefined;
    case "in":
      return Array.isArray(value) && value.some((item) => isEqual(actual, item, loose));
    case "matches":
      return typeof actual === "string" && typeof value === "string" && matchesText(value, actual);
    case "exists":
      return true;
    case "empty":
      return isEmpty(actual);
  }
}

function matchesText(pattern: string, text: string): boolean {
  try {
    return matchesPattern(pattern, text);
  } catch (cause) {
    if (cause instanceof ExpressionSyntaxError) throw expressionError(cause.message, cause.fix, { pattern }, cause);
    throw cause;
  }
}

function isEqual(left: Json, right: Json, loose: boolean): boolean {
  if (isSameJson(left, right)) return true;
  return loose && isScalar(left) && isScalar(right) && String(left) === String(right);
}

function isScalar(value: Json): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** NaN, which no comparison accepts, when the two cannot be ordered. */
function order(left: Json, right: Json, loose: boolean): number {
  if (typeof left === "number" && typeof right === "number") return left - right;
  if (loose && isScalar(left) && isScalar(right) && left !== "" && right !== "") {
    const numeric = Number(left) - Number(right);
    if (!Number.isNaN(numeric)) return numeric;
  }
  if (typeof left === "string" && typeof right === "string") return left < right ? -1 : left > right ? 1 : 0;
  return Number.NaN;
}
