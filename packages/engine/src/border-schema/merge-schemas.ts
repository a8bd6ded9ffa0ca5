import type { Json, JsonObject } from "@oven/contract";
import { getOwn, isObject, isSameJson } from "../expressions/json-access.ts";

/** Their meaning hangs on the keywords beside them, so they are not moved into another schema. */
const BOUND: ReadonlySet<string> = new Set([
  ...["additionalProperties", "patternProperties", "unevaluatedProperties", "unevaluatedItems", "items", "prefixItems"],
  ...["contains", "minContains", "maxContains", "if", "then", "else"],
]);

/**
 * A schema and those of its `allOf` as one that accepts at least what they accept together: properties and restrictions that do
 * not meet are put beside each other, of two that do the first one stays.
 */
export function mergeAllOf(schema: JsonObject, parts: readonly JsonObject[]): JsonObject {
  const { allOf: _parts, ...merged } = schema;
  for (const part of parts) {
    for (const [key, value] of Object.entries(part)) {
      if (key === "properties" && isObject(value))
        merged.properties = { ...value, ...(isObject(merged.properties) ? merged.properties : {}) };
      else if (key === "required") merged.required = union(merged.required, value);
      else if (!BOUND.has(key) && !Object.hasOwn(merged, key)) merged[key] = value;
    }
  }
  return merged;
}

/**
 * A schema with the properties of its alternatives instead of the choice between them: it accepts at least what they accept. Where
 * one of them says nothing of a property, its value stays free.
 */
export function mergeAnyOf(schema: JsonObject, alternatives: readonly JsonObject[]): JsonObject {
  const own = isObject(schema.properties) ? schema.properties : {};
  const names = new Set(
    alternatives.flatMap(({ properties }) => (isObject(properties) ? Object.keys(properties) : [])),
  );
  const properties: [name: string, schema: Json][] = [];
  for (const name of names) {
    if (Object.hasOwn(own, name)) continue;
    const schemas = alternatives.map((one) => propertyOf(one, name)).filter((one) => one !== undefined);
    const distinct = schemas.filter((one, at) => schemas.findIndex((other) => isSameJson(one, other)) === at);
    const isFree = distinct.includes(true) || distinct.length === 0;
    properties.push([name, isFree ? true : distinct.length === 1 ? (distinct[0] ?? true) : { anyOf: distinct }]);
  }
  const always = alternatives
    .map(({ required }) => (Array.isArray(required) ? required : []))
    .reduce((common, list) => common.filter((name) => list.includes(name)));
  const isClosed = alternatives.every(isClosedObject) && !Object.hasOwn(schema, "additionalProperties");
  return {
    ...schema,
    properties: { ...own, ...Object.fromEntries(properties) },
    ...(always.length === 0 ? {} : { required: union(schema.required, always) }),
    ...(isClosed ? { additionalProperties: false } : {}),
  };
}

/** Undefined: the alternative has no such property at all. */
function propertyOf(alternative: JsonObject, name: string): Json | undefined {
  const known = isObject(alternative.properties) ? getOwn(alternative.properties, name) : undefined;
  return known ?? (isClosedObject(alternative) ? undefined : true);
}

function isClosedObject({ additionalProperties, patternProperties }: JsonObject): boolean {
  return additionalProperties === false && patternProperties === undefined;
}

function union(one: Json | undefined, other: Json | undefined): Json[] {
  const names = [one, other].flatMap((list) => (Array.isArray(list) ? list : []));
  return [...new Set(names)];
}
