import { ResolvedModelSchema } from "@oven/contract/ai";
import { checkGiven, defineNode, done } from "@oven/module-registry";
import { z } from "zod";
import { embedCeiling } from "./ceilings.ts";
import { callerOfNode } from "./model-caller.ts";

export const embedNode = defineNode({
  id: "agent.embed",
  version: 1,
  title: "Embed",
  synonyms: ["embedding", "vector"],
  docs: [
    "Turns texts into vectors. `text` gives `embedding`, `texts` gives `embeddings` in the same order.",
    "",
    "With `compareTo`, `similarity` says how alike it and `text` are (the cosine: 1 is alike, 0 is unrelated), for a condition to branch on. With several `texts`, `similarities` has one for each.",
  ].join("\n"),
  category: "agent",
  kind: "model",
  effect: "at-least-once",
  input: z
    .strictObject({
      text: z.string().min(1).max(200_000).optional().describe("One text"),
      texts: z.array(z.string().max(200_000)).min(1).max(512).optional().describe("Several texts"),
      compareTo: z.string().min(1).max(200_000).optional().describe("A text to compare with"),
      model: z.string().min(1).default("embed").describe("Alias (`embed`) or `providerId:modelId`"),
    })
    .refine(...checkGiven((has) => has("text") !== has("texts"), "give either `text` or `texts`")),
  output: z.strictObject({
    embedding: z.array(z.number()).nullable(),
    embeddings: z.array(z.array(z.number())),
    dimensions: z.int().positive(),
    similarity: z.number().nullable(),
    similarities: z.array(z.number()),
    model: ResolvedModelSchema,
  }),
  ceiling: embedCeiling,
  async run(context) {
    const { text, texts = [], compareTo, model } = context.input;
    const values = text === undefined ? texts : [text];
    const wanted = compareTo === undefined ? values : [...values, compareTo];
    const answer = await context.services.ai.embed({
      model,
      values: wanted,
      signal: context.signal,
      caller: callerOfNode(context),
    });
    const embeddings = answer.embeddings.slice(0, values.length);
    const compared = compareTo === undefined ? undefined : answer.embeddings.at(-1);
    const similarities = compared === undefined ? [] : embeddings.map((embedding) => cosine(embedding, compared));
    return done(
      {
        embedding: text === undefined ? null : (embeddings[0] ?? []),
        embeddings,
        dimensions: answer.dimensions,
        similarity: text === undefined ? null : (similarities[0] ?? null),
        similarities,
        model: answer.model,
      },
      { spend: { tokenUsage: answer.usage, costMicros: answer.costMicros, simulated: answer.model.simulated } },
    );
  },
});

/** 0 when one of them has no direction. */
function cosine(a: readonly number[], b: readonly number[]): number {
  const length = Math.hypot(...a) * Math.hypot(...b);
  return length === 0 ? 0 : a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0) / length;
}
