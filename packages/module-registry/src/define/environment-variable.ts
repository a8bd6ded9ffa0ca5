import { OvenError } from "@oven/contract";
import type { z } from "zod";

/** A variable of the process that a module reads. */
export interface EnvironmentVariable {
  /** Such as `ACME_API_KEY`. */
  name: string;
  /** Its line in README's table of settings. */
  description: string;
  schema: z.ZodType<string>;
  /** Its value is taken out of whatever the process says on the console. */
  isSecret?: boolean;
}

/**
 * The values of the variables that modules declare. What is not declared is left out.
 * @throws OvenError INVALID_ENVIRONMENT, one line naming the variable
 */
export function readVariables(
  modules: readonly { variables: readonly EnvironmentVariable[] }[],
  given: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const read: Record<string, string> = {};
  for (const { name, schema } of modules.flatMap(({ variables }) => variables)) {
    const value = given[name];
    if (value === undefined) continue;
    const parsed = schema.safeParse(value);
    if (!parsed.success)
      throw new OvenError("INVALID_ENVIRONMENT", `${name}: ${parsed.error.issues[0]?.message}`, {
        fix: "Correct the variable or unset it; README lists them.",
      });
    read[name] = parsed.data;
  }
  return read;
}
