import { JsonSchema } from "@oven/contract";
import { defineNode, done } from "@oven/module-registry";
import { z } from "zod";

export const logNode = defineNode({
  id: "core.log",
  version: 1,
  title: "Log",
  synonyms: ["debug", "print", "note"],
  docs: "Writes a line into the run's log.",
  category: "core",
  kind: "flow",
  effect: "idempotent",
  input: z.strictObject({
    level: z.enum(["debug", "info", "warn", "error"]).default("info"),
    message: z.string(),
    data: JsonSchema.optional(),
  }),
  output: z.strictObject({ message: z.string() }),
  async run({ input, log }) {
    log(input.level, input.message, input.data);
    return done({ message: input.message });
  },
});
