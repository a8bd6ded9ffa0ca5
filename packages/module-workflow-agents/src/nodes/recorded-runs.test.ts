import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AgentOven, startAgentOven } from "../agents/testing/agent-oven.ts";

/** Answers everything otherwise each time. */
let asked = 0;
const vendor = createServer(async (request, response) => {
  // cast: what the SDK sends
  const body = (await json(request)) as { input?: string[] };
  asked++;
  const data = body.input?.map((_, index) => ({ index, embedding: [asked, index + 1, 0.5] })) ?? [
    { b64_json: Buffer.from([asked]).toString("base64") },
  ];
  response
    .writeHead(200, { "content-type": "application/json" })
    .end(JSON.stringify({ created: 1, data, usage: { prompt_tokens: 1, total_tokens: 1 } }));
});
let oven: AgentOven;

beforeAll(async () => {
  vendor.listen(0, "127.0.0.1");
  await once(vendor, "listening");
  const origin = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`; // cast: it listens on TCP
  oven = await startAgentOven((_request, index) => ({ text: `Answer ${index + 1}` }), { outboundAllow: [origin] });
  await oven.call("POST", "ai-providers", { id: "house", kind: "openai-compatible", baseUrl: `${origin}/v1` });
  const store = { slug: "guides", name: "Guides", embeddingModel: "house:vectors" };
  expect((await oven.call("POST", "vector-stores", store)).status).toBe(201);
  const items = [{ key: "a", text: "Bread rises at night." }];
  expect((await oven.call("POST", "vector-stores/guides/upsert", { items })).status).toBe(200);
});
afterAll(async () => {
  await oven.stop();
  vendor.close();
});

test("a run that is replayed asks no model: not its nodes, not its searches, not the routes that it calls", async () => {
  const step = (src: string, input: object, onDone: string) => ({ invoke: { src, input, onDone } });
  const messages = [{ role: "user", content: "Hi" }];
  const definition = {
    initial: "embed",
    states: {
      embed: step("agent.embed", { text: "bread", model: "house:vectors" }, "paint"),
      paint: step("agent.imageGen", { prompt: "bread", model: "house:painter" }, "find"),
      find: step("agent.rag", { store: "guides", query: "When does bread rise?" }, "route"),
      route: step("ai.embedMany", { values: ["bread"], model: "house:vectors" }, "ask"),
      ask: step("ai.generate", { model: "openai:house-model", messages }, "done"),
      done: {
        type: "final",
        output: {
          embedding: "$.embed_output.embedding",
          image: "$.paint_output.image.sha256",
          found: "$.find_output.matches",
          byRoute: "$.route_output.embeddings",
          text: "$.ask_output.text",
        },
      },
    },
  };
  const { body: workflow } = await oven.call("POST", "agent-workflows", { name: "Recorded", definition });
  const run = async (mode: string) => {
    const options = { recording: { name: "suite", mode } };
    return (await oven.call("POST", `agent-workflows/${workflow.id}/execute?wait=30`, { options })).body;
  };
  const recorded = await run("record");
  expect(recorded.status, JSON.stringify(recorded.errorInfo)).toBe("completed");
  expect(recorded.output).toMatchObject({ text: "Answer 1", found: [{ text: "Bread rises at night." }] });
  const before = asked;
  const replayed = await run("replay");
  expect(replayed.status, JSON.stringify(replayed.errorInfo)).toBe("completed");
  expect(replayed.output).toEqual(recorded.output);
  expect(asked).toBe(before);
  expect(oven.server.requests).toHaveLength(1);
  expect(replayed.costMicros).toBe(0);
});

test.each([
  [
    "a route",
    { src: "ai.generate", input: { model: "openai:house-model", messages: [{ role: "user", content: "Hi" }] } },
  ],
  [
    "a tool",
    {
      src: "agent.toolExecutor",
      input: {
        toolCalls: [
          { toolCallId: "a", tool: "ai.generateText", arguments: { prompt: "Hi", model: "openai:house-model" } },
        ],
        tools: ["ai.generateText"],
      },
    },
  ],
])(
  "what a run asks of models through %s counts for its workflow: in the log, and in its budget",
  async (_way, invoke) => {
    const definition = {
      initial: "ask",
      states: { ask: { invoke: { ...invoke, onDone: "done" } }, done: { type: "final", output: "$.ask_output" } },
    };
    const { body: workflow } = await oven.call("POST", "agent-workflows", { name: "Counted", definition });
    expect(workflow.id, JSON.stringify(workflow)).toBeGreaterThan(0);
    const target = `agent-workflow:${workflow.id}`;
    const budget = { name: "Cap", scope: "workflow", target, period: "day", limitTokens: 1 };
    const { body: cap } = await oven.call("POST", "ai-budgets", budget);
    const run = async () => (await oven.call("POST", `agent-workflows/${workflow.id}/execute?wait=30`, {})).body;
    const first = await run();
    expect(first.status, JSON.stringify(first.errorInfo)).toBe("completed");
    const [usage] = (await oven.call("GET", `ai-usage-logs?filter={"executionId":${first.id}}`)).body;
    expect(usage).toMatchObject({ workflow: target, nodeId: "ask", status: "ok" });
    expect(JSON.stringify(await run())).toContain(`The budget Cap of ${target} is spent`);
    await oven.call("DELETE", `ai-budgets/${cap.id}`);
  },
);
