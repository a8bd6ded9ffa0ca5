import type { Json } from "@oven/contract";
import { isPathText } from "@oven/contract/workflow";
import { compileCel } from "./cel.ts";
import { ExpressionSyntaxError } from "./expression-error.ts";
import { isObject, setOwn } from "./json-access.ts";
import type { Late } from "./late.ts";
import { type Path, parsePath } from "./path.ts";
import { isContentReference } from "./reference.ts";
import { requirePath, type Scope } from "./scope.ts";
import { compileLateTemplate, compileTemplate, followsContent, isTemplate } from "./template.ts";

/** A value of a definition, ready to be computed. */
export interface CompiledValue {
  /** Whether it is the same for every run. */
  constant: boolean;
  /** @throws OvenError MISSING_VALUE or EXPRESSION_ERROR */
  resolve(scope: Scope): Json;
  /**
   * Present when something in it has `| full`: the value with the references that are still to be followed. `resolve` leaves
   * them as they are, which is what guards, outputs and variables see.
   * @throws as `resolve`
   */
  late?: (scope: Scope) => Late;
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
      ...(items.some(({ late }) => late) && {
        late: (scope: Scope) => ({ l: items.map((item) => toLate(item, scope)) }),
      }),
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
    ...(entries.some(([, { late }]) => late) && {
      late: (scope: Scope) => ({ o: entries.map(([key, child]): [string, Late] => [key, toLate(child, scope)]) }),
    }),
  };
}

function toLate(value: CompiledValue, scope: Scope): Late {
  return value.late?.(scope) ?? { v: value.resolve(scope) };
}

function compileText(text: string): CompiledValue {
  if (isPathText(text)) {
    const path = parsePath(text);
    return {
      constant: false,
      resolve: (scope) => requirePath(scope, path),
      ...(followsContent(path) && { late: (scope: Scope) => toLatePath(path, scope) }),
    };
  }
  if (!isTemplate(text)) return constant(text);
  const late = compileLateTemplate(text);
  return { constant: false, resolve: compileTemplate(text), ...(late && { late }) };
}

function toLatePath(path: Path, scope: Scope): Late {
  const value = requirePath(scope, path);
  return isContentReference(value) ? { r: value } : { v: value };
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
