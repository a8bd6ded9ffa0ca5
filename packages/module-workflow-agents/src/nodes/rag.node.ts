import type { Json } from "@oven/contract";
import {
  type AskAnswer,
  CitationSchema,
  type RetrieveAnswer,
  searchOptions,
  VectorMatchSchema,
} from "@oven/contract/ai";
import type { Spend } from "@oven/module-ai";
import { defineNode, done } from "@oven/module-registry";
import { z } from "zod";
import { unknownModel } from "./ceilings.ts";
import { appendMessages, HistorySchema } from "./conversation.ts";
import { CONTEXT_START, toQuery } from "./conversation-query.ts";
import { callerOfNode, toSpend } from "./model-caller.ts";

export const ragNode = defineNode({
  id: "agent.rag",
  version: 1,
  title: "Search knowledge",
  synonyms: ["vector", "retrieve", "retrieval", "documents", "embedding", "question answering"],
  docs: [
    "Searches a vector store and gives what it finds to the model steps that follow, as numbered sources.",
    "",
    "With `answer: true` a model answers from the sources in the same step: `answer` has its text, `citations` the sources it names.",
    "Without a `query` it looks for what the user said last, else for the texts the run was started with.",
    "What is found was written by somebody else: models get it marked as untrusted content.",
  ].join("\n"),
  category: "agent",
  kind: "memory",
  effect: "at-least-once",
  reads: ["$.messages"],
  tags: ["outside-content"],
  input: z.strictObject({
    store: z.string().min(1).max(63).describe("Slug or id of the vector store"),
    query: z.string().optional().describe("What to look for; else what the user said last"),
    ...searchOptions,
    answer: z.boolean().default(false).describe("Whether a model answers from what is found"),
    model: z.string().min(1).optional().describe("With `answer`: alias (`fast`) or `providerId:modelId`"),
    system: z.string().max(20_000).optional().describe("With `answer`: instructions beside those about sources"),
    history: HistorySchema.describe("`none`: what is found, and the answer, do not become part of $.messages"),
  }),
  output: z.strictObject({
    matches: z.array(VectorMatchSchema),
    count: z.int().nonnegative(),
    context: z.string(),
    answer: z.string().nullable(),
    citations: z.array(CitationSchema),
    warnings: z.array(z.string()),
  }),
  outcomes: [
    { id: "found", title: "Found", guard: { key: "output.count", operator: ">", value: 0 } },
    { id: "nothing", title: "Nothing found" },
  ],
  ceiling: () => ({ perCall: unknownModel({ code: "store" }) }),
  async run(context) {
    const { store, query: given, answer, model, system, history, ...options } = context.input;
    const { vectorStores } = context.services;
    const query = toQuery(context, given);
    const call = { caller: callerOfNode(context), signal: context.signal };
    const search = { query, ...options };
    const found = answer
      ? toAnswered(
          await vectorStores.ask(
            store,
            {
              ...search,
              model: model ?? context.settings.agentConfig.model ?? "fast",
              ...(system === undefined ? {} : { system }),
            },
            call,
          ),
        )
      : { ...(await vectorStores.retrieve(store, search, call)), answer: null, citations: [] };
    for (const warning of found.warnings) context.log("warn", warning);
    const { matches, warnings, citations } = found;
    const said =
      history === "none" || matches.length === 0
        ? []
        : appendMessages(context, [
            { role: "user", content: `${CONTEXT_START} What a search found.\n\n${found.context}` },
            ...(found.answer === null ? [] : [{ role: "assistant" as const, content: found.answer }]),
          ]);
    return done(
      {
        matches: matches as Json, // cast: made of JSON columns; its schema is checked by the engine
        count: matches.length,
        context: found.context,
        answer: found.answer,
        citations: citations as Json, // cast: as above
        warnings,
      },
      { patch: said, spend: toSpend(found.spend) },
    );
  },
});

function toAnswered({
  usage,
  costMicros,
  simulated,
  ...answered
}: AskAnswer & { simulated: boolean }): RetrieveAnswer & Pick<AskAnswer, "answer" | "citations"> & { spend: Spend } {
  return { ...answered, spend: { usage, costMicros, simulated } };
}
