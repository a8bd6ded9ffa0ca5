import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "../expressions/json-access.ts";

/** The part of a schema that `#/…` names; undefined where it leads nowhere, or out of the schema. */
export function findReference(root: JsonObject, ref: string): Json | undefined {
  if (ref === "#") return root;
  if (!ref.startsWith("#/")) return undefined;
  let value: Json | undefined = root;
  for (const part of ref.slice(2).split("/")) {
    const key = decoded(part).replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(value)) value = value[Number(key)];
    else value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return part;
    throw error;
  }
}
