import type { JsonObject } from "@oven/contract";
import type { ModelReply } from "@oven/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type OpenServices, openServices } from "./testing/open-services.ts";
import { runAgents } from "./testing/run-agents.ts";

const words = ["return", "ship", "gift", "refund"];
const embed = (text: string) => words.map((word) => text.toLowerCase().split(word).length - 1);
const call = { caller: { tenantId: 1, userId: null } };

let open: OpenServices;
let replies: ModelReply[] = [];

beforeAll(async () => {
  open = await openServices(() => replies.shift() ?? { status: 400, message: "no reply left" }, { embed });
  const { vectorStores } = open.services;
  const settings = { embeddingModel: "openai:e", metric: "cosine", language: "english" } as const;
  await vectorStores.create({ name: "Help", ...settings }, call);
  await vectorStores.upsert(
    "help",
    [
      { key: "returns", text: "Send a return within 30 days.", metadata: { lang: "en" } },
      { key: "rules", text: "A return needs the receipt; a refund takes a week.", metadata: { lang: "en" } },
      { key: "shipping", text: "We ship on Mondays.", metadata: { lang: "en" } },
      { key: "de", text: "Ein return ist frei.", metadata: { lang: "de" } },
    ],
    call,
  );
  await vectorStores.create({ name: "Gifts", ...settings }, call);
  await vectorStores.upsert("gifts", [{ key: "cards", text: "A gift card can not return." }], call);
});
beforeEach(async () => {
  open.server.requests.length = 0;
  await open.db.query("delete from ai_usage_logs");
});
afterAll(() => open.close());

async function run(input: JsonObject, after: JsonObject = {}) {
  const harness = runAgents(
    {
      initial: "look",
      agentConfig: { model: "openai:writer" },
      states: {
        look: { invoke: { src: "agent.rag", input: { mode: "vector", ...input }, onDone: "reply" } },
        reply: { invoke: { src: "agent.llm", input: { prompt: "{{ $.trigger.message }}", ...after }, onDone: "done" } },
        done: { type: "final", output: "$.look_output" },
      },
    },
    open.services,
  );
  const id = await harness.execute({ message: "How do I return it?" });
  const columns = harness.columns(id);
  // cast: the node's own output
  const output = columns.output as { matches: { key: string }[]; count: number; answer: string | null };
  return { id, columns, output, keys: (output?.matches ?? []).map(({ key }) => key) };
}

test("[004-061] [004-064] what a search found reaches the next model step, marked as untrusted", async () => {
  replies = [{ text: "Within 30 days." }];
  const { columns, keys } = await run({ store: "help", topK: 1 });
  expect(columns.status).toBe("completed");
  expect(keys).toEqual(["returns"]);
  expect(open.server.requests[0]?.body.messages).toEqual([
    {
      role: "user",
      content: expect.stringMatching(/^\[context\][\s\S]*<untrusted-content source="1">\nSend a return/),
    },
    { role: "user", content: "How do I return it?" },
  ]);
});

test("[004-063] store, top-K, filter, minimum and reranking each change what is found", async () => {
  const found = async (input: JsonObject, more: ModelReply[] = []) => {
    replies = [...more, { text: "ok" }];
    return (await run(input)).keys;
  };
  const base = await found({ store: "help", topK: 3 });
  expect(base).toEqual(["returns", "de", "rules"]);
  expect(await found({ store: "gifts", topK: 3 })).toEqual(["cards"]);
  expect(await found({ store: "help", topK: 1 })).toEqual(["returns"]);
  expect(await found({ store: "help", topK: 3, filter: { lang: "de" } })).toEqual(["de"]);
  expect(await found({ store: "help", topK: 3, minScore: 0.9 })).toEqual(["returns", "de"]);
  const rerank = { model: "openai:judge", candidates: 3 };
  expect(await found({ store: "help", topK: 3, rerank }, [{ text: '{"order":[3]}' }])).toEqual([
    "rules",
    "returns",
    "de",
  ]);
});

test("[004-062] it answers in the same step, with its sources, and what it cost", async () => {
  replies = [{ text: "Within 30 days [1].", usage: { input: 40, output: 8 } }, { text: "ok" }];
  const { columns, output } = await run({ store: "help", topK: 1, answer: true });
  expect(output).toMatchObject({ answer: "Within 30 days [1].", citations: [{ number: 1, key: "returns" }] });
  expect(open.server.requests[0]?.body.model).toBe("writer");
  // The question's embedding (5 words), the answer, and the reply after it.
  expect(columns.tokenUsage).toMatchObject({ total: 5 + 48 + 18 });
  expect(open.server.requests[1]?.body.messages).toContainEqual({ role: "assistant", content: "Within 30 days [1]." });
});

test("[004-217] its result is the tool's, and the usage rows are module-ai's", async () => {
  replies = [{ text: "ok" }];
  const { output, id } = await run({ store: "help", topK: 2 });
  const tool = await open.services.tools.call(
    "ai.rag.retrieve",
    { store: "help", query: "How do I return it?", mode: "vector", topK: 2 },
    {
      principal: { kind: "user", userId: 1, tenantId: 1, permissions: ["*"] },
      signal: AbortSignal.timeout(5_000),
      idempotencyKey: "once",
    },
  );
  expect(tool).toMatchObject({ matches: output.matches });
  const rows = await open.db.query("select operation from ai_usage_logs where execution_id = $1 and node_id = 'look'", [
    id,
  ]);
  expect(rows).toEqual([{ operation: "embed" }]);
});

test("nothing found is an answer of its own, and adds nothing to the conversation", async () => {
  replies = [{ text: "ok" }];
  const { output } = await run({ store: "help", filter: { lang: "fr" }, answer: true });
  expect(output).toMatchObject({ count: 0, answer: null });
  expect(open.server.requests.map(({ body }) => body.messages)).toEqual([
    [{ role: "user", content: "How do I return it?" }],
  ]);
});

test("an unknown store fails the step by name", async () => {
  const { columns } = await run({ store: "nowhere" });
  expect(columns).toMatchObject({ status: "failed", errorInfo: { code: "NOT_FOUND" } });
});

test("[004-068] [004-069] one text and several give one and several vectors, and a graph branches on likeness", async () => {
  const definition = (text: string): JsonObject => ({
    initial: "many",
    states: {
      many: {
        invoke: { src: "agent.embed", input: { texts: ["gift", "ship ship"], model: "openai:e" }, onDone: "one" },
      },
      one: {
        invoke: {
          src: "agent.embed",
          input: { text, compareTo: "a refund for a return", model: "openai:e" },
          onDone: [
            {
              target: "alike",
              guard: { type: "condition", params: { key: "$.one_output.similarity", operator: ">", value: 0.6 } },
            },
            { target: "different" },
          ],
        },
      },
      alike: { type: "final", output: { one: "$.one_output", many: "$.many_output", branch: "alike" } },
      different: { type: "final", output: { branch: "different" } },
    },
  });
  const outputOf = async (text: string) => {
    const harness = runAgents(definition(text), open.services);
    return harness.columns(await harness.execute({})).output;
  };
  expect(await outputOf("return")).toMatchObject({
    branch: "alike",
    one: {
      embedding: [1, 0, 0, 0],
      embeddings: [[1, 0, 0, 0]],
      dimensions: 4,
      similarity: expect.closeTo(Math.SQRT1_2),
    },
    many: {
      embedding: null,
      embeddings: [
        [0, 0, 1, 0],
        [0, 2, 0, 0],
      ],
      similarities: [],
    },
  });
  expect(await outputOf("ship")).toEqual({ branch: "different" });
});

test("a model in a tool loop calls ai.embed and ai.rag.retrieve, and sees what they answer", async () => {
  replies = [
    {
      toolCalls: [
        { id: "a", name: "ai_embed", arguments: { value: "gift", model: "openai:e" } },
        { id: "b", name: "ai_rag_retrieve", arguments: { store: "help", query: "ship", mode: "vector", topK: 1 } },
      ],
    },
    { text: "On Mondays." },
  ];
  const input = { prompt: "When do you ship?", model: "openai:m", tools: ["ai.embed", "ai.rag.retrieve"] };
  const harness = runAgents(
    {
      initial: "talk",
      states: {
        talk: { invoke: { src: "agent.toolLoop", input, onDone: "done" } },
        done: { type: "final", output: "$.talk_output.text" },
      },
    },
    open.services,
  );
  const id = await harness.execute({});
  expect(harness.columns(id)).toMatchObject({ errorInfo: null, output: "On Mondays." });
  const told = JSON.stringify(open.server.requests[1]?.body.messages);
  expect(told).toContain('\\"embedding\\":[0,0,1,0]');
  expect(told).toContain("We ship on Mondays.");
  expect(told).toContain("<untrusted-content");
});
