import { RE2JS } from "re2js";
import { ExpressionSyntaxError } from "./expression-error.ts";

/** Compiled patterns, oldest dropped first. */
const cache = new Map<string, RE2JS>();
const CACHE_SIZE = 500;
const MAX_PATTERN = 1_000;

/** Linear-time search; a pattern from a definition or from data can never hang the process. */
export function matchesPattern(pattern: string, text: string): boolean {
  return compilePattern(pattern).matcher(text).find();
}

/** @throws ExpressionSyntaxError when RE2 does not know the syntax (look-around, back references) */
export function compilePattern(pattern: string): RE2JS {
  const known = cache.get(pattern);
  if (known) return known;
  if (pattern.length > MAX_PATTERN) {
    throw new ExpressionSyntaxError("regex", `The pattern is longer than ${MAX_PATTERN} characters`, "Shorten it.");
  }
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ExpressionSyntaxError(
      "regex",
      `The pattern ${JSON.stringify(pattern)} is not a valid RE2 expression: ${reason}`,
      "Use RE2 syntax: no look-ahead, look-behind or back references.",
      cause,
    );
  }
  if (cache.size >= CACHE_SIZE) cache.delete(cache.keys().next().value ?? "");
  cache.set(pattern, compiled);
  return compiled;
}
