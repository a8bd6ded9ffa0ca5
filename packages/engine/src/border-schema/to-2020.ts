import type { Json, JsonObject } from "@oven/contract";
import { isObject, setOwn } from "../expressions/json-access.ts";

/** Keywords whose value is data, a name or a number: nothing in it is a schema. */
const DATA: ReadonlySet<string> = new Set([
  "const",
  "enum",
  "default",
  "examples",
  "example",
  "required",
  "dependentRequired",
]);
const MAPS: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "dependentSchemas",
  "$defs",
  "definitions",
]);

/**
 * A schema of an older draft in the words of 2020-12, which is what values are checked by. What it changes does not exist in 2020-12, so
 * a schema of that draft stays as it is: `exclusiveMinimum: true`, a list as `items`, `additionalItems` beside one, `dependencies`.
 */
export function toDraft2020(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(toDraft2020);
  if (!isObject(schema)) return schema;
  const out: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    if (DATA.has(key)) setOwn(out, key, value);
    else if (MAPS.has(key) && isObject(value)) setOwn(out, key, mapSchemas(value, toDraft2020));
    else setOwn(out, key, toDraft2020(value));
  }
  withExclusive(out, "minimum", "exclusiveMinimum");
  withExclusive(out, "maximum", "exclusiveMaximum");
  withTuple(out);
  withDependencies(out, schema.dependencies);
  return out;
}

function withExclusive(out: JsonObject, bound: "minimum" | "maximum", exclusive: string): void {
  if (typeof out[exclusive] !== "boolean") return;
  const isExclusive = out[exclusive];
  delete out[exclusive];
  const value = out[bound];
  if (!isExclusive || value === undefined) return;
  out[exclusive] = value;
  delete out[bound];
}

function withTuple(out: JsonObject): void {
  if (!Array.isArray(out.items)) return;
  const { items, additionalItems } = out;
  if (items.length > 0) out.prefixItems = items;
  delete out.items;
  delete out.additionalItems;
  if (additionalItems !== undefined) out.items = additionalItems;
}

function withDependencies(out: JsonObject, given: Json | undefined): void {
  if (!isObject(given)) return;
  delete out.dependencies;
  const lists = Object.entries(given).filter(([, value]) => Array.isArray(value));
  const schemas = Object.entries(given).filter(([, value]) => !Array.isArray(value));
  if (lists.length > 0)
    out.dependentRequired = {
      ...(isObject(out.dependentRequired) ? out.dependentRequired : {}),
      ...Object.fromEntries(lists),
    };
  if (schemas.length > 0)
    out.dependentSchemas = {
      ...(isObject(out.dependentSchemas) ? out.dependentSchemas : {}),
      ...mapSchemas(Object.fromEntries(schemas), toDraft2020),
    };
}

/** A map of schemas by name, each changed. */
export function mapSchemas(map: JsonObject, change: (schema: Json, name: string) => Json): JsonObject {
  return Object.fromEntries(Object.entries(map).map(([name, child]) => [name, change(child, name)]));
}
