import { ResolvedModelSchema } from "@oven/contract/ai";
import { defineTool } from "@oven/module-registry";
import { z } from "zod";
import { callerOf } from "../usage/caller-of.ts";

export const embedTool = defineTool({
  id: "ai.embed",
  title: "Embed a text",
  description: "Turns one text into a vector: texts of like meaning have like vectors. Use ai.embedMany for several.",
  input: z.strictObject({ value: z.string().min(1).max(200_000), model: z.string().min(1).default("embed") }),
  output: z.strictObject({
    embedding: z.array(z.number()),
    dimensions: z.int().positive(),
    model: ResolvedModelSchema,
  }),
  effect: "pure",
  permission: "ai.embed",
  async run({ input, principal, signal, services, run }) {
    const answer = await services.ai.embed({
      model: input.model,
      values: [input.value],
      signal,
      caller: callerOf(principal, run),
    });
    return { embedding: answer.embeddings[0] ?? [], dimensions: answer.dimensions, model: answer.model };
  },
});
