import { getOwn, type Json, type JsonObject } from "@oven/contract";
import { isObject, schemaProblems } from "@oven/engine";
import type { SourceProblem } from "../../shared/source-problem.ts";

const TYPES: Record<string, string> = { str: "string", int: "integer", float: "number", bool: "boolean" };
const JSON_TYPES = ["object", "array", "string", "number", "integer", "boolean", "null"];
const WORDS = ["$schema", "$ref", "anyOf", "oneOf", "allOf"];
const FIX =
  'Write "str", "int", "float" or "bool", a list with one of them, or an object of them; or plain JSON Schema.';

/** JSON Schema, or an example of the shape: `{"prices": [{"price": "float"}]}`, of which all keys are required. */
export function toJsonSchema(given: JsonObject): JsonObject {
  return isJsonSchema(given) ? given : fromExample(given);
}

/** What is wrong with an output schema, whichever way it is written. */
export function outputSchemaProblems(given: JsonObject, path: string): SourceProblem[] {
  if (!isJsonSchema(given)) {
    if (Object.keys(given).length === 0)
      return [{ path, message: "The output schema is empty: it names nothing to answer", fix: FIX }];
    return exampleProblems(given, path);
  }
  const [first] = schemaProblems(given, []);
  if (first !== undefined) return [{ path, message: `The JSON Schema cannot be used: ${first.message}`, fix: FIX }];
  if (given.type !== undefined && given.type !== "object")
    return [{ path: `${path}.type`, message: "What an executor answers is an object", fix: 'Set it to "object".' }];
  return [];
}

function isJsonSchema(given: JsonObject): boolean {
  const { type } = given;
  if (typeof type === "string" && JSON_TYPES.includes(type)) return true;
  return (
    WORDS.some((word) => Object.hasOwn(given, word)) ||
    (Object.hasOwn(given, "properties") && isObject(given.properties))
  );
}

function fromExample(example: Json): JsonObject {
  if (typeof example === "string") return { type: getOwn(TYPES, example) ?? "string" };
  if (Array.isArray(example)) return { type: "array", items: fromExample(example[0] ?? null) };
  if (!isObject(example)) return {};
  const entries = Object.entries(example);
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([key, value]) => [key, fromExample(value)])),
    required: entries.map(([key]) => key),
  };
}

function exampleProblems(example: Json, path: string): SourceProblem[] {
  if (typeof example === "string") {
    if (Object.hasOwn(TYPES, example)) return [];
    return [{ path, message: `There is no type ${JSON.stringify(example)}`, fix: FIX }];
  }
  if (Array.isArray(example)) {
    const [item] = example;
    if (example.length === 1 && item !== undefined) return exampleProblems(item, `${path}[0]`);
    return [{ path, message: "A list in an example has one entry, which stands for all of them", fix: FIX }];
  }
  if (!isObject(example)) return [{ path, message: `${JSON.stringify(example)} is no type`, fix: FIX }];
  return Object.entries(example).flatMap(([key, value]) => exampleProblems(value, `${path}.${key}`));
}
