import { isObject, type Json, type JsonObject, setOwn } from "@oven/contract";

const TYPES: ReadonlySet<string> = new Set(["object", "array", "string", "number", "integer", "boolean", "null"]);
/** What documents write where they mean a type of JSON Schema. */
const MEANT: Readonly<Record<string, string>> = {
  int: "integer",
  int32: "integer",
  int64: "integer",
  long: "integer",
  float: "number",
  double: "number",
  decimal: "number",
  bool: "boolean",
  text: "string",
  date: "string",
  datetime: "string",
  "date-time": "string",
  uuid: "string",
  uri: "string",
  file: "string",
  list: "array",
};
const NUMBERS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"] as const;
const COUNTS = [
  ...["minLength", "maxLength", "minItems", "maxItems", "minContains", "maxContains"],
  ...["minProperties", "maxProperties"],
] as const;
const MOST_TEXT = 1_000;
const MOST_EXAMPLES = 3;
const LARGEST_EXAMPLE = 500;

/** Copies what a schema says of a value itself, in the words of 2020-12; what is not what the standard says of it is left out. */
export function copyKeywords(from: JsonObject, to: JsonObject): void {
  copyAnnotations(from, to);
  const types = typesOf(from.type);
  if (types.length > 0) to.type = types.length === 1 ? (types[0] ?? "") : types;
  if (typeof from.format === "string") to.format = from.format;
  copyNumbers(from, to);
  if (typeof from.pattern === "string" && from.pattern !== "") to.pattern = from.pattern;
  if (typeof from.uniqueItems === "boolean") to.uniqueItems = from.uniqueItems;
  copyValues(from, to);
}

/** The types of JSON Schema that `type` names. */
export function typesOf(type: Json | undefined): string[] {
  const names = (Array.isArray(type) ? type : [type]).flatMap((name) => (typeof name === "string" ? [name] : []));
  const known = names.map((name) => (TYPES.has(name) ? name : (MEANT[name.toLowerCase()] ?? "")));
  return [...new Set(known.filter((name) => name !== ""))];
}

/** A text of a document, cut to a length. */
export function textOf(value: Json | undefined, most = MOST_TEXT): string {
  if (typeof value !== "string") return "";
  const text = value.trim();
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

function copyAnnotations(from: JsonObject, to: JsonObject): void {
  for (const key of ["title", "description"] as const) {
    const text = textOf(from[key]);
    if (text !== "") to[key] = text;
  }
  if (from.deprecated === true) to.deprecated = true;
  if (from.default !== undefined && isShort(from.default)) to.default = from.default;
  const given = Array.isArray(from.examples) ? from.examples : from.example === undefined ? [] : [from.example];
  const examples = given.slice(0, MOST_EXAMPLES).filter(isShort);
  if (examples.length > 0) to.examples = examples;
}

function isShort(value: Json): boolean {
  return JSON.stringify(value).length <= LARGEST_EXAMPLE;
}

function copyNumbers(from: JsonObject, to: JsonObject): void {
  for (const key of NUMBERS) {
    const number = numberOf(from[key]);
    if (number !== undefined) to[key] = number;
  }
  // Up to draft 4 and OpenAPI 3.0 they say of the bound beside them that it is not meant itself.
  for (const [flag, bound] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    const value = to[bound];
    if (from[flag] !== true || value === undefined) continue;
    to[flag] = value;
    delete to[bound];
  }
  for (const key of COUNTS) {
    const count = numberOf(from[key]);
    if (count !== undefined && Number.isInteger(count) && count >= 0) to[key] = count;
  }
  const step = numberOf(from.multipleOf);
  if (step !== undefined && step > 0) to.multipleOf = step;
}

function numberOf(value: Json | undefined): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "string" || value.trim() === "") return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

function copyValues(from: JsonObject, to: JsonObject): void {
  if (from.const !== undefined) to.const = from.const;
  if (!Array.isArray(from.enum) || from.enum.length === 0) return;
  const values = from.nullable === true && !from.enum.includes(null) ? [...from.enum, null] : from.enum;
  to.enum = values;
  // A list of numbers that is declared to be text, or the other way round, would take no value.
  const types = typesOf(to.type);
  if (types.length > 0 && !values.some((value) => value !== null && types.some((type) => isOf(value, type))))
    delete to.type;
}

function isOf(value: Json, type: string): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  return typeof value === type;
}

/** With null beside what a schema takes, as `nullable` of OpenAPI 3.0 says. */
export function withNull(schema: JsonObject): JsonObject {
  if (schema.type !== undefined) {
    const types = typesOf(schema.type);
    return types.includes("null") ? schema : { ...schema, type: [...types, "null"] };
  }
  const says = Object.keys(schema).filter((key) => !["title", "description", "default", "examples"].includes(key));
  if (says.length === 0 || schema.enum !== undefined) return schema;
  const outer: JsonObject = {};
  const inner: JsonObject = {};
  for (const [key, value] of Object.entries(schema))
    setOwn(["title", "description", "default", "deprecated"].includes(key) ? outer : inner, key, value);
  return { ...outer, anyOf: [inner, { type: "null" }] };
}
