import { installedModules } from "@oven/installation";
import { defineModule, defineTool, RUNNING_ROLES } from "@oven/module-registry";
import { type ModelReply, type ModelServer, startModelServer, TEST_KEY } from "@oven/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { connectA2a, dataOf, getTask, send, stateOf, textOf, toRequest } from "./testing/a2a-client.ts";
import { type McpEndpoint, openMcpEndpoint } from "./testing/mcp-endpoint.ts";
import { insertKey } from "./testing/strangers.ts";

const paid: unknown[] = [];
const shop = defineModule({
  name: "module-shop",
  namespace: "shop",
  description: "A shop.",
  dependencies: [],
  permissions: [{ id: "shop.use", title: "Use the shop", roles: RUNNING_ROLES }],
  tools: [
    defineTool({
      id: "shop.pay",
      title: "Pay",
      description: "Pays an order",
      input: z.strictObject({ id: z.int() }),
      output: z.strictObject({ paid: z.int() }),
      permission: "shop.use",
      effect: "at-most-once",
      needsApproval: true,
      run: async ({ input }) => {
        paid.push(input);
        return { paid: input.id };
      },
    }),
  ],
});

let server: ModelServer;
let endpoint: McpEndpoint;
let replies: ModelReply[] = [];

beforeAll(async () => {
  server = await startModelServer(() => replies.shift() ?? { status: 400, message: "no reply left" });
  endpoint = await openMcpEndpoint({
    modules: [...installedModules({ demo: false }), shop],
    environment: { variables: { OPENAI_BASE_URL: server.url } },
  });
  await newAgent("helper", { description: "Helps with orders" });
  await newAgent("inner", { a2aExport: false });
});
beforeEach(() => {
  server.requests.length = 0;
  replies = [];
});
afterAll(async () => {
  await endpoint.close();
  await server.close();
});

async function newAgent(slug: string, more: object = {}): Promise<number> {
  const settings = { model: "openai:house", systemPrompt: "Be secret.", a2aExport: true };
  const made = await endpoint.oven.call("POST", "agents", { name: slug, slug, ...settings, ...more });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.id;
}
const connect = (slug: string, key?: string) =>
  connectA2a(endpoint, `agents/${slug}`, key === undefined ? {} : { key });
const card = async (slug: string, key: string | null = TEST_KEY) =>
  (await endpoint.oven.call("GET", `a2a/agents/${slug}/.well-known/agent-card.json`, undefined, { key })).status;
/** What the model was asked with last, but the instructions. */
const heard = () =>
  ((server.requests.at(-1)?.body.messages ?? []) as { role: string; content: string }[]) // cast: the shape of OpenAI's
    .filter(({ role }) => role !== "system")
    .map(({ role, content }) => `${role}: ${content}`);
const answerOf = (task: Awaited<ReturnType<typeof send>>) =>
  task.artifacts.flatMap(({ parts }) =>
    parts.map(({ content }) => (content?.$case === "text" ? content.value : dataOf(parts))),
  );

describe("the card of an exported agent", () => {
  it("says what it is for and how to reach it, and nothing of its inside", async () => {
    await newAgent("polyglot", {
      description: "Translates",
      toolBindings: ["shop.pay"],
      exposedParameters: { type: "object", properties: { language: { type: "string" } } },
    });
    const shown = await (await connect("polyglot")).getAgentCard();
    expect(shown).toMatchObject({
      name: "polyglot",
      description: "Translates",
      supportedInterfaces: [
        { url: `${endpoint.origin}/api/a2a/agents/polyglot`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
        { protocolVersion: "0.3" },
      ],
      capabilities: { streaming: true, pushNotifications: true },
      skills: [{ id: "polyglot", description: expect.stringContaining('"language"'), tags: ["agent"] }],
    });
    expect(JSON.stringify(shown)).not.toMatch(/secret|shop\.pay|openai|house/);
  });

  it("is shown to who may invoke it, of agents that are exported and enabled", async () => {
    expect(await card("helper")).toBe(200);
    expect(await card("helper", null)).toBe(401);
    expect(await card("helper", await endpoint.keyWith(["agents.read"]))).toBe(403);
    expect(await card("inner")).toBe(404);
    expect(await card("nothing")).toBe(404);
    const stranger = await insertKey(endpoint.oven.db, { tenantId: 2, permissions: { "*": ["*"] } });
    expect(await card("helper", stranger.key)).toBe(404);
    const id = await newAgent("resting", { enabled: false });
    expect(await card("resting")).toBe(409);
    await endpoint.oven.call("PUT", `agents/${id}`, { enabled: true, a2aExport: false });
    expect(await card("resting")).toBe(404);
  });

  it("is shown to a key that is bound to the agent, which then can talk to it, and to no other", async () => {
    await newAgent("bound");
    const key = await endpoint.keyWith(["agents.invoke"], { agents: ["bound"] });
    expect(await card("helper", key)).toBe(404);
    replies = [{ text: "Hello." }];
    expect(answerOf(await send(await connect("bound", key), "Hi"))).toEqual(["Hello."]);
  });
});

describe("a conversation as a context", () => {
  it("answers, and goes on in the same context with what was said before", async () => {
    const client = await connect("helper");
    replies = [{ text: "Order 7 is on its way." }, { text: "Tomorrow." }];
    const first = await send(client, "Where is order 7?");
    expect(stateOf(first)).toBe("completed");
    expect(answerOf(first)).toEqual(["Order 7 is on its way."]);
    const second = await send(client, "When?", { contextId: first.contextId });
    expect(answerOf(second)).toEqual(["Tomorrow."]);
    expect(second).toMatchObject({ contextId: first.contextId });
    expect(heard()).toEqual(["user: Where is order 7?", "assistant: Order 7 is on its way.", "user: When?"]);
    // Of a task, and not of its context.
    const { history } = await client.getTask({ tenant: "", id: second.id, historyLength: 10 });
    expect(history.map(({ parts }) => parts[0]?.content)).toEqual([{ $case: "text", value: "When?" }]);
    const { tasks } = await client.listTasks({
      ...{ tenant: "", contextId: first.contextId, status: 0, pageToken: "", statusTimestampAfter: undefined },
    });
    expect(tasks.map(({ id }) => id)).toEqual([second.id, first.id]);
  });

  it("belongs to its caller: another one, of the same id, begins with nothing, and sees none of its tasks", async () => {
    replies = [{ text: "Noted." }, { text: "I know none." }];
    const first = await send(await connect("helper"), "The code is 4711", { contextId: "shared" });
    const { key } = await insertKey(endpoint.oven.db, { tenantId: 1, permissions: { agents: ["invoke"] } });
    const other = await connect("helper", key);
    const second = await send(other, "What is the code?", { contextId: "shared" });
    expect(heard()).toEqual(["user: What is the code?"]);
    expect(stateOf(second)).toBe("completed");
    await expect(getTask(other, first.id)).rejects.toThrow(/not found/i);
    await expect(getTask(await connect("polyglot"), first.id)).rejects.toThrow(/not found/i);
    // Not even who may read all conversations speaks in that of another.
    const reader = await insertKey(endpoint.oven.db, { tenantId: 1, permissions: { "*": ["*"] } });
    replies = [{ text: "I know none." }];
    await send(await connect("helper", reader.key), "And the code?", { contextId: "shared" });
    expect(heard()).toEqual(["user: And the code?"]);
  });

  it("is one conversation where two first messages come at once, and begins anew once it was deleted", async () => {
    replies = [{ text: "A." }, { text: "B." }, { text: "C." }];
    const client = await connect("helper");
    const sent = ["One", "Two"].map((text) => send(client, text, { contextId: "twice" }));
    await Promise.all(sent);
    const sessions = await endpoint.oven.db.query<{ id: number }>(
      "select session_id as id from a2a_contexts where context_id = 'twice'",
    );
    expect(sessions).toHaveLength(1);
    const session = `agent-sessions/${sessions[0]?.id}`;
    expect((await endpoint.oven.call("GET", `${session}/messages`)).body).toHaveLength(4);
    expect((await endpoint.oven.call("DELETE", session)).status).toBeLessThan(300);
    expect(answerOf(await send(client, "Three", { contextId: "twice" }))).toEqual(["C."]);
    expect(heard()).toEqual(["user: Three"]);
  });

  it("does not begin with what is refused", async () => {
    const client = await connect("helper");
    const count = async () => {
      const tables = ["a2a_tasks", "a2a_contexts", "agent_sessions"];
      return Promise.all(tables.map(async (table) => (await endpoint.oven.db.query(`select id from ${table}`)).length));
    };
    const before = await count();
    await expect(send(client, { message: "Hi", colour: "red" })).rejects.toThrow(/does not expose a parameter colour/);
    await expect(send(client, { colour: "red" })).rejects.toThrow(/says nothing/);
    expect(await count()).toEqual(before);
    expect(server.requests).toEqual([]);
  });

  it("is asked once for the same message", async () => {
    replies = [{ text: "Once." }];
    const client = await connect("helper");
    const first = await send(client, "Hi", { messageId: "same" });
    expect((await send(client, "Hi", { messageId: "same" })).id).toBe(first.id);
    await expect(send(client, "Ho", { messageId: "same" })).rejects.toThrow(/messageId/);
    expect(server.requests).toHaveLength(1);
  });

  it("takes the parameters that the agent exposes, and answers in the form that it has", async () => {
    const schema = (name: string) => ({ type: "object", properties: { [name]: { type: "string" } }, required: [name] });
    const exposedParameters = schema("language");
    await newAgent("formal", {
      ...{ exposedParameters, outputSchema: schema("greeting"), systemPrompt: "Speak {{ $.trigger.language }}." },
    });
    replies = [{ text: '{"greeting":"Hallo"}' }];
    const task = await send(await connect("formal"), { message: "Greet", language: "German" });
    expect(answerOf(task)).toEqual([{ greeting: "Hallo" }]);
    expect(JSON.stringify(server.requests.at(-1)?.body.messages)).toContain("Speak German.");
  });

  it("is streamed to its answer", async () => {
    replies = [{ text: "Hello." }];
    const seen: string[] = [];
    const client = await connect("helper");
    for await (const { payload } of client.sendMessageStream(toRequest("Hi"))) {
      if (payload?.$case === "task") seen.push("task");
      if (payload?.$case === "statusUpdate") seen.push(stateOf(payload.value));
      if (payload?.$case === "artifactUpdate") seen.push(JSON.stringify(payload.value.artifact?.parts[0]?.content));
    }
    expect(seen[0]).toBe("task");
    expect(seen.slice(-2)).toEqual([JSON.stringify({ $case: "text", value: "Hello." }), "completed"]);
  });

  it("serves clients of revision 0.3, too", async () => {
    replies = [{ text: "Hello." }];
    const client = await connectA2a(endpoint, "agents/helper", { legacy: true });
    expect(client.protocolVersion).toBe("0.3");
    expect(answerOf(await send(client, "Hi"))).toEqual(["Hello."]);
  });
});

describe("a review of an agent's call", () => {
  it("is left to people, and asked of a caller who may decide it", async () => {
    await newAgent("cashier", { toolBindings: ["shop.pay"] });
    replies = [{ toolCalls: [{ name: "shop_pay", arguments: { id: 7 } }] }, { text: "Paid." }];
    const task = await send(await connect("cashier"), "Pay order 7");
    expect(stateOf(task)).toBe("working");
    expect(textOf(task)).toMatch(/^People must decide/);
    const { key } = await insertKey(endpoint.oven.db, { tenantId: 1, permissions: { "*": ["*"] } });
    const other = await connect("cashier", key);
    const shown = await getTask(other, task.id);
    expect(stateOf(shown)).toBe("input_required");
    const { reviewId = 0, digest = "" } = dataOf(shown.status?.message?.parts);
    expect(paid).toEqual([]);
    const after = await send(other, { reviewId, digest, action: "approve" }, { taskId: task.id });
    expect(stateOf(after)).toBe("completed");
    expect(answerOf(after)).toEqual(["Paid."]);
    expect(paid).toEqual([{ id: 7 }]);
  });
});
