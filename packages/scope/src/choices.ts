import { isObject, type Json, type JsonObject } from "@oven/contract";
import { followPath, readPath } from "./paths.ts";
import { type ScopeOptions, scopeAt } from "./scope.ts";
import type { OutputTypes } from "./types.ts";

/** Where an expression stands. */
export interface ChoicesPlace extends ScopeOptions {
  document: JsonObject;
  /** null: where the run begins. */
  stateId: string | null;
  types: OutputTypes;
}

/**
 * The values that a path can have, to be offered where it is compared: those of an `enum`, a `const`, or both of a yes or no.
 * @param path as a condition has it: `$.classify_output.object.category`
 * @returns empty: any value, or nothing is known
 */
export function choicesAt(path: string, { document, stateId, types, ...options }: ChoicesPlace): Json[] {
  const read = readPath(path);
  if (read === null) return [];
  for (const { keys, schema } of scopeAt(document, stateId, types, options)) {
    if (!keys.every((key, index) => read.keys[index] === key)) continue;
    return valuesOf(followPath(schema, read.keys.slice(keys.length)).schema);
  }
  return [];
}

/** The values that a schema allows; empty: any. */
export function valuesOf(schema: JsonObject | undefined): Json[] {
  if (schema === undefined) return [];
  if (Array.isArray(schema.enum)) return schema.enum;
  if (schema.const !== undefined) return [schema.const];
  if (schema.type === "boolean") return [true, false];
  // Each of the ways must say which values it has: else another one is possible.
  const ways = [schema.anyOf, schema.oneOf].find((list) => Array.isArray(list));
  const values = (ways ?? []).map((way) => (isObject(way) ? valuesOf(way) : []));
  return values.every((list) => list.length > 0) ? values.flat() : [];
}
