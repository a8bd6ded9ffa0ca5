import { getOwn, isObject, type Json, type JsonObject, setOwn } from "@oven/contract";

const PREFIX = "#/$defs/";
const DEEPEST = 6;
const TEXTS: Readonly<Record<string, string>> = {
  "date-time": "2026-01-02T03:04:05Z",
  date: "2026-01-02",
  time: "03:04:05Z",
  email: "ann@example.com",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.com/a",
  "uri-reference": "https://example.com/a",
  url: "https://example.com/a",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
  duration: "P1D",
  int64: "9007199254740993",
  uint64: "9007199254740993",
  decimal: "1.5",
};

/**
 * A value that a schema takes, with optional properties near the top. What a schema says by `pattern`, `not` or `if` is not looked at, so
 * that its value may not fit.
 */
export function generateInput(schema: JsonObject): JsonObject {
  const value = generate(schema, schema, 0);
  return isObject(value) ? value : {};
}

function generate(given: Json | undefined, root: JsonObject, depth: number): Json {
  if (!isObject(given)) return "any";
  const schema = merged(given, root, 0);
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0] ?? null;
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  const type =
    types.find((each) => each !== "null" && each !== undefined) ?? (isObject(schema.properties) ? "object" : "string");
  switch (type) {
    case "object":
      return generateObject(schema, root, depth);
    case "array":
      return generateList(schema, root, depth);
    case "integer":
    case "number":
      return generateNumber(schema);
    case "boolean":
      return true;
    default:
      return generateText(schema);
  }
}

/** A schema with what it refers to and is made of, and the first of its alternatives. */
function merged(schema: JsonObject, root: JsonObject, hop: number): JsonObject {
  if (hop > 20) return schema;
  const { $ref, allOf, anyOf, ...own } = schema;
  const definitions = isObject(root.$defs) ? root.$defs : {};
  const parts = [
    typeof $ref === "string" && $ref.startsWith(PREFIX) ? getOwn(definitions, $ref.slice(PREFIX.length)) : undefined,
    ...(Array.isArray(allOf) ? allOf : []),
    Array.isArray(anyOf) ? anyOf[0] : undefined,
  ];
  return parts.filter(isObject).reduce((all, part) => join(all, merged(part, root, hop + 1)), own);
}

function join(one: JsonObject, other: JsonObject): JsonObject {
  const both = { ...other, ...one };
  if (isObject(one.properties) && isObject(other.properties))
    both.properties = { ...other.properties, ...one.properties };
  if (Array.isArray(one.required) && Array.isArray(other.required))
    both.required = [...other.required, ...one.required];
  return both;
}

function generateObject(schema: JsonObject, root: JsonObject, depth: number): JsonObject {
  const out: JsonObject = {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const properties = isObject(schema.properties) ? schema.properties : {};
  for (const [name, property] of Object.entries(properties))
    if (required.includes(name) ? depth < DEEPEST : depth < 2) setOwn(out, name, generate(property, root, depth + 1));
  for (const name of required)
    if (typeof name === "string" && !Object.hasOwn(out, name))
      setOwn(out, name, generate(getOwn(properties, name), root, depth + 1));
  return out;
}

function generateList(schema: JsonObject, root: JsonObject, depth: number): Json[] {
  const least = typeof schema.minItems === "number" ? schema.minItems : 0;
  const count = Math.min(Math.max(least, depth < 3 ? 1 : 0), 20);
  return Array.from({ length: count }, () => generate(schema.items, root, depth + 1));
}

function generateNumber({ minimum, maximum, exclusiveMinimum, multipleOf, format }: JsonObject): Json {
  if (format === "int64" && minimum === undefined && maximum === undefined) return TEXTS.int64 ?? 1;
  if (typeof exclusiveMinimum === "number") return Math.floor(exclusiveMinimum) + 1;
  const number =
    typeof minimum === "number" ? Math.ceil(minimum) : typeof maximum === "number" ? Math.min(1, maximum) : 1;
  return typeof multipleOf === "number" ? Math.ceil(number / multipleOf) * multipleOf : number;
}

/** Of the pattern of ids, such as `^MG[0-9a-f]{32}$`: a prefix, the prefix's alternatives, and so many of a class that has digits. */
const ID_PATTERN = /^\^(\w*)(?:\((\w+)(?:\|\w+)*\))?\[[^\]]*0-9[^\]]*\]\{(\d+)(?:,\d*)?\}\$$/;

function generateText({ format, pattern, minLength, maxLength }: JsonObject): string {
  const [, prefix = "", alternative = "", digits] = typeof pattern === "string" ? (ID_PATTERN.exec(pattern) ?? []) : [];
  if (digits !== undefined) return prefix + alternative + "0".repeat(Number(digits));
  const known = typeof format === "string" ? getOwn(TEXTS, format) : undefined;
  if (known !== undefined) return known;
  const least = typeof minLength === "number" ? minLength : 1;
  const most = typeof maxLength === "number" ? maxLength : 1_000;
  return "a/b ".repeat(300).slice(0, Math.min(Math.max(least, 3), most));
}
