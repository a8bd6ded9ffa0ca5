import { JsonSchema } from "@oven/contract";
import { defineNode } from "@oven/module-registry";
import { z } from "zod";

export const stopNode = defineNode({
  id: "core.stop",
  version: 1,
  title: "Stop",
  synonyms: ["end", "exit", "finish"],
  docs: "Ends the whole run here: completed, with the outcome `stopped` (or your own word) and `output` as its output. Other branches are cancelled.",
  category: "core",
  kind: "flow",
  effect: "pure",
  isLocal: true,
  endsRun: true,
  input: z.strictObject({
    output: JsonSchema.default(null),
    outcome: z
      .string()
      .regex(/^[a-z][a-z0-9_]{0,63}$/, "a lower-case word")
      .refine((outcome) => outcome !== "failed", "use core.fail to fail a run")
      .default("stopped"),
  }),
  output: z.strictObject({ output: JsonSchema }),
  async run({ input }) {
    return { type: "done", output: { output: input.output }, stop: { outcome: input.outcome, output: input.output } };
  },
});
