import { JsonSchema, OvenError } from "@oven/contract";
import { defineNode } from "@oven/module-registry";
import { z } from "zod";

export const failNode = defineNode({
  id: "core.fail",
  version: 1,
  title: "Fail",
  synonyms: ["error", "throw", "stop and error"],
  docs: "Fails with a message of your own: `onError` takes over, else the run fails with it.",
  category: "core",
  kind: "flow",
  effect: "pure",
  isLocal: true,
  endsRun: true,
  retry: { maxAttempts: 1 },
  input: z.strictObject({
    message: z.string().min(1),
    code: z
      .string()
      .regex(/^[A-Z][A-Z0-9_]{0,63}$/, "upper-case letters, digits and `_`")
      .default("FAILED"),
    details: z.record(z.string(), JsonSchema).optional(),
  }),
  output: z.strictObject({}),
  async run({ input }) {
    throw new OvenError(input.code, input.message, input.details === undefined ? {} : { details: input.details });
  },
});
