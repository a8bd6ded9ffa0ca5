import { installedModules } from "@oven/installation";
import { createRuntime } from "@oven/module-registry";
import { type ModelReply, type ModelServer, startModelServer, startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { insertKey } from "./testing/strangers.ts";

/* Statements of document 004 about memory, each by its id, with local embeddings. */

describe("document 004: memory", () => {
  let oven: TestOven;
  let server: ModelServer;
  let replies: ModelReply[] = [];

  beforeAll(async () => {
    server = await startModelServer(() => replies.shift() ?? { status: 400, message: "no reply left" }, {
      models: ["house-model"],
    });
    const environment = { variables: { OPENAI_BASE_URL: server.url } };
    oven = await startTestOven({ createRuntime, modules: installedModules({ demo: true }), environment });
  });
  afterAll(async () => {
    await oven.stop();
    await server.close();
  });

  const create = (body: object) => oven.call("POST", "agent-memory", body);
  const search = async (body: object) => (await oven.call("POST", "agent-memory/search", body)).body;
  const listed = async (filter: object): Promise<string[]> => {
    const query = `filter=${encodeURIComponent(JSON.stringify(filter))}`;
    return (await oven.call("GET", `agent-memory?${query}`)).body.map(({ key }: { key: string }) => key);
  };
  const eventsOf = (name: string, id: number) =>
    oven.db.query("select payload from outbox_events where name = $1 and order_key = $2", [
      `agents-workflow.memory.${name}`,
      `memory:${id}`,
    ]);

  it("an entry is created with 201, found by its meaning, corrected, and gone after DELETE 204 [004-131] [004-133] [004-154] [004-155] [004-210] [004-211] [004-256]", async () => {
    const made = await create({ agentId: 31, key: "delivery", content: "The parcel comes on Tuesday morning." });
    expect(made).toMatchObject({ status: 201, body: { agentId: 31, userId: null, embedded: true } });
    const { id, updatedAt } = made.body;
    await create({ agentId: 31, key: "cake", content: "A cake needs flour and eggs." });
    const asked = { agentId: 31, query: "When will my shipment get here?", topK: 1 };
    expect(await search(asked)).toMatchObject([{ id, similarity: expect.any(Number) }]);
    const changed = await oven.call("PUT", `agent-memory/${id}`, { ...made.body, content: "It needs sugar." });
    expect(changed.body).toMatchObject({ content: "It needs sugar.", agentId: 31 });
    expect(changed.body.updatedAt > updatedAt).toBe(true);
    expect(await search({ ...asked, query: "sugar", strategy: "keyword" })).toMatchObject([{ id }]);
    const deleted = await oven.call("DELETE", `agent-memory/${id}`);
    expect(deleted.status).toBe(204);
    expect((await search({ ...asked, topK: 9 })).map(({ key }: { key: string }) => key)).toEqual(["cake"]);
    expect((await oven.call("GET", `agent-memory/${id}`)).status).toBe(404);
    expect(await oven.db.query("select 1 from ai_vector_items where key = $1", [`memory-${id}`])).toEqual([]);
    const owner = { id, agentId: 31, agentWorkflowId: null };
    expect(await eventsOf("created", id)).toEqual([{ payload: { ...owner, key: "delivery" } }]);
    expect(await eventsOf("deleted", id)).toEqual([{ payload: owner }]);
  });

  it("lists by agent, by user and by both [004-153]", async () => {
    for (const [agentId, userId] of [
      [41, null],
      [41, 1],
      [42, 1],
    ]) {
      await create({ agentId, userId, key: `${agentId}/${userId}`, content: "Something" });
    }
    expect(await listed({ agentId: 41 })).toEqual(["41/null", "41/1"]);
    expect(await listed({ userId: 1 })).toEqual(["41/1", "42/1"]);
    expect(await listed({ agentId: 41, userId: 1 })).toEqual(["41/1"]);
    expect(await listed({ agentId: 41, userId: null })).toEqual(["41/null"]);
    expect(await listed({ q: "42/" })).toEqual(["42/1"]);
  });

  it("wants exactly one owner, and a store there is", async () => {
    for (const owner of [{}, { agentId: 1, agentWorkflowId: 1 }]) {
      const { status, body } = await create({ ...owner, key: "k", content: "c" });
      expect([status, body.error.code]).toEqual([422, "MEMORY_OWNER_MISSING"]);
    }
    expect((await create({ agentId: 1, key: "k", content: "c", store: "nowhere" })).status).toBe(404);
  });

  it("shows nothing to another tenant, not even by search", async () => {
    const { key } = await insertKey(oven.db, { tenantId: 2, permissions: { "*": ["*"] } });
    const { body } = await create({ agentId: 51, key: "secret", content: "The launch is in May." });
    expect((await oven.call("GET", "agent-memory", undefined, { key })).body).toEqual([]);
    for (const method of ["GET", "PUT", "DELETE"]) {
      expect(
        (await oven.call(method, `agent-memory/${body.id}`, method === "GET" ? undefined : {}, { key })).status,
      ).toBe(404);
    }
    const vectors = { name: "Agent memory", slug: "agent-memory", embeddingModel: "local:use-lite" };
    expect((await oven.call("POST", "vector-stores", vectors, { key })).status).toBe(201);
    const found = await oven.call("POST", "agent-memory/search", { agentId: 51, query: "launch" }, { key });
    expect(found).toMatchObject({ status: 200, body: [] });
  });

  it("prompt → memory.read → toolLoop → memory.write → end; the next session knows [004-059] [004-060] [004-159]", async () => {
    const definition = {
      initial: "ask",
      agentConfig: { model: "openai:house-model" },
      memoryConfig: { enabled: true, scope: "agent+user" },
      states: {
        ask: { invoke: { src: "agent.prompt", input: { system: "Be brief." }, onDone: "recall" } },
        recall: { invoke: { src: "agent.memory.read", onDone: "talk" } },
        talk: {
          invoke: {
            src: "agent.toolLoop",
            input: { prompt: "{{ $.trigger.message }}", tools: ["orders.get"] },
            onDone: "keep",
          },
        },
        keep: { invoke: { src: "agent.memory.write", onDone: "done" } },
        done: { type: "final", output: { text: "$.talk_output.text", kept: "$.keep_output.memories" } },
      },
    };
    await oven.call("POST", "agent-workflows", { name: "Remembering", definition });
    const run = async (message: string) =>
      (await oven.call("POST", "agent-workflows/remembering/execute?wait=30", { input: { message } })).body;
    replies = [
      { toolCalls: [{ id: "a", name: "orders_get", arguments: { id: 8841 } }] },
      { text: "Nice, a beagle!" },
      { text: '{"facts":[{"key":"pet","content":"The user has a beagle named Otto.","replaces":null}]}' },
    ];
    const first = await run("Hi, I have a beagle named Otto. Where is order 8841?");
    expect(first).toMatchObject({
      status: "completed",
      output: { text: "Nice, a beagle!", kept: [{ change: "added" }] },
    });
    const [row] = (await oven.call("GET", `agent-memory?filter={"key":"pet"}`)).body;
    expect(row).toMatchObject({
      agentWorkflowId: first.agentWorkflowId,
      agentId: null,
      userId: expect.any(Number),
      embedded: true,
      metadata: { source: { executionId: first.id, nodeId: "keep", sessionId: null, at: expect.any(String) } },
    });
    replies = [{ text: "Otto." }, { text: '{"facts":[]}' }];
    const asked = server.requests.length;
    const second = await run("What is my dog called?");
    expect(second).toMatchObject({ status: "completed", output: { text: "Otto.", kept: [] } });
    expect(JSON.stringify(server.requests[asked]?.body.messages)).toContain("The user has a beagle named Otto.");
    const nodes = (await oven.call("GET", `agent-workflow-executions/${second.id}/nodes`)).body;
    const recall = nodes.find(({ nodeId }: { nodeId: string }) => nodeId === "recall");
    expect(recall).toMatchObject({ output: { count: 1 }, toolCalls: [{ tool: "ai.vectorStore.query" }] });
  });
});
