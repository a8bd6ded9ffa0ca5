import type { ModelReply } from "@oven/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { UNTRUSTED_NOTE } from "../nodes/tool-context.ts";
import { type AgentOven, startAgentOven } from "./testing/agent-oven.ts";

let oven: AgentOven;
let replies: ModelReply[] = [];
let count = 0;

beforeAll(async () => {
  oven = await startAgentOven(() => replies.shift() ?? { status: 400, message: "no reply left" });
});

beforeEach(() => {
  oven.server.requests.length = 0;
  oven.calls.length = 0;
  replies = [];
});

afterAll(() => oven.stop());

async function newAgent(more: object = {}): Promise<{ id: number; slug: string; runsWorkflowId: number }> {
  count += 1;
  const body = { name: `Helper ${count}`, model: "openai:house", systemPrompt: "Be short.", ...more };
  const answer = await oven.call("POST", "agents", body);
  expect(answer.body, JSON.stringify(answer.body)).toMatchObject({ version: 1 });
  return answer.body;
}

const invoke = (slug: string, body: object, headers: Record<string, string> = {}) =>
  oven.call("POST", `agents/${slug}/invoke`, body, { headers });
const sent = (index: number) => oven.server.requests[index]?.body;

test("[004-214] an agent without a workflow answers by a run on the engine, with its settings, tools and session", async () => {
  const agent = await newAgent({ agentConfig: { temperature: 0.3 }, toolBindings: ["shop.*", "!shop.pay"] });
  replies = [{ toolCalls: [{ id: "a", name: "shop_get", arguments: { id: 7 } }] }, { text: "It is there." }];
  const { status, body } = await invoke(agent.slug, { message: "Is it there?" });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    status: "completed",
    text: "It is there.",
    agent: { id: agent.id, slug: agent.slug, version: 1 },
    pending: [],
    error: null,
  });
  expect(sent(0)).toMatchObject({ model: "house", temperature: 0.3 });
  expect(sent(0)?.messages).toEqual([
    { role: "system", content: `Be short.\n\n${UNTRUSTED_NOTE}` },
    { role: "user", content: "Is it there?" },
  ]);
  expect(sent(0)?.tools).toHaveLength(2);
  expect(oven.calls).toEqual([["shop.get", { id: 7 }]]);
  const run = await oven.call("GET", `agent-workflow-executions/${body.run.id}`);
  expect(run.body).toMatchObject({
    agentWorkflowId: agent.runsWorkflowId,
    agentId: agent.id,
    sessionId: body.sessionId,
    status: "completed",
  });
  expect(run.body.nodes.map(({ nodeType }: { nodeType: string }) => nodeType)).toContain("agent.toolLoop");
});

test("a conversation goes on: what was said before is handed on, bounded as configured", async () => {
  const { id, slug } = await newAgent();
  replies = [{ text: "One." }, { text: "Two." }, { text: "Three." }];
  const first = await invoke(slug, { message: "First?" });
  const { sessionId } = first.body;
  await invoke(slug, { message: "Second?", sessionId });
  expect(sent(1)?.messages).toEqual([
    { role: "system", content: "Be short." },
    { role: "user", content: "First?" },
    { role: "assistant", content: "One." },
    { role: "user", content: "Second?" },
  ]);
  const value = { moduleName: "module-agent-core", key: "AGENT_HISTORY_MESSAGES", scopeId: String(id), value: 2 };
  const set = await oven.call("POST", "module-configs", value);
  expect(set.status, JSON.stringify(set.body)).toBeLessThan(300);
  await invoke(slug, { message: "Third?", sessionId });
  expect(sent(2)?.messages).toEqual([
    { role: "system", content: "Be short." },
    { role: "user", content: "Second?" },
    { role: "assistant", content: "Two." },
    { role: "user", content: "Third?" },
  ]);
  const { body } = await oven.call("GET", `agent-sessions/${sessionId}/messages`);
  expect(body.map(({ role, content }: { role: string; content: string }) => [role, content])).toEqual([
    ["user", "First?"],
    ["assistant", "One."],
    ["user", "Second?"],
    ["assistant", "Two."],
    ["user", "Third?"],
    ["assistant", "Three."],
  ]);
  expect(body[0].executionId).toBe(first.body.run.id);
});

test("a review inside pauses the run, and the reply is the handle; its late answer becomes part of the conversation [004-223]", async () => {
  const { slug } = await newAgent({ toolBindings: ["shop.pay"] });
  replies = [{ toolCalls: [{ id: "p", name: "shop_pay", arguments: { id: 9 } }] }, { text: "Paid." }];
  const asked = await invoke(slug, { message: "Pay her" });
  expect(asked.status).toBe(200);
  expect(asked.body).toMatchObject({
    status: "paused",
    text: null,
    pending: [{ proposal: { id: 9 }, actions: ["approve", "edit", "reject"] }],
  });
  expect(oven.calls).toEqual([]);
  const [{ reviewId, digest }] = asked.body.pending;
  const decided = await oven.call("POST", `reviews/${reviewId}/decide`, { action: "approve", digest });
  expect(decided.status, JSON.stringify(decided.body)).toBe(200);
  const { body } = await oven.call("GET", `agents/${slug}/runs/${asked.body.run.id}?wait=20`);
  expect(body).toMatchObject({ status: "completed", text: "Paid.", pending: [] });
  expect(oven.calls).toEqual([["shop.pay", { id: 9 }]]);
  const messages = await oven.call("GET", `agent-sessions/${body.sessionId}/messages`);
  expect(messages.body).toHaveLength(2);
});

test("an agent says how much it is talked to, and what would be without it", async () => {
  const { id, slug } = await newAgent();
  replies = [{ text: "Hello." }];
  const { body: said } = await invoke(slug, { message: "Hello" });
  const ask = { src: "agent.subagent", input: { agent: slug, message: "Hello" }, onDone: "done" };
  const definition = { initial: "ask", states: { ask: { invoke: ask }, done: { type: "final" } } };
  const { body: naming } = await oven.call("POST", "agent-workflows", { name: `Asks ${slug}`, definition });
  const { body: uses } = await oven.call("GET", `agents/${slug}/uses`);
  expect(uses).toEqual({ sessions: 1, workflows: [{ kind: "agent-workflow", id: naming.id, name: `Asks ${slug}` }] });
  const { body: stats } = await oven.call("GET", "agent-stats");
  const session = await oven.call("GET", `agent-sessions/${said.sessionId}`);
  const own = stats.find(({ agentId }: { agentId: number }) => agentId === id);
  expect(own).toEqual({ agentId: id, sessions: 1, lastUsedAt: session.body.updatedAt });
});

test("what ended while nobody was looking is found when the conversation is read", async () => {
  const { slug } = await newAgent();
  replies = [{ text: "Late." }];
  const asked = await invoke(slug, { message: "Hello?", wait: 0 });
  expect([200, 202]).toContain(asked.status);
  await oven.call("GET", `agents/${slug}/runs/${asked.body.run.id}?wait=20`);
  await oven.db.query("delete from agent_messages where session_id = $1 and role = 'assistant'", [
    asked.body.sessionId,
  ]);
  const { body } = await oven.call("GET", `agent-sessions/${asked.body.sessionId}/messages`);
  expect(body.map(({ content }: { content: string }) => content)).toEqual(["Hello?", "Late."]);
});

test("[004-226] as a stream: the handle, pieces of text, tool calls, reviews, and the reply at the end", async () => {
  const { slug } = await newAgent({ toolBindings: ["shop.*"] });
  replies = [
    { toolCalls: [{ id: "a", name: "shop_get", arguments: { id: 1 } }] },
    { text: "Found it.", toolCalls: [{ id: "b", name: "shop_pay", arguments: { id: 2 } }] },
  ];
  const response = await oven.fetch(`agents/${slug}/invoke`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "text/event-stream" },
    body: JSON.stringify({ message: "Find and pay" }),
  });
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  const frames = (await response.text())
    .split("\n\n")
    .filter((frame) => frame.startsWith("event: "))
    .map((frame) => {
      const [event = "", data = ""] = frame.split("\ndata: ");
      return { event: event.slice("event: ".length), data: JSON.parse(data) };
    });
  const names = frames.map(({ event }) => event).filter((name, index, all) => name !== all[index - 1]);
  expect(names).toEqual(["run", "tool-call", "tool-result", "text", "review", "end"]);
  const text = frames.filter(({ event }) => event === "text").map(({ data }) => data.text);
  expect(text.join("")).toBe("Found it.");
  expect(frames.at(-1)?.data).toMatchObject({ status: "paused", pending: [{ proposal: { id: 2 } }] });
});

test("only what the agent exposes may be set, and it reaches the system prompt", async () => {
  const { slug } = await newAgent({
    systemPrompt: "Answer in {{ $.trigger.language }}.",
    exposedParameters: {
      type: "object",
      properties: { language: { type: "string", enum: ["Danish", "Welsh"] } },
      required: ["language"],
    },
  });
  replies = [{ text: "Hej." }];
  const { body } = await invoke(slug, { message: "Hello", parameters: { language: "Danish" } });
  expect(body).toMatchObject({ status: "completed", text: "Hej." });
  expect(sent(0)?.messages).toContainEqual({ role: "system", content: "Answer in Danish." });
  for (const parameters of [{ language: "Danish", model: "openai:dear" }, { language: "Klingon" }, {}]) {
    const refused = await invoke(slug, { message: "Hello", parameters });
    expect(refused.status).toBe(400);
    expect(refused.body.error).toMatchObject({ code: "INVALID_INPUT", path: expect.stringContaining("$.parameters") });
  }
  expect(oven.server.requests).toHaveLength(1);
});

test("the same request again is the same run; another one with its key is refused", async () => {
  const { slug } = await newAgent();
  replies = [{ text: "Once." }, { text: "Twice." }];
  const key = { "idempotency-key": "k1" };
  const [one, two] = await Promise.all([
    invoke(slug, { message: "Do it" }, key),
    invoke(slug, { message: "Do it" }, key),
  ]);
  const again = await invoke(slug, { message: "Do it" }, key);
  expect([one.body.run.id, two.body.run.id]).toEqual([again.body.run.id, again.body.run.id]);
  expect(again.body.text).toBe("Once.");
  expect(oven.server.requests).toHaveLength(1);
  const other = await invoke(slug, { message: "Do something else" }, key);
  expect(other).toMatchObject({ status: 409, body: { error: { code: "IDEMPOTENCY_KEY_REUSED" } } });
});

test("[004-027] a bound workflow runs with each agent's own model; what the definition says comes first", async () => {
  const definition = {
    initial: "ask",
    entry: [{ type: "assign", params: { path: "$.messages", value: "$.trigger.messages" } }],
    states: { ask: { invoke: { src: "agent.llm", onDone: "done" } }, done: { type: "final", output: "$.text" } },
  };
  const open = await oven.call("POST", "agent-workflows", { name: `Shared ${count}`, definition });
  const fixed = await oven.call("POST", "agent-workflows", {
    name: `Fixed ${count}`,
    definition: { ...definition, agentConfig: { model: "openai:fixed" } },
  });
  const one = await newAgent({ model: "openai:one", workflowId: open.body.id });
  const two = await newAgent({ model: "openai:two", systemPrompt: "", workflowId: open.body.id });
  const three = await newAgent({ model: "openai:three", workflowId: fixed.body.id });
  replies = [{ text: "1" }, { text: "2" }, { text: "3" }];
  const texts = [];
  for (const { slug } of [one, two, three]) texts.push((await invoke(slug, { message: "Who?" })).body.text);
  expect(texts).toEqual(["1", "2", "3"]);
  expect(oven.server.requests.map(({ body }) => body.model)).toEqual(["one", "two", "fixed"]);
  expect(sent(0)?.messages).toContainEqual({ role: "system", content: "Be short." });
  expect(sent(1)?.messages).toEqual([{ role: "user", content: "Who?" }]);
});

test("a bound workflow offers an agent no tool that the agent is not bound to, and runs none", async () => {
  const definition = {
    initial: "ask",
    entry: [{ type: "assign", params: { path: "$.messages", value: "$.trigger.messages" } }],
    states: {
      ask: { invoke: { src: "agent.toolLoop", input: { tools: ["shop.*"] }, onDone: "done" } },
      done: { type: "final", output: "$.text" },
    },
  };
  const { body: bound } = await oven.call("POST", "agent-workflows", { name: `Wide ${count}`, definition });
  const { slug } = await newAgent({ toolBindings: ["shop.get"], workflowId: bound.id });
  replies = [{ toolCalls: [{ id: "a", name: "shop_list", arguments: { id: 1 } }] }, { text: "Then not." }];
  expect((await invoke(slug, { message: "List" })).body).toMatchObject({ status: "completed", text: "Then not." });
  expect(sent(0)?.tools).toEqual([
    expect.objectContaining({ function: expect.objectContaining({ name: "shop_get" }) }),
  ]);
  expect(oven.calls).toEqual([]);
});

test("versions never change, a run says which it had, and an earlier one can be restored", async () => {
  const { id, slug, runsWorkflowId } = await newAgent();
  const changed = await oven.call("PUT", `agents/${slug}`, { systemPrompt: "Be long.", version: 1, note: "Wordier" });
  expect(changed.body).toMatchObject({ version: 2, systemPrompt: "Be long.", model: "openai:house", runsWorkflowId });
  expect((await oven.call("PUT", `agents/${slug}`, { name: "Renamed" })).body.version).toBe(2);
  const stale = await oven.call("PUT", `agents/${slug}`, { systemPrompt: "Late.", version: 1 });
  expect(stale).toMatchObject({ status: 409, body: { error: { code: "STALE_VERSION" } } });
  replies = [{ text: "long" }, { text: "short" }];
  expect((await invoke(slug, { message: "Go" })).body.agent.version).toBe(2);
  expect(sent(0)?.messages).toContainEqual({ role: "system", content: "Be long." });
  const { body: versions } = await oven.call("GET", `agents/${slug}/versions`);
  expect(versions.map(({ version, description }: Record<string, unknown>) => [version, description])).toEqual([
    [2, "Wordier"],
    [1, null],
  ]);
  const restored = await oven.call("POST", `agents/${id}/versions/${versions[1].id}/restore`);
  expect(restored.body).toMatchObject({ version: 3, systemPrompt: "Be short." });
  await invoke(slug, { message: "Go" });
  expect(sent(1)?.messages).toContainEqual({ role: "system", content: "Be short." });
});

test("what an agent cannot be is refused", async () => {
  const make = (more: object) => oven.call("POST", "agents", { name: "Bad", ...more });
  expect(await make({ toolBindings: ["shop.explode"] })).toMatchObject({
    status: 422,
    body: { error: { code: "TOOL_UNKNOWN" } },
  });
  expect(await make({ workflowId: 999_999 })).toMatchObject({ status: 404 });
  expect(await make({ exposedParameters: { type: "object", properties: { messages: {} } } })).toMatchObject({
    status: 400,
  });
  expect(await make({ systemPrompt: "{{ broken" })).toMatchObject({
    status: 400,
    body: { error: { code: "INVALID_DEFINITION" } },
  });
  expect((await oven.call("GET", 'agents?filter={"name":"Bad"}')).body).toEqual([]);
  const { slug } = await newAgent({ enabled: false });
  expect(await invoke(slug, { message: "Hi" })).toMatchObject({
    status: 409,
    body: { error: { code: "AGENT_DISABLED" } },
  });
  expect(await make({ slug })).toMatchObject({ status: 409, body: { error: { code: "SLUG_TAKEN" } } });
});

test("a deleted agent takes its sessions and its own workflow along", async () => {
  const { slug, runsWorkflowId } = await newAgent();
  replies = [{ text: "Bye." }];
  const { body } = await invoke(slug, { message: "Hi" });
  expect((await oven.call("DELETE", `agents/${slug}`)).status).toBe(204);
  expect((await oven.call("GET", `agents/${slug}`)).status).toBe(404);
  expect((await oven.call("GET", `agent-sessions/${body.sessionId}`)).status).toBe(404);
  expect((await oven.call("GET", `agent-workflows/${runsWorkflowId}`)).status).toBe(404);
});

test("conversations are their owner's; whoever may see all of them does; other tenants' agents are not there", async () => {
  const { slug } = await newAgent();
  const [ada, bob] = [await oven.keyFor("operator"), await oven.keyFor("operator")];
  replies = [{ text: "Hello Ada." }];
  const said = await oven.call("POST", `agents/${slug}/invoke`, { message: "I am Ada" }, { key: ada });
  expect(said.body.status).toBe("completed");
  const { sessionId, run } = said.body;
  const paths = [
    `agent-sessions/${sessionId}`,
    `agent-sessions/${sessionId}/messages`,
    `agents/${slug}/runs/${run.id}`,
  ];
  for (const path of paths) {
    expect((await oven.call("GET", path, undefined, { key: ada })).status, path).toBe(200);
    expect((await oven.call("GET", path, undefined, { key: bob })).status, path).toBe(404);
    expect((await oven.call("GET", path)).status, path).toBe(200);
  }
  expect((await oven.call("GET", "agent-sessions", undefined, { key: bob })).body).toEqual([]);
  const intruding = await oven.call("POST", `agents/${slug}/invoke`, { message: "Who am I?", sessionId }, { key: bob });
  expect(intruding.status).toBe(404);
  expect(oven.server.requests).toHaveLength(1);
  const stranger = await oven.keyFor("admin", 2);
  for (const path of [`agents/${slug}`, `agents/${slug}/versions`, ...paths])
    expect((await oven.call("GET", path, undefined, { key: stranger })).status, path).toBe(404);
  expect((await oven.call("GET", "agents", undefined, { key: stranger })).body).toEqual([]);
  const foreign = await oven.call("POST", `agents/${slug}/invoke`, { message: "Hi" }, { key: stranger });
  expect(foreign.status).toBe(404);
});

test("an agent that all tenants share is changed from none of them", async () => {
  const { id, slug } = await newAgent();
  await oven.db.query("update agents set tenant_id = 0 where id = $1", [id]);
  expect((await oven.call("GET", `agents/${slug}`)).body).toMatchObject({ tenantId: null });
  for (const method of ["PUT", "DELETE"]) {
    const refused = await oven.call(method, `agents/${slug}`, method === "PUT" ? { name: "Mine" } : undefined);
    expect(refused).toMatchObject({ status: 403, body: { error: { code: "SHARED_AGENT" } } });
  }
});

test("[004-009] an agent starts a workflow by a tool call: the run says which run asked for it, and its result goes back", async () => {
  const definition = {
    initial: "done",
    states: { done: { type: "final", output: { sum: { $cel: "trigger.a + trigger.b" } } } },
  };
  await oven.call("POST", "workflows", { name: "Add up", slug: "add-up", definition });
  const tool = "workflows.workflows.execute";
  const { slug } = await newAgent({ toolBindings: [tool] });
  const offered = (await oven.call("GET", "tools?range=[0,999]")).body.find(({ id }: { id: string }) => id === tool);
  expect(offered).toMatchObject({ inputSchema: { properties: { workflow: expect.any(Object) } } });
  replies = [
    {
      toolCalls: [
        {
          id: "a",
          name: tool.replaceAll(".", "_"),
          arguments: { workflow: "add-up", input: { a: 2, b: 3 }, waitSeconds: 10 },
        },
      ],
    },
    { text: "It is 5." },
  ];
  const { body } = await invoke(slug, { message: "Add 2 and 3." });
  expect(body, JSON.stringify(body)).toMatchObject({ status: "completed", text: "It is 5." });
  const [run] = (await oven.call("GET", "workflow-executions")).body;
  expect(run).toMatchObject({
    triggerEvent: expect.stringMatching(new RegExp(`^run:${body.run.id}/answer`)),
    status: "completed",
  });
  const results = ((sent(1)?.messages ?? []) as { role: string; content: string }[]).filter(
    ({ role }) => role === "tool",
  );
  expect(results[0]?.content).toContain(String(run.id));
});
