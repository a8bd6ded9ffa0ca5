import { JsonSchema, OvenError } from "@oven/contract";
import { defineNode } from "@oven/module-registry";
import { z } from "zod";

/** Keeps the place of a step that an import found nothing for. */
export const placeholderNode = defineNode({
  id: "core.placeholder",
  version: 1,
  title: "Placeholder",
  docs: "Stands where an imported workflow had a step that has no equivalent here. `original` has that step as it was written; nothing of it is ever run.\n\nA definition with a placeholder does not validate, so it cannot be published: replace it by a node that does the same, or delete it.",
  category: "core",
  kind: "flow",
  effect: "pure",
  retry: { maxAttempts: 1 },
  input: z
    .strictObject({
      name: z.string().min(1).describe("What the step is called in the document it came from"),
      product: z.string().min(1).describe("Whose step it is, such as n8n"),
      originalType: z.string().min(1).describe("Its type there"),
      reason: z.string().min(1).describe("Why nothing stands for it"),
      original: JsonSchema.optional().describe("What it was set to there"),
    })
    .superRefine(({ name, product, originalType, reason }, context) => {
      context.addIssue({
        code: "custom",
        message: `“${name}” (${originalType} of ${product}) has no equivalent: ${reason}`,
        params: { fix: "Replace it by a node that does the same, or delete it." },
      });
    }),
  output: z.record(z.string(), JsonSchema),
  async run({ input }) {
    throw new OvenError("INVALID_DEFINITION", `“${input.name}” is a placeholder and cannot run`, {
      fix: "Replace it by a node that does the same, or delete it.",
    });
  },
});
