import { getOwn, type Json, type JsonObject } from "@oven/contract";
import { isObject, setOwn } from "@oven/engine";
import type { Dialect } from "./dialect.ts";

const TYPES: Record<string, JsonObject> = {
  string: { type: "string" },
  text: { type: "string" },
  number: { type: "number" },
  float: { type: "number" },
  integer: { type: "integer" },
  int: { type: "integer" },
  boolean: { type: "boolean" },
  bool: { type: "boolean" },
  object: { type: "object" },
  array: { type: "array" },
  list: { type: "array" },
};

/** A list of `{name, type, required}` as JSON Schema. */
export function normalizePayloadSchema({ definition, changes }: Dialect): void {
  const { payloadSchema: fields } = definition;
  if (!Array.isArray(fields)) return;
  const properties: JsonObject = {};
  const required: Json[] = [];
  for (const field of fields) {
    // What is no field at all stays for the check to refuse, with its place.
    if (!isObject(field) || typeof field.name !== "string") return;
    const type = typeof field.type === "string" ? getOwn(TYPES, field.type.toLowerCase()) : undefined;
    const about = Object.fromEntries(
      Object.entries(field).filter(([key]) => ["description", "default", "enum"].includes(key)),
    );
    setOwn(properties, field.name, { ...type, ...about });
    if (field.required === true) required.push(field.name);
  }
  definition.payloadSchema = { type: "object", properties, ...(required.length > 0 ? { required } : {}) };
  changes.push({ path: "$.payloadSchema", rule: "payload-fields" });
}
