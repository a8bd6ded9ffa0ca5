import type { Json, JsonObject } from "@oven/contract";
import type { CompiledAction } from "../compile/action.ts";
import { expressionError } from "../expressions/expression-error.ts";
import { getChild, isObject, setOwn } from "../expressions/json-access.ts";
import { resolvePath, type Scope } from "../expressions/scope.ts";
import type { ContextOp } from "../store.ts";
import { toPointer } from "./context.ts";

type Assign = Extract<CompiledAction, { type: "assign" }>;

/** The patch that an `assign` makes on the context as it stands. @throws OvenError */
export function toAssignOps(action: Assign, scope: Scope): ContextOp[] {
  const value = action.value.resolve(scope);
  const { segments, source } = action.path;
  switch (action.mode) {
    case "value":
      return writeAt(scope, segments, value, source);
    case "add": {
      const current = resolvePath(scope, action.path) ?? 0;
      if (typeof current !== "number" || typeof value !== "number") {
        throw expressionError(
          `assign add: ${source} and what is added to it must be numbers`,
          "Check the types, or use value.",
        );
      }
      return writeAt(scope, segments, current + value, source);
    }
    case "append": {
      const stored = readStored(scope, segments);
      const current = stored ?? resolvePath(scope, action.path) ?? [];
      if (!Array.isArray(current))
        throw expressionError(`assign append: ${source} is not a list`, "Start with [] in the definition's context.");
      const overflow = action.keep !== undefined && current.length + 1 > action.keep;
      if (stored === undefined || overflow) {
        const kept = [...current, value].slice(-(action.keep ?? Number.POSITIVE_INFINITY));
        return writeAt(scope, segments, kept, source);
      }
      return [{ op: "add", path: `${toPointer(normalise(scope, segments))}/-`, value }];
    }
  }
}

/** What the context itself holds there; shorthands and the trigger do not count. */
function readStored(scope: Scope, segments: readonly (string | number)[]): Json | undefined {
  let value: Json | undefined = scope.context.values;
  for (const segment of segments) value = getChild(value, segment);
  return value;
}

/** Writes one value, making the objects on the way to it. */
function writeAt(scope: Scope, segments: readonly (string | number)[], value: Json, source: string): ContextOp[] {
  let parent: Json = scope.context.values;
  for (let depth = 0; depth < segments.length - 1; depth += 1) {
    const segment = segments[depth] ?? "";
    const child: Json | undefined = getChild(parent, segment);
    if (child === undefined || child === null) {
      if (Array.isArray(parent))
        throw expressionError(`assign: ${source} goes beyond the end of a list`, "Append to the list first.");
      const nested = segments.slice(depth + 1).reduceRight<Json>((inner, key) => toObject(key, inner, source), value);
      return [{ op: "add", path: toPointer(normalise(scope, segments.slice(0, depth + 1))), value: nested }];
    }
    if (!Array.isArray(child) && !isObject(child)) {
      throw expressionError(
        `assign: ${source} goes through a value that is neither an object nor a list`,
        "Write to another path.",
      );
    }
    parent = child;
  }
  const last = segments.at(-1) ?? "";
  const path = toPointer(normalise(scope, segments));
  if (Array.isArray(parent)) {
    if (getChild(parent, last) === undefined)
      throw expressionError(`assign: ${source} has no such item`, "Append to the list first.");
    return [{ op: "replace", path, value }];
  }
  return [{ op: "add", path, value }];
}

function toObject(key: string | number, value: Json, source: string): JsonObject {
  if (typeof key === "number")
    throw expressionError(`assign: ${source} names an item of a list that does not exist`, "Write the list first.");
  const object: JsonObject = {};
  setOwn(object, key, value);
  return object;
}

/** Negative indexes as positive ones. */
function normalise(scope: Scope, segments: readonly (string | number)[]): (string | number)[] {
  let value: Json | undefined = scope.context.values;
  return segments.map((segment) => {
    const here: Json | undefined = value;
    value = getChild(here, segment);
    if (typeof segment === "number" && segment < 0 && Array.isArray(here)) return here.length + segment;
    return segment;
  });
}
