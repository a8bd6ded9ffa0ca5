import { type ASTNode, Environment, EvaluationError, type ParseResult } from "@marcbachmann/cel-js";
import type { Json } from "@oven/contract";
import {
  resetBudget,
  spend,
  spendOn,
  spendOnEqual,
  spendOnIn,
  spendOnLeft,
  spendOnMatching,
  spendOnResult,
} from "./cel-budget.ts";
import { ExpressionSyntaxError, expressionError } from "./expression-error.ts";
import { getOwn, isObject, setOwn } from "./json-access.ts";
import { matchesPattern } from "./regex.ts";
import { resolveRoot, type Scope, toVariables } from "./scope.ts";

/*
 * CEL with limits. The library bounds parsing only, so evaluation is bounded here: comprehensions do not nest, each runs
 * over at most MAX_ITEMS items, and what takes time or memory in proportion to data is counted (cel-budget.ts). The text is
 * rewritten so that receivers and operands go through functions of ours.
 */

const MAX_EXPRESSION = 4_000;
const MAX_ITEMS = 1_000;
const VARIABLES = ["ctx", "trigger", "item", "index", "parent", "execution", "output", "event"] as const;
const COMPREHENSIONS: ReadonlySet<string> = new Set(["all", "exists", "exists_one", "map", "filter"]);
/** Errors that mean "it is not there" rather than "it is wrong". */
const MISSING: ReadonlySet<string> = new Set(["no_such_key", "index_out_of_bounds"]);

/** `matches` of the library is the JavaScript engine, which backtracks; calls are renamed to this one. */
const LIMITED = "oven_list";
const MATCHES = "oven_matches";
/** Functions around operands, by what is counted. */
const SPEND = "oven_spend";
const SPEND_LEFT = "oven_left";
const SPEND_EQUAL = "oven_equal";
const SPEND_IN = "oven_in";
/** Methods and functions whose cost grows with what they are called on. */
const COUNTED: ReadonlySet<string> = new Set(
  "split join contains startsWith endsWith lowerAscii upperAscii trim indexOf lastIndexOf substring size json hex string base64 bytes double int bool".split(
    " ",
  ),
);

const environment = createEnvironment();

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
  const inserts: Insert[] = [];
  collect(first.ast, false, inserts);
  const program = inserts.length === 0 ? first : parse(rewrite(expression, inserts));
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

function createEnvironment(): Environment {
  const made = new Environment({
    homogeneousAggregateLiterals: false,
    limits: {
      maxAstNodes: 1_000,
      maxDepth: 40,
      maxListElements: MAX_ITEMS,
      maxMapEntries: MAX_ITEMS,
      maxCallArguments: 8,
    },
  });
  for (const name of VARIABLES) made.registerVariable(name, "dyn");
  // JSON has one number type; CEL literals are 64-bit integers. Mixed arithmetic gives a JSON number.
  const arithmetic: Record<string, (left: number, right: number) => number> = {
    "+": (left, right) => left + right,
    "-": (left, right) => left - right,
    "*": (left, right) => left * right,
    "/": (left, right) => left / right,
    "%": (left, right) => left % right,
  };
  for (const [operator, apply] of Object.entries(arithmetic)) {
    const mixed = (left: unknown, right: unknown): number => apply(Number(left), Number(right));
    made.registerOperator(`int ${operator} double`, mixed);
    made.registerOperator(`double ${operator} int`, mixed);
  }
  made.registerOperator("double % double", (left: number, right: number) => left % right);
  made.registerFunction(`${LIMITED}(dyn): dyn`, (list: unknown) => {
    const size = Array.isArray(list) ? list.length : isObject(list) ? Object.keys(list).length : 0;
    if (size > MAX_ITEMS) throw new RangeError(`a list of ${size} items is over the limit of ${MAX_ITEMS}`);
    spend(size);
    return list;
  });
  made.registerFunction(`string.${MATCHES}(string): bool`, (text: string, pattern: string) => {
    spendOnMatching(text);
    return matchesPattern(pattern, text);
  });
  made.registerFunction(`${SPEND}(dyn): dyn`, spendOn);
  made.registerFunction(`${SPEND_LEFT}(dyn): dyn`, spendOnLeft);
  made.registerFunction(`${SPEND_EQUAL}(dyn): dyn`, spendOnEqual);
  made.registerFunction(`${SPEND_IN}(dyn): dyn`, spendOnIn);
  return made;
}

function parse(expression: string): ParseResult {
  try {
    const program = environment.parse(expression);
    const check = program.check();
    if (!check.valid) throw check.error ?? new Error("it does not type-check");
    return program;
  } catch (cause) {
    const reason = cause instanceof Error ? (cause.message.split("\n")[0] ?? "") : String(cause);
    throw new ExpressionSyntaxError(
      "cel",
      `${JSON.stringify(expression)} is not valid CEL: ${reason}`,
      `Variables are ${VARIABLES.join(", ")}; for example ctx.total > 10 && trigger.vip.`,
      cause,
    );
  }
}

interface Insert {
  at: number;
  text: string;
  /** Characters replaced. */
  drop: number;
}

/** Finds the comprehensions (refusing nested ones) and what is to be counted, and where to rewrite the text. */
function collect(node: unknown, inside: boolean, inserts: Insert[]): void {
  if (Array.isArray(node)) {
    for (const child of node) collect(child, inside, inserts);
    return;
  }
  if (!isAst(node)) return;
  if (node.op === "+" || node.op === "==" || node.op === "!=" || node.op === "in") {
    const [left, right] = node.args;
    if (node.op === "+") for (const operand of [left, right]) wrap(operand, SPEND, inserts, false);
    else {
      wrap(left, SPEND_LEFT, inserts);
      wrap(right, node.op === "in" ? SPEND_IN : SPEND_EQUAL, inserts);
    }
  }
  if (node.op === "call") {
    const [name, args] = node.args;
    refuseOwn(name);
    const [first] = args;
    if (COUNTED.has(name) && first !== undefined) wrap(first, SPEND, inserts, false);
  }
  if (node.op !== "rcall") {
    collect(node.args, inside, inserts);
    return;
  }
  const [name, receiver, args] = node.args;
  refuseOwn(name);
  const comprehension = COMPREHENSIONS.has(name) && args.length >= 2;
  if (comprehension && inside) {
    throw new ExpressionSyntaxError(
      "cel",
      `The comprehension .${name}(…) stands inside another one`,
      "Compute the inner list in a step before.",
    );
  }
  // Before what is inside: of two calls that begin at one place, the one around the other is noted first.
  if (comprehension) wrap(receiver, LIMITED, inserts);
  else if (COUNTED.has(name)) wrap(receiver, SPEND, inserts, false);
  collect(receiver, inside, inserts);
  if (name === "matches" && receiver.input) {
    const at = receiver.input.indexOf("matches", receiver.end);
    inserts.push({ at, text: MATCHES, drop: "matches".length });
  }
  collect(args, inside || comprehension, inserts);
}

/** The functions that count are put in by rewriting; written by hand they could miscount. */
function refuseOwn(name: string): void {
  if (!name.startsWith("oven_")) return;
  throw new ExpressionSyntaxError("cel", `There is no function ${name}`, "Functions are those of CEL.");
}

/** Literals are as long as the expression at most, so they need no counting. */
function wrap({ op, start, end }: ASTNode, name: string, inserts: Insert[], literals = true): void {
  if (op === "value" && !literals) return;
  inserts.push({ at: start, text: `${name}(`, drop: 0 }, { at: end, text: ")", drop: 0 });
}

function isAst(value: unknown): value is ASTNode {
  return typeof value === "object" && value !== null && "op" in value && "args" in value;
}

function rewrite(expression: string, inserts: Insert[]): string {
  let result = expression;
  const ordered = inserts
    .map((insert, order) => ({ ...insert, order }))
    .sort((a, b) => b.at - a.at || b.order - a.order);
  for (const { at, text, drop } of ordered) result = result.slice(0, at) + text + result.slice(at + drop);
  return result;
}

function toCelContext(scope: Scope): Record<string, unknown> {
  const context: Record<string, unknown> = { ctx: toVariables(scope) };
  for (const name of VARIABLES) {
    if (name === "ctx") continue;
    const value = resolveRoot(scope, name);
    if (value !== undefined) context[name] = value;
  }
  return context;
}

function failure(expression: string, cause: unknown): Error {
  const reason = cause instanceof Error ? (cause.message.split("\n")[0] ?? "") : String(cause);
  return expressionError(
    `${JSON.stringify(expression)}: ${reason}`,
    "Check the types, or guard the access with has(…).",
    { expression },
    cause,
  );
}

/** CEL's result as JSON: integers become numbers, timestamps ISO text. */
function toJson(value: unknown): Json {
  spendOnResult(value);
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new RangeError("the result is not a finite number");
    return value;
  }
  if (typeof value === "bigint") {
    if (value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER)
      throw new RangeError("the integer is too large for JSON");
    return Number(value);
  }
  if (Array.isArray(value)) return value.map(toJson);
  if (value instanceof Date) return value.toISOString();
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
