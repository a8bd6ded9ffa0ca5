import { type Schema, Validator } from "@cfworker/json-schema";
import type { Json, JsonObject, Problem } from "@oven/contract";
import { isObject } from "../expressions/json-access.ts";
import { type PathPart, type Problems, toPath } from "./problems.ts";

const TYPES: ReadonlySet<string> = new Set(["object", "array", "string", "number", "integer", "boolean", "null"]);
const SUBSCHEMAS = ["items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"] as const;
const SUBSCHEMA_LISTS = ["allOf", "anyOf", "oneOf", "prefixItems"] as const;
const SUBSCHEMA_MAPS = ["properties", "patternProperties", "$defs", "definitions"] as const;

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
  if (
    schema.required !== undefined &&
    !(Array.isArray(schema.required) && schema.required.every((key) => typeof key === "string"))
  ) {
    problems.error([...path, "required"], "json-schema", "required is a list of keys", 'For example ["message"].');
  }
  if (typeof schema.pattern === "string" && !isPattern(schema.pattern)) {
    problems.error([...path, "pattern"], "json-schema", "pattern is not a regular expression", "Correct it.");
  }
  if (schema.$ref !== undefined && !(typeof schema.$ref === "string" && resolves(schema.$ref, root))) {
    problems.error(
      [...path, "$ref"],
      "json-schema",
      `${JSON.stringify(schema.$ref)} leads nowhere`,
      "Refer to a part of this schema, such as #/$defs/order.",
    );
  }
  for (const key of SUBSCHEMAS) if (schema[key] !== undefined) walk(schema[key], root, [...path, key], problems);
  for (const key of SUBSCHEMA_LISTS) {
    const list = schema[key];
    for (const [index, child] of (Array.isArray(list) ? list : []).entries())
      walk(child, root, [...path, key, index], problems);
  }
  for (const key of SUBSCHEMA_MAPS) {
    const map = schema[key];
    if (isObject(map))
      for (const [name, child] of Object.entries(map)) walk(child, root, [...path, key, name], problems);
    else if (map !== undefined)
      problems.error(
        [...path, key],
        "json-schema",
        `${key} is an object of schemas`,
        'For example {"message": {"type": "string"}}.',
      );
  }
}

function isPattern(pattern: string): boolean {
  try {
    new RegExp(pattern, "u");
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

function resolves(ref: string, root: JsonObject): boolean {
  if (ref === "#") return true;
  if (!ref.startsWith("#/")) return false;
  let value: Json | undefined = root;
  for (const part of ref.slice(2).split("/")) {
    const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value !== undefined;
}

/** Why `value` does not fit the schema: one problem per place, paths under `$`. Empty: it fits. */
export function validateJson(schema: JsonObject, value: Json): Problem[] {
  const validator = new Validator(schema as Schema, "2020-12", false); // cast: JSON Schema documents are JSON
  const { valid, errors } = validator.validate(value);
  if (valid) return [];
  return errors
    .filter(
      (error, _index, all) =>
        !all.some((other) => other !== error && other.instanceLocation.startsWith(`${error.instanceLocation}/`)),
    )
    .map((error) => ({
      path: toPath(
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
