import type { Json } from "@oven/contract";
import { compileCel } from "./cel.ts";
import { ExpressionSyntaxError } from "./expression-error.ts";
import { isObject, setOwn } from "./json-access.ts";
import { isPathText, parsePath } from "./path.ts";
import { requirePath, type Scope } from "./scope.ts";
import { compileTemplate, isTemplate } from "./template.ts";

/** A value of a definition, ready to be computed. */
export interface CompiledValue {
  /** Whether it is the same for every run. */
  constant: boolean;
  /** @throws OvenError MISSING_VALUE or EXPRESSION_ERROR */
  resolve(scope: Scope): Json;
}

/**
 * `$.path` (keeps its type), text with `{{ }}`, `{"$cel": "…"}`, `{"$literal": …}`; lists and objects of those.
 * @throws ExpressionSyntaxError
 */
export function compileValue(value: Json): CompiledValue {
  if (typeof value === "string") return compileText(value);
  if (Array.isArray(value)) {
    const items = value.map(compileValue);
    return {
      constant: items.every((item) => item.constant),
      resolve: (scope) => items.map((item) => item.resolve(scope)),
    };
  }
  if (!isObject(value)) return constant(value);
  if (Object.hasOwn(value, "$literal")) {
    refuseNeighbours(value, "$literal");
    return constant(value.$literal ?? null);
  }
  if (Object.hasOwn(value, "$cel")) {
    refuseNeighbours(value, "$cel");
    if (typeof value.$cel !== "string")
      throw new ExpressionSyntaxError("cel", "$cel takes a text", 'Write {"$cel": "ctx.n + 1"}.');
    const expression = compileCel(value.$cel);
    return { constant: false, resolve: (scope) => expression.evaluate(scope) };
  }
  const entries = Object.entries(value).map(([key, child]) => [key, compileValue(child)] as const);
  return {
    constant: entries.every(([, child]) => child.constant),
    resolve: (scope) => {
      const result: Record<string, Json> = {};
      for (const [key, child] of entries) setOwn(result, key, child.resolve(scope));
      return result;
    },
  };
}

function compileText(text: string): CompiledValue {
  if (isPathText(text)) {
    const path = parsePath(text);
    return { constant: false, resolve: (scope) => requirePath(scope, path) };
  }
  if (!isTemplate(text)) return constant(text);
  const render = compileTemplate(text);
  return { constant: false, resolve: render };
}

function constant(value: Json): CompiledValue {
  return { constant: true, resolve: () => value };
}

function refuseNeighbours(value: Record<string, Json>, key: string): void {
  const others = Object.keys(value).filter((other) => other !== key);
  if (others.length > 0) {
    throw new ExpressionSyntaxError(
      "value",
      `${key} stands beside ${others.join(", ")}`,
      `An object with ${key} has no other key.`,
    );
  }
}
