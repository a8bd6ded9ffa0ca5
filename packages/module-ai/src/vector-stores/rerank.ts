import type { ModelAnswer, VectorMatch } from "@oven/contract/ai";
import { z } from "zod";
import type { ModelRequest } from "../model/model-request.ts";
import { labelOf, markUntrusted } from "./untrusted-content.ts";

const OrderSchema = z.object({ order: z.array(z.int()) });
const ORDER_SCHEMA = {
  type: "object",
  properties: { order: { type: "array", items: { type: "integer" } } },
  required: ["order"],
  additionalProperties: false,
};
const SYSTEM =
  "You put search results in order. Answer with the numbers of the sources that help to answer the query, most helpful first. Leave out sources that do not help.";

export interface Reranked {
  matches: VectorMatch[];
  warning: string | null;
  answer: ModelAnswer;
}

/**
 * Matches in a language model's order; those it leaves out come after, as they were. An answer without a usable order
 * changes nothing and says so.
 */
export async function rerank(
  generate: (request: ModelRequest) => Promise<ModelAnswer>,
  request: Pick<ModelRequest, "model" | "caller" | "signal">,
  query: string,
  matches: readonly VectorMatch[],
): Promise<Reranked> {
  const sources = markUntrusted(matches.map(({ text, source }) => ({ text, label: labelOf(source) })));
  const answer = await generate({
    ...request,
    system: SYSTEM,
    messages: [{ role: "user", content: `${sources}\n\nQuery: ${query}` }],
    outputSchema: ORDER_SCHEMA,
  });
  const parsed = OrderSchema.safeParse(answer.object);
  const wanted = parsed.success ? parsed.data.order : [];
  const order = [...new Set(wanted)].filter((number) => number >= 1 && number <= matches.length);
  if (order.length === 0) {
    const warning = `${answer.model.providerId}:${answer.model.modelId} gave no order; the matches are as the search found them`;
    return { matches: [...matches], warning, answer };
  }
  const chosen = order.flatMap((number) => matches[number - 1] ?? []);
  return { matches: [...chosen, ...matches.filter((match) => !chosen.includes(match))], warning: null, answer };
}
