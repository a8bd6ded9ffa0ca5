import { isObject, type Json, type JsonObject, setOwn } from "@oven/contract";
import { objectAt } from "../references.ts";

/** An object whose properties can be named one by one. */
export interface FlatObject {
  properties: JsonObject;
  required: Set<string>;
}

const DEEPEST = 20;
/** What says more of an object than its properties. */
const OTHERS = ["oneOf", "anyOf", "not", "if", "patternProperties", "dependentSchemas", "enum", "const"];

/**
 * The properties of an object with those of all that it is made of (`allOf`). Undefined: it is no object, or it takes more than these
 * properties, or different ones together.
 */
export function flattenObject(given: Json | undefined, root: JsonObject): FlatObject | undefined {
  const out: FlatObject = { properties: {}, required: new Set() };
  return add(given, root, out, 0) && Object.keys(out.properties).length > 0 ? out : undefined;
}

function add(given: Json | undefined, root: JsonObject, out: FlatObject, depth: number): boolean {
  const schema = objectAt(root, given);
  if (schema === undefined || depth > DEEPEST) return false;
  if (schema.type !== undefined && schema.type !== "object") return false;
  if (schema.nullable === true || OTHERS.some((key) => schema[key] !== undefined)) return false;
  const { additionalProperties } = schema;
  if (additionalProperties === true || isObject(additionalProperties)) return false;
  if (Array.isArray(schema.allOf) && !schema.allOf.every((part) => add(part, root, out, depth + 1))) return false;
  for (const [name, property] of Object.entries(isObject(schema.properties) ? schema.properties : {})) {
    const before = Object.hasOwn(out.properties, name) ? out.properties[name] : undefined;
    setOwn(out.properties, name, before === undefined ? property : { allOf: [before, property] });
  }
  for (const name of Array.isArray(schema.required) ? schema.required : [])
    if (typeof name === "string") out.required.add(name);
  return true;
}
