import {
  TypeError as CelTypeError,
  EvaluationError,
  Optional,
  ParseError,
  type ParseResult,
} from "@marcbachmann/cel-js";
import { Duration, UnsignedInt } from "@marcbachmann/cel-js/evaluator";
import type { Json } from "@oven/contract";
import { resetBudget, spendOnResult } from "./cel-budget.ts";
import { CEL_VARIABLES, celEnvironment, OWN } from "./cel-environment.ts";
import { rewriteCel } from "./cel-rewrite.ts";
import { durationText, requireInRange } from "./cel-time.ts";
import { ExpressionSyntaxError, expressionError } from "./expression-error.ts";
import { getOwn, setOwn } from "./json-access.ts";
import { resolveRoot, type Scope, toVariables } from "./scope.ts";

/*
 * CEL with limits. The library bounds parsing only, so evaluation is bounded here: comprehensions do not nest, each runs
 * over at most MAX_ITEMS items, and what takes time or memory in proportion to data is counted (cel-budget.ts). The text is
 * rewritten so that receivers and operands go through functions of ours.
 */

const MAX_EXPRESSION = 4_000;
/** Errors that mean "it is not there" rather than "it is wrong". */
const MISSING: ReadonlySet<string> = new Set(["no_such_key", "index_out_of_bounds"]);

export interface CelExpression {
  /** @throws OvenError EXPRESSION_ERROR, also for a missing key */
  evaluate(scope: Scope): Json;
  /** As a guard: a missing key is false. @throws OvenError EXPRESSION_ERROR */
  test(scope: Scope): boolean;
}

/** @throws ExpressionSyntaxError */
export function compileCel(expression: string): CelExpression {
  if (expression.length > MAX_EXPRESSION) {
    throw new ExpressionSyntaxError(
      "cel",
      `The expression is longer than ${MAX_EXPRESSION} characters`,
      "Split it over several steps.",
    );
  }
  const first = parse(expression);
  const counted = rewriteCel(expression, first.ast);
  const program = counted === expression ? first : parse(counted, expression);
  const run = (scope: Scope): unknown => {
    resetBudget();
    return program(toCelContext(scope));
  };
  return {
    evaluate(scope) {
      try {
        return toJson(run(scope));
      } catch (cause) {
        throw failure(expression, cause);
      }
    },
    test(scope) {
      try {
        const result = run(scope);
        if (typeof result === "boolean") return result;
        throw new TypeError(`the result is ${result === null ? "null" : typeof result}, not true or false`);
      } catch (cause) {
        if (cause instanceof EvaluationError && MISSING.has(cause.code)) return false;
        throw failure(expression, cause);
      }
    },
  };
}

/** The type that every result of an expression has, as CEL names it; `dyn` where that depends on values, undefined where it does not parse. */
export function celType(expression: string): string | undefined {
  try {
    return parse(expression).check().type;
  } catch (cause) {
    if (cause instanceof ExpressionSyntaxError) return undefined;
    throw cause;
  }
}

/** @param written what the author wrote; `text` is that, or what it was rewritten to */
function parse(text: string, written = text): ParseResult {
  try {
    const program = celEnvironment.parse(text);
    const check = program.check();
    if (!check.valid) throw check.error ?? new Error("it does not type-check");
    return program;
  } catch (cause) {
    const reason = reasonOf(cause);
    const range = text === written ? rangeOf(cause) : undefined;
    throw new ExpressionSyntaxError(
      "cel",
      `${JSON.stringify(written)} is not valid CEL: ${reason}`,
      `Variables are ${CEL_VARIABLES.join(", ")}; for example ctx.total > 10 && trigger.vip.`,
      cause,
      range && { ...range, reason },
    );
  }
}

/** Without the names that calls are renamed to. */
function reasonOf(cause: unknown): string {
  const reason = cause instanceof Error ? (cause.message.split("\n")[0] ?? "") : String(cause);
  return reason.replaceAll(OWN, "");
}

function rangeOf(cause: unknown): { start: number; end: number } | undefined {
  return cause instanceof ParseError || cause instanceof CelTypeError ? cause.range : undefined;
}

function toCelContext(scope: Scope): Record<string, unknown> {
  const context: Record<string, unknown> = { ctx: toVariables(scope) };
  for (const name of CEL_VARIABLES) {
    if (name === "ctx") continue;
    const value = resolveRoot(scope, name);
    if (value !== undefined) context[name] = value;
  }
  return context;
}

function failure(expression: string, cause: unknown): Error {
  return expressionError(
    `${JSON.stringify(expression)}: ${reasonOf(cause)}`,
    "Check the types, or guard the access with has(…).",
    { expression },
    cause,
  );
}

/** CEL's result as JSON: integers become numbers, the negative zero the one that JSON has, timestamps ISO text, durations text in seconds. */
function toJson(value: unknown): Json {
  spendOnResult(value);
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new RangeError("the result is not a finite number");
    return value === 0 ? 0 : value;
  }
  if (value instanceof UnsignedInt) return toJson(value.value);
  if (typeof value === "bigint") {
    if (value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER)
      throw new RangeError(`the integer ${value} is too large for a number of JSON: make text of it with string(…)`);
    return Number(value);
  }
  if (Array.isArray(value)) return value.map(toJson);
  if (value instanceof Date) return requireInRange(value).toISOString();
  if (value instanceof Duration) return durationText(value);
  if (value instanceof Optional) throw new TypeError("the result is an optional value: end it with .orValue(…)");
  if (value instanceof Map) {
    const result: Record<string, Json> = {};
    for (const [key, child] of value) setOwn(result, String(key), toJson(child));
    return result;
  }
  const prototype: unknown = typeof value === "object" ? Object.getPrototypeOf(value) : undefined;
  if (prototype === Object.prototype || prototype === null) {
    const source = value as Record<string, unknown>; // cast: a plain object
    const result: Record<string, Json> = {};
    for (const key of Object.keys(source)) setOwn(result, key, toJson(getOwn(source, key)));
    return result;
  }
  throw new TypeError("the result is not JSON");
}
