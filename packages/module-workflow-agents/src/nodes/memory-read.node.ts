import type { Json } from "@oven/contract";
import { type MemoryMatch, MemoryMatchSchema } from "@oven/contract/ai";
import { markUntrusted } from "@oven/module-ai";
import { defineNode, done } from "@oven/module-registry";
import { z } from "zod";
import { memoryInput, memorySettings, ownerOf, strategyInput } from "../memory/memory-of-node.ts";
import { unknownModel } from "./ceilings.ts";
import { appendMessages, HistorySchema } from "./conversation.ts";
import { CONTEXT_START, toQuery } from "./conversation-query.ts";
import { callerOfNode, toSpend } from "./model-caller.ts";

export const memoryReadNode = defineNode({
  id: "agent.memory.read",
  version: 1,
  title: "Recall",
  synonyms: ["memory", "load", "recollect"],
  docs: [
    "Finds what the agent remembers about the conversation and gives it to the model steps that follow.",
    "",
    "Without a `query` it looks for what the user said last, else for the texts the run was started with.",
    "Settings are taken in this order: this step, the definition's `memoryConfig`, the configuration key MEMORY_RETRIEVAL_TOP_K. A memory belongs to the run's agent, or to the workflow when there is none.",
    "Memories were made of what people said: models get them marked as untrusted content.",
  ].join("\n"),
  category: "agent",
  kind: "memory",
  mayNeed: ({ userId }) => (userId === undefined ? [] : ["agent-memory.read"]),
  effect: "at-least-once",
  reads: ["$.messages"],
  tags: ["outside-content"],
  input: z.strictObject({
    query: z.string().optional().describe("What to look for; else what the user said last"),
    topK: z.int().positive().max(100).optional().describe("How many memories at most"),
    strategy: strategyInput,
    minScore: z.number().optional().describe("Leaves out memories less alike than this"),
    ...memoryInput,
    history: HistorySchema.describe("`none`: memories do not become part of $.messages"),
  }),
  output: z.strictObject({
    enabled: z.boolean(),
    memories: z.array(MemoryMatchSchema),
    count: z.int().nonnegative(),
    /** As models get them; empty when there are none. */
    context: z.string(),
  }),
  outcomes: [
    { id: "found", title: "Remembered", guard: { key: "output.count", operator: ">", value: 0 } },
    { id: "nothing", title: "Nothing" },
  ],
  ceiling: () => ({ perCall: unknownModel({ code: "store" }) }),
  async run(context) {
    const { input, services } = context;
    const settings = await memorySettings(context);
    if (!settings.enabled) {
      context.log("info", "Memory is off: nothing was read");
      return done({ enabled: false, memories: [], count: 0, context: "" });
    }
    const owner = ownerOf(context, settings.scope, "agent-memory.read");
    const { strategy, topK, store } = settings;
    const started = performance.now();
    const query = toQuery(context, input.query);
    const { memories, spend } = await services.agentMemory.recall(
      { owner, query, strategy, topK, store, minScore: input.minScore },
      { caller: callerOfNode(context), signal: context.signal },
    );
    const found = toContext(memories);
    const said = { role: "user" as const, content: `${CONTEXT_START} What is remembered from before.\n\n${found}` };
    return done(
      // cast: made of JSON columns; the engine checks it against the schema
      { enabled: true, memories: memories as Json, count: memories.length, context: found },
      {
        patch: input.history === "none" || memories.length === 0 ? [] : appendMessages(context, [said]),
        spend: toSpend(spend),
        toolCalls: [
          {
            toolCallId: "recall",
            tool: "ai.vectorStore.query",
            arguments: { query, strategy, topK, store: store ?? null },
            result: memories.map(({ id, score }) => ({ id, score })),
            durationMs: Math.round(performance.now() - started),
          },
        ],
      },
    );
  },
});

function toContext(memories: readonly MemoryMatch[]): string {
  return markUntrusted(
    memories.map(({ key, content, updatedAt }) => ({ text: content, label: `${key}, ${updatedAt.slice(0, 10)}` })),
    "memory",
  );
}
