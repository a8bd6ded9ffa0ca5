import { OvenError } from "@oven/contract";
import type { Route } from "@oven/module-registry";
import { z } from "zod";

const BodySchema = z.object({ error: z.object({ code: z.string() }) });

/** How a route says the code of an error: some answer in the shape of another API. */
export function errorCodeOf({ errors }: Route, code: string): string {
  return errors === undefined ? code : BodySchema.parse(errors.toBody(new OvenError(code, "As in a test"))).error.code;
}
