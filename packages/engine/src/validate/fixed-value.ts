import type { Json } from "@oven/contract";
import { ExpressionSyntaxError } from "../expressions/expression-error.ts";
import { isObject } from "../expressions/json-access.ts";
import { compileValue } from "../expressions/value.ts";

/** The value that every run has at a place of a definition; undefined: a run computes it, or it does not parse. */
export function fixedValue(value: Json): Json | undefined {
  try {
    if (!compileValue(value).constant) return undefined;
  } catch (cause) {
    if (cause instanceof ExpressionSyntaxError) return undefined; // reported by the expression check
    throw cause;
  }
  return isObject(value) && Object.hasOwn(value, "$literal") ? (value.$literal ?? null) : value;
}
