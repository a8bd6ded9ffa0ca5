import { isObject, type Json, type JsonObject } from "@oven/contract";

/** How a value inside a form is edited, where its schema says enough of it; null: as JSON. */
export type NestedShape = { kind: "group"; schema: JsonObject } | { kind: "list"; items: JsonObject };

const SCALARS = new Set(["string", "number", "integer", "boolean"]);

/** A group for an object with named fields, a list for an array of such objects or of plain values. */
export function toNestedShape(schema: JsonObject, value: Json | undefined): NestedShape | null {
  if (isGroup(schema)) return value === undefined || isObject(value) ? { kind: "group", schema } : null;
  const { type, items } = schema;
  if (type !== "array" || !isObject(items) || !(value === undefined || Array.isArray(value))) return null;
  if (isGroup(items)) return (value ?? []).every(isObject) ? { kind: "list", items } : null;
  return typeof items.type === "string" && SCALARS.has(items.type) ? { kind: "list", items } : null;
}

function isGroup({ type, properties }: JsonObject): boolean {
  return type === "object" && isObject(properties) && Object.keys(properties).length > 0;
}

/** What a new entry of a list begins with. */
export function toNewItem({ type, default: given, enum: choices }: JsonObject): Json {
  if (given !== undefined) return given;
  if (Array.isArray(choices) && choices[0] !== undefined) return choices[0];
  switch (type) {
    case "object":
      return {};
    case "boolean":
      return false;
    case "string":
      return "";
    default:
      return 0;
  }
}
