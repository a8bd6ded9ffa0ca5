import type { Json, JsonObject } from "@oven/contract";
import { getOwn, isObject } from "./json-access.ts";

/**
 * A value that stands for content kept elsewhere: `{$blob, …}` (a large output or a file) or exactly `{uuid, summary}` (a
 * saved piece of data).
 */
export function isContentReference(value: Json | undefined): value is JsonObject {
  if (!isObject(value)) return false;
  if (typeof getOwn(value, "$blob") === "number") return true;
  return (
    Object.keys(value).length === 2 && typeof getOwn(value, "uuid") === "string" && Object.hasOwn(value, "summary")
  );
}
