import { z } from "zod";

/** Any JSON value. Run data is exact: NUL, lone surrogates and key order are kept. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export const JsonSchema: z.ZodType<Json> = z.json();
export const JsonObjectSchema: z.ZodType<JsonObject> = z.record(z.string(), z.json());

/** The part of RFC 6902 that a context patch uses. `path` is a JSON pointer; `/messages/-` appends. */
export const JsonPatchOpSchema = z.discriminatedUnion("op", [
  z.strictObject({ op: z.literal("add"), path: z.string(), value: JsonSchema }),
  z.strictObject({ op: z.literal("replace"), path: z.string(), value: JsonSchema }),
  z.strictObject({ op: z.literal("remove"), path: z.string() }),
]);
export type JsonPatchOp = z.infer<typeof JsonPatchOpSchema>;
