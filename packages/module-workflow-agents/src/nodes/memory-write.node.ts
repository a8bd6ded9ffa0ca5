import type { Json } from "@oven/contract";
import { MemoryFactSchema, type MemorySource, type Message } from "@oven/contract/ai";
import type { Spend, StoreCall } from "@oven/module-ai";
import { defineNode, done, type NodeContext } from "@oven/module-registry";
import { z } from "zod";
import { extractFacts, MAX_FACTS } from "../memory/extract-facts.ts";
import { memoryInput, memorySettings, ownerOf } from "../memory/memory-of-node.ts";
import type { MemoryOwner } from "../memory/memory-owner.ts";
import { unknownModel } from "./ceilings.ts";
import { readMessages } from "./conversation.ts";
import { isFromUser, textOf, triggerText } from "./conversation-query.ts";
import { callerOfNode, toSpend } from "./model-caller.ts";

/** Memories the model is shown because the turn may contradict them. */
const KNOWN = 10;

const WriteInput = z.strictObject({
  facts: z
    .array(MemoryFactSchema)
    .max(MAX_FACTS)
    .optional()
    .describe("What to remember, as it stands: no model is asked"),
  text: z.string().optional().describe("What to take facts from; else the conversation's last turn"),
  instructions: z.string().max(4_000).optional().describe("Which facts matter, for the model that takes them out"),
  model: z
    .string()
    .min(1)
    .optional()
    .describe("The model that takes facts out: alias (`fast`) or `providerId:modelId`"),
  ttlDays: z.number().positive().max(36_500).optional().describe("Days until a memory is forgotten; else it is kept"),
  metadata: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .optional()
    .describe("Kept beside it"),
  ...memoryInput,
});
type Context = NodeContext<z.output<typeof WriteInput>>;

export const memoryWriteNode = defineNode({
  id: "agent.memory.write",
  version: 1,
  title: "Remember",
  synonyms: ["memory", "save", "store"],
  docs: [
    "Takes facts worth keeping out of the conversation's last turn and remembers them beyond the run.",
    "",
    "A model writes them as short sentences and says which known ones they contradict: those are updated, not doubled. With `facts` nothing is asked: they are kept as they are, and the same `key` replaces.",
    "Each memory says where it comes from: run, step, message and time, in `metadata.source`.",
  ].join("\n"),
  category: "agent",
  kind: "memory",
  mayNeed: ({ userId }) => (userId === undefined ? [] : ["agent-memory.create"]),
  effect: "at-least-once",
  reads: ["$.messages"],
  input: WriteInput,
  output: z.strictObject({
    enabled: z.boolean(),
    memories: z.array(
      z.strictObject({
        id: z.int().positive(),
        key: z.string(),
        content: z.string(),
        change: z.enum(["added", "updated", "unchanged"]),
      }),
    ),
    added: z.int().nonnegative(),
    updated: z.int().nonnegative(),
  }),
  ceiling: () => ({ perCall: unknownModel({ code: "store" }) }),
  async run(context) {
    const { input, node, services, principal } = context;
    const settings = await memorySettings(context);
    if (!settings.enabled) {
      context.log("info", "Memory is off: nothing was written");
      return done({ enabled: false, memories: [], added: 0, updated: 0 });
    }
    if (context.options?.refuseEffects === true) {
      context.log("info", "This run is to have no effects: nothing was written");
      return done({ enabled: true, memories: [], added: 0, updated: 0 });
    }
    const owner = ownerOf(context, settings.scope, "agent-memory.create");
    const call = { caller: callerOfNode(context), signal: context.signal };
    const turn = input.text ?? lastTurn(context);
    const spends: Spend[] = [];
    const facts = input.facts ?? (await learn(context, turn, owner, settings.store, call, spends));
    const source: MemorySource = {
      executionId: node.executionId,
      executionKind: node.kind,
      nodeId: node.nodeId,
      sessionId: context.agent?.sessionId ?? null,
      ...(context.options?.test ? { test: true } : {}),
      message: turn.slice(0, 200),
      at: new Date().toISOString(),
    };
    const started = performance.now();
    const { memories, spend } = await services.agentMemory.remember(
      {
        owner,
        facts,
        store: settings.store,
        metadata: { ...input.metadata, source: { ...source } },
        expiresAt: input.ttlDays === undefined ? null : new Date(Date.now() + input.ttlDays * 86_400_000),
        actor: { kind: principal.kind, id: principal.userId },
      },
      call,
    );
    spends.push(spend);
    const count = (change: string) => memories.filter((memory) => memory.change === change).length;
    return done(
      {
        enabled: true,
        memories: memories.map((memory): Json => ({ ...memory })),
        added: count("added"),
        updated: count("updated"),
      },
      {
        spend: toSpend(sum(spends)),
        toolCalls: [
          {
            toolCallId: "remember",
            tool: "ai.vectorStore.upsert",
            arguments: { items: facts.map(({ key }) => key), store: settings.store ?? null },
            result: memories.map(({ id, change }) => ({ id, change })),
            durationMs: Math.round(performance.now() - started),
          },
        ],
      },
    );
  },
});

async function learn(
  context: Context,
  turn: string,
  owner: MemoryOwner,
  store: string | undefined,
  call: StoreCall,
  spends: Spend[],
) {
  if (turn.trim() === "") return [];
  const { input, settings, services } = context;
  const query = turn.slice(-4_000);
  const known = await services.agentMemory.recall({ owner, query, strategy: "hybrid", topK: KNOWN, store }, call);
  const extracted = await extractFacts(
    services.ai,
    {
      model: input.model ?? settings.agentConfig.model ?? "fast",
      turn,
      known: known.memories,
      instructions: input.instructions,
    },
    { ...call, idempotencyKey: context.idempotencyKey() },
  );
  for (const note of extracted.notes) context.log("info", note);
  spends.push(known.spend, extracted.spend);
  return extracted.facts;
}

/** From the user's newest message to the end, without what was found or remembered meanwhile. */
function lastTurn(context: Context): string {
  const messages = readMessages(context);
  const from = messages.findLastIndex(isFromUser);
  const turn = from < 0 ? messages : messages.slice(from);
  const lines = turn.filter(isSaid).map((message) => `${message.role}: ${textOf(message)}`);
  return lines.length > 0 ? lines.join("\n") : triggerText(context.read("$.trigger"));
}

function isSaid(message: Message): boolean {
  return (isFromUser(message) || message.role === "assistant") && textOf(message).trim() !== "";
}

function sum(spends: readonly Spend[]): Spend {
  return spends.reduce(
    (total, { usage, costMicros, simulated }) => ({
      usage: {
        input: total.usage.input + usage.input,
        output: total.usage.output + usage.output,
        total: total.usage.total + usage.total,
      },
      costMicros: total.costMicros + costMicros,
      simulated: total.simulated || simulated,
    }),
    { usage: { input: 0, output: 0, total: 0 }, costMicros: 0, simulated: false },
  );
}
