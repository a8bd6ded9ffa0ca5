import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "@oven/contract";
import type { ModelReply } from "@oven/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AgentOven, startAgentOven } from "./testing/agent-oven.ts";

const MP4 = Buffer.from("00000018667479706d703432", "hex");
/** A vendor of videos as Replicate is one. */
const vendor = createServer((request, response) => {
  if (request.url === "/made.mp4") return void response.writeHead(200, { "content-type": "video/mp4" }).end(MP4);
  const origin = `http://${request.headers.host}`;
  const made = {
    id: "p",
    status: "succeeded",
    output: `${origin}/made.mp4`,
    urls: { get: `${origin}/p` },
    metrics: {},
  };
  request.resume();
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(made));
});

describe("document 004, agents", () => {
  let oven: AgentOven;
  let replies: ModelReply[] = [];
  let count = 0;
  beforeAll(async () => {
    vendor.listen(0, "127.0.0.1");
    await once(vendor, "listening");
    const origin = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`; // cast: it listens on TCP
    const script = () => replies.shift() ?? { status: 400, message: "no reply left" };
    oven = await startAgentOven(script, { outboundAllow: [origin] });
    const secret = { name: "vendor", value: "r8-0123456789", hosts: [new URL(origin).host] };
    expect((await oven.call("POST", "secrets", secret)).status).toBe(201);
    const provider = { id: "films", kind: "replicate", baseUrl: origin, secret: "vendor" };
    expect((await oven.call("POST", "ai-providers", provider)).status).toBe(201);
  });
  afterAll(async () => {
    await oven.stop();
    vendor.close();
  });
  beforeEach(() => {
    oven.server.requests.length = 0;
    replies = [];
  });

  const model = "openai:house-model";
  const done = { type: "final", output: "$.answer_output.text" };
  async function publish(definition: object, more: object = {}): Promise<{ id: number; slug: string }> {
    count += 1;
    const { status, body } = await oven.call("POST", "agent-workflows", { name: `Spec ${count}`, definition, ...more });
    expect(status, JSON.stringify(body)).toBe(201);
    return body;
  }
  const execute = async (id: number, input: object = {}) =>
    (await oven.call("POST", `agent-workflows/${id}/execute?wait=30`, { input })).body;
  const loop = (tools: string[]) => ({
    initial: "answer",
    states: {
      answer: { invoke: { src: "agent.toolLoop", input: { prompt: "Go on.", model, tools }, onDone: "done" } },
      done,
    },
  });
  const calls = (...named: [name: string, args: JsonObject][]): ModelReply => ({
    toolCalls: named.map(([name, args], index) => ({
      id: `c${count}-${index}`,
      name: name.replaceAll(".", "_"),
      arguments: args,
    })),
  });
  const logOf = async (id: number) => {
    const { body } = await oven.call("GET", `agent-workflow-executions/${id}/export`);
    return JSON.stringify(body);
  };

  it("streams, keeps checkpoints and goes round the tool loop in one run [004-023]", async () => {
    const { id } = await publish(loop(["shop.*"]));
    replies = [calls(["shop.get", { id: 1 }]), { text: "Found it." }];
    const run = await execute(id);
    expect(run).toMatchObject({ status: "completed", output: "Found it." });
    const stream = await (await oven.fetch(`agent-workflow-executions/${run.id}/events`)).text();
    expect(stream).toContain("event: text");
    const checkpoints = (await oven.call("GET", `agent-workflow-executions/${run.id}/checkpoints`)).body;
    expect(checkpoints.length).toBeGreaterThanOrEqual(3);
    expect(oven.server.requests).toHaveLength(2);
    expect(await logOf(run.id)).toContain("answer.");
  });

  it("calls images, embeddings, retrieval and a module's own tools from one loop [004-044] [004-224]", async () => {
    const store = { slug: "guides", name: "Guides", embeddingModel: "local:use-lite" };
    expect((await oven.call("POST", "vector-stores", store)).status).toBe(201);
    const items = [{ key: "a", text: "Parcels are sent on Tuesday." }];
    expect((await oven.call("POST", "vector-stores/guides/upsert", { items })).status).toBeLessThan(300);
    const tools = ["shop.get", "ai.generateImage", "ai.embed", "ai.rag.retrieve"];
    const { id } = await publish(loop(tools));
    const offered = (await oven.call("GET", "tools?range=[0,999]")).body.map((tool: { id: string }) => tool.id);
    expect(offered).toEqual(
      expect.arrayContaining([...tools, "ai.rag.ask", "ai.vectorStore.query", "ai.generateVideo"]),
    );
    replies = [
      calls(
        ["shop.get", { id: 7 }],
        ["ai.generateImage", { prompt: "A loaf", model: "simulated:image" }],
        ["ai.embed", { value: "a loaf", model: "local:use-lite" }],
        ["ai.rag.retrieve", { store: "guides", query: "When are parcels sent?" }],
      ),
      { text: "All four." },
    ];
    const run = await execute(id);
    expect(run, JSON.stringify(run.errorInfo)).toMatchObject({ status: "completed", output: "All four." });
    const results = ((oven.server.requests[1]?.body.messages ?? []) as { role: string; content: string }[])
      .filter(({ role }) => role === "tool")
      .map(({ content }) => content);
    expect(results).toHaveLength(4);
    expect(results[0]).toContain('"seen":7');
    expect(results[1]).toContain("$blob");
    expect(results[2]).toContain('"dimensions":512');
    expect(results[3]).toContain("Parcels are sent on Tuesday.");
  });

  it("offers generation, embeddings, images, vector stores and RAG by route, as a tool and from a node [004-215]", async () => {
    const store = { slug: "both", name: "Both", embeddingModel: "local:use-lite" };
    await oven.call("POST", "vector-stores", store);
    await oven.call("POST", "vector-stores/both/upsert", { items: [{ key: "a", text: "Bread rises at night." }] });
    const image = { prompt: "A loaf", model: "simulated:image" };
    const question = { store: "both", query: "When does bread rise?" };
    const texts = ["a loaf"];
    const embeddings = { model: "local:use-lite" };
    const asked = { model, messages: [{ role: "user", content: "Hi" }] };
    const ways: [
      route: [string, object],
      tool: [string, JsonObject],
      node: [string, object],
      shows: string,
      own?: true,
    ][] = [
      [
        ["ai/generate", asked],
        ["ai.generateText", { prompt: "Hi", model }],
        ["agent.llm", { prompt: "Hi", model }],
        "Risen.",
        true,
      ],
      [
        ["ai/embed", { values: texts, ...embeddings }],
        ["ai.embed", { value: "a loaf", ...embeddings }],
        ["agent.embed", { texts, ...embeddings }],
        '"dimensions":512',
      ],
      [["ai/images", image], ["ai.generateImage", image], ["agent.imageGen", image], "$blob"],
      [
        ["vector-stores/both/query", { query: "bread" }],
        ["ai.vectorStore.query", { id: "both", query: "bread" }],
        ["ai.vectorStore.query", { id: "both", query: "bread" }],
        "Bread rises",
      ],
      [["ai/rag/retrieve", question], ["ai.rag.retrieve", question], ["agent.rag", question], "Bread rises"],
    ];
    for (const [[path, body], [tool, args], [src, input], shows, own] of ways) {
      const answer: ModelReply[] = own ? [{ text: "Risen." }] : [];
      replies = [...answer];
      const byRoute = await oven.call("POST", path, body);
      expect(byRoute.status, path).toBe(200);
      expect(JSON.stringify(byRoute.body)).toContain(shows);

      oven.server.requests.length = 0;
      replies = [calls([tool, args]), ...answer, { text: "Done." }];
      await execute((await publish(loop([tool]))).id);
      const told = (oven.server.requests.at(-1)?.body.messages ?? []) as { role: string; content: string }[];
      expect(told.find(({ role }) => role === "tool")?.content, tool).toContain(shows);

      replies = [...answer];
      const states = {
        one: { invoke: { src, input, onDone: "done" } },
        done: { type: "final", output: "$.one_output" },
      };
      const run = await execute((await publish({ initial: "one", states })).id);
      expect(run.status, JSON.stringify(run.errorInfo)).toBe("completed");
      expect(JSON.stringify(run.output), src).toContain(shows);
    }
  });

  it("makes a video by a tool and stores a reference to it [004-216]", async () => {
    const { id } = await publish(loop(["ai.generateVideo"]));
    replies = [
      calls(["ai.generateVideo", { prompt: "A door opens", model: "films:minimax/video-01" }]),
      { text: "Made." },
    ];
    const run = await execute(id);
    expect(run, JSON.stringify(run.errorInfo)).toMatchObject({ status: "completed" });
    const messages = JSON.stringify(oven.server.requests[1]?.body.messages);
    const [, blob] = /\\"\$blob\\":(\d+)/.exec(messages) ?? [];
    const shown = await oven.fetch(`blobs/${blob}`);
    expect(shown.headers.get("content-type")).toContain("video/mp4");
    expect(Buffer.from(await shown.arrayBuffer())).toEqual(MP4);
    const usage = (await oven.call("GET", `ai-usage-logs?filter={"executionId":${run.id}}`)).body;
    expect(usage).toContainEqual(expect.objectContaining({ operation: "video", status: "ok" }));
  });

  it("adapts a prompt to the step: visited twice with another state it is another prompt [004-084]", async () => {
    const { id } = await publish({
      initial: "prompt",
      context: { round: 1 },
      states: {
        prompt: { invoke: { src: "agent.prompt", input: { system: "Round {{ $.round }}" }, onDone: "answer" } },
        answer: {
          invoke: {
            src: "agent.llm",
            input: { model, prompt: "Go on." },
            onDone: [
              {
                target: "prompt",
                guard: { type: "condition", params: { key: "$.round", operator: "<", value: 2 } },
                actions: [{ type: "assign", params: { path: "$.round", add: 1 } }],
              },
              { target: "done" },
            ],
          },
        },
        done,
      },
    });
    replies = [{ text: "One." }, { text: "Two." }];
    const run = await execute(id);
    expect(run, JSON.stringify(run.errorInfo)).toMatchObject({ status: "completed", output: "Two." });
    expect(oven.server.requests.map(({ body }) => JSON.stringify(body.messages).includes("Round 2"))).toEqual([
      false,
      true,
    ]);
    expect(JSON.stringify(oven.server.requests[0]?.body.messages)).toContain("Round 1");
  });

  it("takes defaults for all model steps from agentConfig, in the definition or beside it, and a step's own first [004-085]", async () => {
    const states = {
      first: { invoke: { src: "agent.llm", input: { prompt: "One" }, onDone: "answer" } },
      answer: { invoke: { src: "agent.llm", input: { prompt: "Two", temperature: 0.9 }, onDone: "done" } },
      done,
    };
    const agentConfig = { model, temperature: 0.1 };
    const inside = await publish({ initial: "first", agentConfig, states });
    const beside = await publish({ initial: "first", states }, { agentConfig });
    const imported = await oven.call("POST", "agent-workflows/import", {
      name: "Imported",
      definition: { initial: "first", agentConfig, states },
    });
    expect(imported.status, JSON.stringify(imported.body)).toBeLessThan(300);
    for (const { id } of [inside, beside, imported.body.workflow ?? imported.body]) {
      oven.server.requests.length = 0;
      replies = [{ text: "One." }, { text: "Two." }];
      const run = await execute(id);
      expect(run, JSON.stringify(run.errorInfo)).toMatchObject({ status: "completed", output: "Two." });
      expect(oven.server.requests.map(({ body }) => [body.model, body.temperature])).toEqual([
        ["house-model", 0.1],
        ["house-model", 0.9],
      ]);
    }
  });

  it("tells the model what the module says of its tools [004-220]", async () => {
    const { id } = await publish(loop(["shop.get"]));
    replies = [{ text: "Seen." }];
    await execute(id);
    expect(JSON.stringify(oven.server.requests[0]?.body.tools)).toContain("What shop.get does");
  });

  it("runs the workflow that an agent is bound to, with the exposed parameters only [004-262]", async () => {
    const { id } = await publish({
      initial: "answer",
      payloadSchema: { type: "object", properties: { message: { type: "string" }, tone: { type: "string" } } },
      states: {
        answer: {
          invoke: {
            src: "agent.llm",
            input: { prompt: "{{ $.trigger.message }} ({{ $.trigger.tone }})", model },
            onDone: "done",
          },
        },
        done,
      },
    });
    const agent = await oven.call("POST", "agents", {
      name: "Bound",
      workflowId: id,
      exposedParameters: { type: "object", properties: { tone: { type: "string" } } },
    });
    expect(agent.status, JSON.stringify(agent.body)).toBe(201);
    const invoke = (body: object) => oven.call("POST", `agents/${agent.body.slug}/invoke`, body);
    const refused = await invoke({ message: "Hello", parameters: { model: "other" } });
    expect([refused.status, refused.body.error.path]).toEqual([400, expect.stringContaining("parameters")]);
    replies = [{ text: "Kindly." }];
    const { body } = await invoke({ message: "Hello", parameters: { tone: "kind" } });
    expect(body, JSON.stringify(body)).toMatchObject({ status: "completed", text: "Kindly." });
    const run = (await oven.call("GET", `agent-workflow-executions/${body.run.id}`)).body;
    expect(run).toMatchObject({ agentWorkflowId: id, agentId: agent.body.id });
    expect(JSON.stringify(oven.server.requests[0]?.body.messages)).toContain("Hello (kind)");
  });
});
