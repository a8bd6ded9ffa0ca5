import { getOwn, type Json, type JsonObject } from "@oven/contract";

const MAX_DEPTH = 8;

/**
 * A value that a JSON Schema allows, the same every time: what it gives as an example, default or constant, else the first
 * and smallest that fits. Stands in for the output of a node in a dry run.
 */
export function exampleOf(schema: JsonObject, root: JsonObject = schema, depth = 0): Json {
  const [given] = Array.isArray(schema.examples) ? schema.examples : [];
  const known = given ?? schema.default ?? schema.const ?? (Array.isArray(schema.enum) ? schema.enum[0] : undefined);
  if (known !== undefined) return known;
  if (depth > MAX_DEPTH) return null;
  const next = (inner: Json | undefined): Json => (isSchema(inner) ? exampleOf(inner, root, depth + 1) : null);
  if (typeof schema.$ref === "string") return next(resolve(schema.$ref, root));
  for (const key of ["oneOf", "anyOf"]) {
    const [first] = Array.isArray(schema[key]) ? schema[key] : [];
    if (first !== undefined) return next(first);
  }
  if (Array.isArray(schema.allOf)) {
    const parts = schema.allOf.map(next).filter(isSchema);
    return Object.assign({}, ...parts);
  }
  return exampleOfType(schema, next);
}

function exampleOfType(schema: JsonObject, next: (inner: Json | undefined) => Json): Json {
  const type = Array.isArray(schema.type)
    ? schema.type[0]
    : (schema.type ?? (schema.properties ? "object" : undefined));
  switch (type) {
    case "object": {
      const properties = isSchema(schema.properties) ? schema.properties : {};
      const required = Array.isArray(schema.required) ? schema.required : [];
      const wanted = Object.entries(properties).filter(([key]) => required.includes(key));
      return Object.fromEntries(wanted.map(([key, inner]) => [key, next(inner)]));
    }
    case "array":
      return Array.from({ length: numberOf(schema.minItems, 0) }, () => next(schema.items));
    case "string":
      return exampleOfText(schema);
    case "integer":
    case "number":
      return schema.minimum === Number.MIN_SAFE_INTEGER
        ? 0
        : numberOf(schema.minimum, numberOf(schema.exclusiveMinimum, -1) + 1);
    case "boolean":
      return false;
    default:
      return null;
  }
}

function exampleOfText({ format, minLength }: JsonObject): string {
  if (format === "date-time") return "1970-01-01T00:00:00.000Z";
  if (format === "date") return "1970-01-01";
  if (format === "uri") return "https://example.com/";
  if (format === "email") return "someone@example.com";
  return "example".padEnd(numberOf(minLength, 0), ".");
}

function numberOf(value: Json | undefined, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}

function isSchema(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function resolve(reference: string, root: JsonObject): Json | undefined {
  const [, ...parts] = reference.split("/");
  let at: Json | undefined = root;
  for (const part of parts)
    at = isSchema(at) ? getOwn(at, part.replaceAll("~1", "/").replaceAll("~0", "~")) : undefined;
  return at;
}
