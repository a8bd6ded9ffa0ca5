import type { z } from "zod";

const credentials = new WeakSet<z.ZodType>();

/**
 * Marks a field of an answer that lets whoever has it in. People who may see it see it; it is left out (null) wherever an
 * answer is kept or handed on: records of runs, results of tools, MCP. Only nullable fields can be left out.
 */
export function credential<Schema extends z.ZodNullable>(schema: Schema): Schema {
  credentials.add(schema);
  return schema;
}

/** Whether a schema's value was marked by `credential`. */
export function isCredential(schema: z.ZodType): boolean {
  return credentials.has(schema);
}
