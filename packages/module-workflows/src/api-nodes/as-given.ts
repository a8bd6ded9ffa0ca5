import { type JsonObject, JsonSchema } from "@oven/contract";
import { z } from "zod";

/**
 * The input for schemas and checks, but what was checked is handed on as it was given: the route parses it itself, and a value
 * that is parsed twice (text to number, defaults, transforms) may come out another.
 */
export function asGiven(
  schema: z.ZodObject,
  check: (args: JsonObject) => z.ZodSafeParseResult<Record<string, unknown>>,
): z.ZodObject {
  return Object.create(schema, {
    safeParse: {
      value: (args: unknown) => {
        const record = z.record(z.string(), JsonSchema).safeParse(args);
        if (!record.success) return record;
        const checked = check(record.data);
        return checked.success ? { success: true, data: args } : checked;
      },
    },
  }) as z.ZodObject; // cast: the schema itself, with another safeParse
}
