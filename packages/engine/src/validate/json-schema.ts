import type { OutputUnit } from "@cfworker/json-schema";
import { type Json, type JsonObject, type Problem, toJsonPath } from "@oven/contract";
import { findReference } from "../border-schema/find-reference.ts";
import { isObject } from "../expressions/json-access.ts";
import { checkLinear, patternProblem } from "./linear-schema.ts";
import { type PathPart, Problems } from "./problems.ts";
import { checkKeywords } from "./schema-keywords.ts";

const TYPES: ReadonlySet<string> = new Set(["object", "array", "string", "number", "integer", "boolean", "null"]);
const SUBSCHEMAS = [
  "items",
  "additionalProperties",
  "unevaluatedProperties",
  "unevaluatedItems",
  "additionalItems",
  "not",
  "if",
  "then",
  "else",
  "contains",
  "propertyNames",
  "contentSchema",
] as const;
const SUBSCHEMA_LISTS = ["allOf", "anyOf", "oneOf", "prefixItems"] as const;
const SUBSCHEMA_MAPS = [
  "properties",
  "patternProperties",
  "dependentSchemas",
  "dependencies",
  "$defs",
  "definitions",
] as const;

/** A payloadSchema or outputSchema that could not be used is refused; its keywords are those of JSON Schema 2020-12. */
export function checkSchema(schema: JsonObject, path: PathPart[], problems: Problems): void {
  walk(schema, schema, path, problems);
}

function walk(schema: Json, root: JsonObject, path: PathPart[], problems: Problems): void {
  if (typeof schema === "boolean") return;
  if (!isObject(schema)) {
    problems.error(path, "json-schema", "A schema is an object", 'For example {"type": "string"}.');
    return;
  }
  const types = schema.type === undefined ? [] : Array.isArray(schema.type) ? schema.type : [schema.type];
  for (const type of types) {
    if (typeof type !== "string" || !TYPES.has(type))
      problems.error(
        [...path, "type"],
        "json-schema",
        `${JSON.stringify(type)} is not a JSON Schema type`,
        `Use ${[...TYPES].join(", ")}.`,
      );
  }
  checkKeywords(schema, path, problems);
  if (schema.pattern !== undefined) checkPattern(schema.pattern, [...path, "pattern"], problems);
  if (isObject(schema.patternProperties)) {
    for (const pattern of Object.keys(schema.patternProperties))
      checkPattern(pattern, [...path, "patternProperties", pattern], problems);
  }
  if (
    schema.$ref !== undefined &&
    !(typeof schema.$ref === "string" && findReference(root, schema.$ref) !== undefined)
  ) {
    problems.error(
      [...path, "$ref"],
      "json-schema",
      `${JSON.stringify(schema.$ref)} leads nowhere`,
      "Refer to a part of this schema, such as #/$defs/order.",
    );
  }
  // What is no schema at all is said of the keyword.
  for (const key of SUBSCHEMAS) if (isObject(schema[key])) walk(schema[key], root, [...path, key], problems);
  for (const key of SUBSCHEMA_LISTS) {
    const list = schema[key];
    for (const [index, child] of (Array.isArray(list) ? list : []).entries())
      if (isObject(child)) walk(child, root, [...path, key, index], problems);
  }
  for (const key of SUBSCHEMA_MAPS) {
    const map = schema[key];
    for (const [name, child] of Object.entries(isObject(map) ? map : {}))
      if (isObject(child)) walk(child, root, [...path, key, name], problems);
  }
}

/** Patterns run on RE2, in linear time. */
function checkPattern(pattern: Json, path: PathPart[], problems: Problems): void {
  const problem = typeof pattern === "string" ? patternProblem(pattern) : "A pattern is a text";
  if (problem !== undefined)
    problems.error(path, "json-schema", problem, "Use RE2 syntax: no look-ahead, look-behind or back references.");
}

/** Why a schema could not be used. @param path where it stands, such as `["config", "inputSchema"]` */
export function schemaProblems(schema: JsonObject, path: PathPart[]): Problem[] {
  const problems = new Problems();
  checkSchema(schema, path, problems);
  return problems.list.filter(({ severity }) => severity === "error");
}

/** Why `value` does not fit the schema: one problem per place, paths under `$`. Empty: it fits. */
export function validateJson(schema: JsonObject, value: Json): Problem[] {
  return checkLinear(schema, value)
    .filter(
      (error, _index, all) =>
        !all.some((other) => other !== error && other.instanceLocation.startsWith(`${error.instanceLocation}/`)),
    )
    .map((error) => ({
      path: toJsonPath(
        error.instanceLocation
          .split("/")
          .slice(1)
          .map((part) => (/^\d+$/.test(part) ? Number(part) : part)),
      ),
      rule: error.keyword,
      message: error.error,
      fix: "Give a value that fits the schema.",
      severity: "error" as const,
    }));
}

export interface SchemaViolation {
  /** `$.message`, from the root given. */
  path: string;
  message: string;
}

/**
 * What in `value` does not fit a JSON Schema (2020-12), leaf by leaf. Interpreted: nothing is compiled to code.
 * @param root how the value itself is called, such as `$.input`
 */
export function violationsOf(schema: JsonObject, value: unknown, root: string): SchemaViolation[] {
  return checkLinear(schema, value)
    .filter(isLeaf)
    .map((unit) => ({ path: toViolationPath(root, unit), message: unit.error }));
}

/** The library also reports each parent ("property does not match schema"); the leaf says what is wrong. */
function isLeaf({ keyword }: OutputUnit): boolean {
  return !["properties", "items", "prefixItems", "$ref", "allOf"].includes(keyword);
}

function toViolationPath(root: string, { instanceLocation, keyword, error }: OutputUnit): string {
  const segments = instanceLocation
    .replace(/^#\/?/, "")
    .split("/")
    .filter((segment) => segment !== "")
    .map((segment) => decodeURIComponent(segment).replaceAll("~1", "/").replaceAll("~0", "~"));
  const [, missing] = keyword === "required" ? (/property "(.*)"/.exec(error) ?? []) : [];
  return [...segments, ...(missing === undefined ? [] : [missing])].reduce(
    (path, segment) => (/^\d+$/.test(segment) ? `${path}[${segment}]` : `${path}.${segment}`),
    root,
  );
}
