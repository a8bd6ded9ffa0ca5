import { isObject, type Json, type JsonObject } from "@oven/contract";

const SAFE_INTEGER = Number.MAX_SAFE_INTEGER;

/**
 * A JSON Schema without what tells its reader nothing: the dialect, bounds that every number has, what only editors read. Several plain types
 * are one list of types.
 */
export function toShortSchema(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(withTypeList(schema)).flatMap(([key, value]): [string, Json][] => {
      if (key === "$schema" || key.startsWith("x-")) return [];
      if (key === "propertyNames" && isObject(value) && Object.keys(value).join() === "type") return [];
      if (key === "additionalProperties" && (value === false || isEmpty(value))) return [];
      if ((key === "maximum" && value === SAFE_INTEGER) || (key === "minimum" && value === -SAFE_INTEGER)) return [];
      return [[key, shorten(value)]];
    }),
  );
}

/** By type what a schema of it may say that holds for no other type. */
const OWN_KEYS: Readonly<Record<string, readonly string[]>> = {
  null: [],
  boolean: [],
  integer: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  string: ["minLength", "maxLength", "pattern", "format"],
};

/** `anyOf` of plain types as one schema with a list of types: the same values fit. */
function withTypeList(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || rest.type !== undefined) return schema;
  const types: string[] = [];
  const merged: JsonObject = {};
  for (const one of anyOf) {
    const { type, ...own } = isObject(one) ? one : {};
    if (typeof type !== "string" || types.includes(type)) return schema;
    const isOwn = (key: string) => OWN_KEYS[type]?.includes(key) === true && !Object.hasOwn(merged, key);
    if (OWN_KEYS[type] === undefined || !Object.keys(own).every(isOwn)) return schema;
    types.push(type);
    Object.assign(merged, own);
  }
  return { type: types, ...merged, ...rest };
}

function shorten(value: Json): Json {
  if (Array.isArray(value)) return value.map(shorten);
  return isObject(value) ? toShortSchema(value) : value;
}

function isEmpty(value: Json): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

const SHORT = 100;
const REFERENCE = "#/$defs/";

/**
 * A JSON Schema without references, for readers that know none: each definition stands in full where it is used first, and elsewhere
 * as a word about where that is. So a schema that holds itself has an end.
 */
export function spellOutOnce(schema: JsonObject): JsonObject {
  const { $defs, ...root } = schema;
  const definitions = isObject($defs) ? $defs : {};
  const seen = new Map<string, string>();
  const spell = (value: Json, path: string): Json => {
    if (Array.isArray(value)) return value.map((item) => spell(item, path));
    if (!isObject(value)) return value;
    const { $ref, ...beside } = value;
    if (typeof $ref !== "string" || !$ref.startsWith(REFERENCE))
      return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, spell(part, within(path, key))]));
    const name = $ref.slice(REFERENCE.length);
    const definition = isObject(definitions[name]) ? definitions[name] : {};
    const first = seen.get(name);
    if (isPlain(definition)) return { ...definition, ...beside };
    if (first !== undefined) return { ...typeOf(definition), description: `As at ${first}` };
    seen.set(name, path);
    return spell({ ...definition, ...beside }, path);
  };
  return spell(root, "") as JsonObject; // cast: an object is spelled out as one
}

/** Shorter than a word about where it stands. */
function isPlain(definition: JsonObject): boolean {
  const text = JSON.stringify(definition);
  return text.length < SHORT && !text.includes('"$ref"');
}

function typeOf({ type }: JsonObject): JsonObject {
  return type === undefined ? {} : { type };
}

const STRUCTURE = new Set(["properties", "items", "anyOf", "oneOf", "allOf"]);

/** `definition.states.*.invoke.onDone`: the path of values, not of the schema. */
function within(path: string, key: string): string {
  if (STRUCTURE.has(key)) return path;
  const name = key === "additionalProperties" ? "*" : key;
  return path === "" ? name : `${path}.${name}`;
}
