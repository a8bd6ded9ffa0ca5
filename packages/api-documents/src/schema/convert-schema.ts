import { isObject, type Json, type JsonObject, setOwn } from "@oven/contract";
import { objectAt } from "../references.ts";
import { fileSchema } from "./file-schema.ts";
import type { DefinitionKey } from "./in-place.ts";
import { copyKeywords, typesOf, withNull } from "./keywords.ts";

const MAPS = ["properties", "patternProperties", "dependentSchemas"] as const;
const SINGLE = [
  ...["items", "additionalProperties", "propertyNames", "contains", "unevaluatedProperties", "unevaluatedItems"],
] as const;
/** Their schemas hold for the same value. */
const IN_PLACE = ["not", "if", "then", "else"] as const;
const IN_PLACE_LISTS = ["allOf", "anyOf"] as const;
const DEEPEST = 60;

/** Values that an API is given, or answers with. */
export type Direction = "input" | "output";

/** What a conversion needs to know, and is given. */
export interface Conversion {
  root: JsonObject;
  direction: Direction;
  /** Strings of the format `binary` are files. */
  files: boolean;
  /** OpenAPI 3.0 and before: what stands beside a reference, apart from words, means nothing. */
  isOld: boolean;
  /** The definition that is converted; null: a schema outside of all. */
  from: DefinitionKey | null;
  /** What is written for a reference; undefined: it is left out. @param inPlace the reference holds for the value of `from` itself */
  refer(pointer: string, inPlace: boolean): string | undefined;
  note(text: string): void;
}

/** A schema of an OpenAPI document in the words of JSON Schema 2020-12, as far as it is one. Always an object or a boolean. */
export function convertSchema(given: Json | undefined, to: Conversion): Json {
  return convert(given, to, true, 0);
}

function convert(given: Json | undefined, to: Conversion, inPlace: boolean, depth: number): Json {
  if (typeof given === "boolean") return given;
  if (!isObject(given)) return {};
  if (depth > DEEPEST) {
    to.note("Schemas that are nested more than 60 deep are left open below that");
    return {};
  }
  if (typeof given.$ref === "string") return convertReference(given, given.$ref, to, inPlace, depth);
  if (to.files && isFile(given)) return fileSchema(given);
  const out: JsonObject = {};
  copyKeywords(given, out);
  copySchemas(given, out, to, inPlace, depth);
  return given.nullable === true ? withNull(out) : out;
}

function isFile({ type, format, contentMediaType, contentEncoding }: JsonObject): boolean {
  if (type === "file" || (typesOf(type).includes("string") && format === "binary")) return true;
  return contentMediaType === "application/octet-stream" && contentEncoding === undefined;
}

function convertReference(given: JsonObject, ref: string, to: Conversion, inPlace: boolean, depth: number): JsonObject {
  const { $ref: _ref, nullable, ...beside } = given;
  const name = to.refer(ref, inPlace);
  const out: JsonObject = name === undefined ? {} : { $ref: name };
  if (to.isOld) {
    const words: JsonObject = {};
    copyKeywords(beside, words);
    for (const key of ["title", "description", "default", "deprecated"])
      if (words[key] !== undefined) out[key] = words[key];
  } else {
    const others = convert(beside, to, inPlace, depth + 1);
    for (const [key, value] of Object.entries(isObject(others) ? others : {})) setOwn(out, key, value);
  }
  return nullable === true ? withNull(out) : out;
}

function copySchemas(given: JsonObject, out: JsonObject, to: Conversion, inPlace: boolean, depth: number): void {
  const below = (schema: Json | undefined): Json => convert(schema, to, false, depth + 1);
  const here = (schema: Json | undefined): Json => convert(schema, to, inPlace, depth + 1);
  for (const key of MAPS) {
    const map = given[key];
    if (!isObject(map)) continue;
    const converted: JsonObject = {};
    for (const [name, schema] of Object.entries(map))
      if (key !== "properties" || isSeen(schema, to)) setOwn(converted, name, below(schema));
    out[key] = converted;
  }
  for (const key of SINGLE) if (isSchema(given[key])) out[key] = below(given[key]);
  if (Array.isArray(given.items) && given.items.length > 0) {
    out.prefixItems = given.items.map(below);
    if (isSchema(given.additionalItems)) out.items = below(given.additionalItems);
  } else if (Array.isArray(given.prefixItems) && given.prefixItems.length > 0)
    out.prefixItems = given.prefixItems.map(below);
  for (const key of IN_PLACE) {
    if (!isSchema(given[key])) continue;
    const schema = here(given[key]);
    // A schema that was left open would refuse everything here.
    if (key !== "not" || !isObject(schema) || Object.keys(schema).length > 0) out[key] = schema;
  }
  for (const key of IN_PLACE_LISTS) {
    const list = given[key];
    if (Array.isArray(list) && list.length > 0) out[key] = list.map(here);
  }
  copyOneOf(given, out, here);
  copyRequired(given, out, to);
}

/** Many documents write `oneOf` where several can fit, so that it would refuse what the API takes. */
function copyOneOf(given: JsonObject, out: JsonObject, here: (schema: Json) => Json): void {
  if (!Array.isArray(given.oneOf) || given.oneOf.length === 0) return;
  const kinds = given.oneOf.map(here);
  if (out.anyOf === undefined) out.anyOf = kinds;
  else out.allOf = [...(Array.isArray(out.allOf) ? out.allOf : []), { anyOf: kinds }];
}

function copyRequired(given: JsonObject, out: JsonObject, to: Conversion): void {
  if (!Array.isArray(given.required)) return;
  const { properties } = given;
  const names = given.required.filter((name) => {
    if (typeof name !== "string") return false;
    return !isObject(properties) || !Object.hasOwn(properties, name) || isSeen(properties[name], to);
  });
  if (names.length > 0) out.required = [...new Set(names)];
}

/** What is only read is no part of an input, and what is only written none of an output. */
function isSeen(schema: Json | undefined, to: Conversion): boolean {
  if (!isObject(schema)) return true;
  const flag = to.direction === "input" ? "readOnly" : "writeOnly";
  return schema[flag] !== true && objectAt(to.root, schema)?.[flag] !== true;
}

function isSchema(value: Json | undefined): boolean {
  return typeof value === "boolean" || isObject(value);
}
