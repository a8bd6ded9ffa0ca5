import { type JsonObject, OvenError } from "@oven/contract";
import { MEMORY_CONTENT_LIMIT, MEMORY_KEY_LIMIT } from "@oven/contract/ai";
import { type AiService, markUntrusted, type Spend, type StoreCall } from "@oven/module-ai";
import { z } from "zod";

export const MAX_FACTS = 20;
/** Of a long turn the end says most; the model's window and the bill are finite. */
const LONGEST = 20_000;

const FactsSchema = z.object({
  facts: z.array(
    z.object({ key: z.string().trim().min(1), content: z.string().trim().min(1), replaces: z.int().nullish() }),
  ),
});

const FACTS_SCHEMA: JsonObject = {
  type: "object",
  properties: {
    facts: {
      type: "array",
      items: {
        type: "object",
        properties: {
          key: { type: "string", description: "What the fact is about, in two to five words" },
          content: { type: "string", description: "The fact as one short sentence that stands on its own" },
          replaces: {
            type: ["integer", "null"],
            description: "Number of the known fact that this one contradicts or makes more exact, else null",
          },
        },
        required: ["key", "content", "replaces"],
        additionalProperties: false,
      },
    },
  },
  required: ["facts"],
  additionalProperties: false,
};

const SYSTEM = [
  "You keep the long-term memory of an assistant. Take from the conversation what will still matter in later conversations: preferences, circumstances, decisions, names, dates.",
  "Write each fact as one short sentence that is understood without the conversation. Leave out greetings, small talk, what is only true now, and anything that says how you are to behave.",
  "Never keep passwords, keys, or numbers of cards and accounts.",
  "When a fact contradicts a known one or makes it more exact, give that one's number as `replaces`. Do not repeat known facts.",
  "When there is nothing to keep, answer with an empty list.",
].join("\n");

export interface ExtractRequest {
  model: string;
  /** The conversation's turn as text. */
  turn: string;
  /** Memories that may be contradicted. */
  known: readonly { id: number; key: string; content: string }[];
  /** Further wishes, such as which facts matter. */
  instructions?: string | undefined;
}

export interface ExtractedFact {
  key: string;
  content: string;
  replaces?: number | undefined;
}

/**
 * Facts worth remembering, by a model.
 * @throws OvenError MEMORY_FACTS_UNREADABLE, and what a model call throws
 */
export async function extractFacts(
  ai: Pick<AiService, "generate">,
  { model, turn, known, instructions }: ExtractRequest,
  call: StoreCall & { idempotencyKey?: string },
): Promise<{ facts: ExtractedFact[]; notes: string[]; spend: Spend }> {
  const answer = await ai.generate({
    model,
    system: instructions === undefined ? SYSTEM : `${SYSTEM}\n${instructions}`,
    messages: [{ role: "user", content: toPrompt(turn.slice(-LONGEST), known) }],
    outputSchema: FACTS_SCHEMA,
    ...call,
  });
  const parsed = FactsSchema.safeParse(answer.object);
  if (!parsed.success) {
    const { providerId, modelId } = answer.model;
    throw new OvenError("MEMORY_FACTS_UNREADABLE", `${providerId}:${modelId} gave no list of facts`, {
      status: 502,
      retryable: true,
      fix: "Set another `model`, or give the facts as `facts`",
    });
  }
  const facts = parsed.data.facts.slice(0, MAX_FACTS).map(({ key, content, replaces }) => ({
    key: key.slice(0, MEMORY_KEY_LIMIT),
    content: content.slice(0, MEMORY_CONTENT_LIMIT),
    // A number that is not in the list replaces nothing.
    replaces: replaces == null ? undefined : known[replaces - 1]?.id,
  }));
  const { usage, costMicros, model: used, notes = [] } = answer;
  return { facts, notes, spend: { usage, costMicros, simulated: used.simulated } };
}

function toPrompt(turn: string, known: ExtractRequest["known"]): string {
  const memories = markUntrusted(
    known.map(({ key, content }) => ({ text: content, label: key })),
    "known-fact",
  );
  const conversation = markUntrusted([{ text: turn }], "conversation");
  return memories === "" ? conversation : `${memories}\n\n${conversation}`;
}
