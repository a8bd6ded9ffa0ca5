import { isObject, type Json, type JsonObject, setOwn } from "@oven/contract";
import { isSecretField } from "../credentials.ts";
import type { ConvertedSchema } from "../schema/schema-library.ts";

const DEEPEST = 20;

/** A schema that a value fits, and others like it. */
export function inferSchema(value: Json, depth = 0): JsonObject {
  if (value === null || depth > DEEPEST) return {};
  if (Array.isArray(value)) {
    const [first] = value;
    const isAlike = value.every((each) => typeof each === typeof first && Array.isArray(each) === Array.isArray(first));
    return { type: "array", ...(first !== undefined && isAlike ? { items: inferSchema(first, depth + 1) } : {}) };
  }
  if (!isObject(value)) return { type: typeof value };
  const properties: JsonObject = {};
  for (const [name, each] of Object.entries(value)) setOwn(properties, name, inferSchema(each, depth + 1));
  return { type: "object", properties };
}

/** Whether a value or a name in it seems to be a secret, which must not be stored with an operation. */
export function holdsSecret(name: string, value: Json, depth = 0): boolean {
  if (isSecretField(name) && (typeof value === "string" || typeof value === "number")) return true;
  if (depth > DEEPEST) return true;
  if (Array.isArray(value)) return value.some((each) => holdsSecret("", each, depth + 1));
  return isObject(value) && Object.entries(value).some(([inner, each]) => holdsSecret(inner, each, depth + 1));
}

/** A schema without definitions. */
export function bare(schema: JsonObject): ConvertedSchema {
  return { schema, refs: new Set(), size: JSON.stringify(schema).length };
}
