import type { Json, JsonObject } from "@oven/contract";

/**
 * A value that a simple JSON Schema accepts, always the same one: lets a simulated model answer where an object is
 * asked for. Text in it says that it is simulated.
 */
export function sampleValue(schema: Json | undefined, text: string): Json {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return text;
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (Array.isArray(schema.enum)) return schema.enum[0] ?? null;
  const variants = [schema.anyOf, schema.oneOf, schema.allOf].find((list) => Array.isArray(list));
  if (Array.isArray(variants)) return sampleValue(variants[0], text);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case "object":
      return sampleObject(schema, text);
    case "array":
      return Array.from({ length: numberOr(schema.minItems, 0) }, () => sampleValue(schema.items, text));
    case "integer":
    case "number":
      return numberOr(schema.minimum, numberOr(schema.exclusiveMinimum, -1) + 1);
    case "boolean":
      return false;
    case "null":
      return null;
    default:
      return schema.properties === undefined ? fitText(text, schema) : sampleObject(schema, text);
  }
}

function sampleObject(schema: JsonObject, text: string): JsonObject {
  const { properties, required } = schema;
  if (typeof properties !== "object" || properties === null || Array.isArray(properties)) return {};
  const wanted = Array.isArray(required) ? required : Object.keys(properties);
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([key]) => wanted.includes(key))
      .map(([key, value]) => [key, sampleValue(value, text)]),
  );
}

function fitText(text: string, schema: JsonObject): string {
  return text.padEnd(numberOr(schema.minLength, 0), ".").slice(0, numberOr(schema.maxLength, text.length + 1_000));
}

function numberOr(value: Json | undefined, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}
