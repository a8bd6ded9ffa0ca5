import { z } from "zod";
import type { Json, JsonObject } from "./json-value.ts";

export type { Json, JsonObject };

/**
 * Any JSON value, handed on as it is: schemas that rebuild what they check lose keys such as `__proto__`, which are data
 * here like any other.
 */
export const JsonSchema: z.ZodType<Json, Json> = z.any().refine(isJson, "must be a JSON value");
/** Any JSON object. */
export const JsonObjectSchema: z.ZodType<JsonObject, JsonObject> = z
  .any()
  .refine((value) => isPlainObject(value) && isJson(value), "must be an object")
  .meta({ type: "object" });

export function isPlainObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Iterative: input may be nested deeper than the stack. */
function isJson(value: unknown): boolean {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (next === null || typeof next === "string" || typeof next === "boolean") continue;
    if (typeof next === "number") {
      if (!Number.isFinite(next)) return false;
    } else if (Array.isArray(next)) {
      for (const item of next) open.push(item);
    } else if (isPlainObject(next)) {
      const prototype: unknown = Object.getPrototypeOf(next);
      if (prototype !== Object.prototype && prototype !== null) return false;
      for (const item of Object.values(next)) open.push(item);
    } else return false;
  }
  return true;
}

/** The part of RFC 6902 that a context patch uses. `path` is a JSON pointer; `/messages/-` appends. */
export const JsonPatchOpSchema = z.discriminatedUnion("op", [
  z.strictObject({ op: z.literal("add"), path: z.string(), value: JsonSchema }),
  z.strictObject({ op: z.literal("replace"), path: z.string(), value: JsonSchema }),
  z.strictObject({ op: z.literal("remove"), path: z.string() }),
]);
export type JsonPatchOp = z.infer<typeof JsonPatchOpSchema>;
