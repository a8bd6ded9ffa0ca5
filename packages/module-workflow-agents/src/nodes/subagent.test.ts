import type { JsonObject } from "@oven/contract";
import type { ModelReply, RecordedRequest } from "@oven/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type AgentOven, startAgentOven } from "../agents/testing/agent-oven.ts";

let oven: AgentOven;
let answer: (request: RecordedRequest) => ModelReply = () => ({ status: 400, message: "no reply" });
let count = 0;

beforeAll(async () => {
  oven = await startAgentOven((request) => answer(request));
});

beforeEach(() => {
  oven.server.requests.length = 0;
  oven.calls.length = 0;
});

afterAll(() => oven.stop());

async function newAgent(slug: string, more: object = {}): Promise<number> {
  const body = { name: slug, slug, model: `openai:${slug}`, systemPrompt: `You are ${slug}.`, ...more };
  const created = await oven.call("POST", "agents", body);
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return created.body.id;
}

/** One step that asks a subagent, in a workflow of either kind. */
async function run(input: JsonObject, more: { kind?: string; trigger?: JsonObject; then?: JsonObject } = {}) {
  count += 1;
  const { kind = "agent-workflows", trigger = {}, then = { type: "final", output: "$.ask_output" } } = more;
  const definition = {
    initial: "ask",
    context: { secret: "the parent's own" },
    states: { ask: { invoke: { src: "agent.subagent", input, onDone: "done" } }, done: then },
  };
  const workflow = await oven.call("POST", kind, { name: `Asks ${count}`, definition });
  expect(workflow.status, JSON.stringify(workflow.body)).toBe(201);
  const path = kind === "workflows" ? "workflows" : "agent-workflows";
  return oven.call("POST", `${path}/${workflow.body.id}/execute?wait=20`, { input: trigger });
}

const childrenOf = async (id: number) =>
  (await oven.call("GET", `agent-workflow-executions?filter={"parentId":${id}}`)).body;

test("[004-008] [004-078] [004-079] [004-080] a regular workflow asks an agent, which sees what it is told and nothing else", async () => {
  const id = await newAgent("clerk", { toolBindings: ["shop.get"] });
  answer = () => ({ text: "All is well.", usage: { input: 20, output: 5 } });
  const { body } = await run(
    { agent: "clerk", message: "How is {{ $.trigger.who }}?", context: { order: "$.trigger.order" } },
    { kind: "workflows", trigger: { who: "Ada", order: { id: 3 }, hidden: "never told" } },
  );
  expect(body).toMatchObject({ status: "completed", output: { text: "All is well." } });
  expect(body.tokenUsage).toEqual({ input: 20, output: 5, total: 25 });
  const [request] = oven.server.requests;
  expect(request?.body.messages).toEqual([
    { role: "system", content: expect.stringContaining("You are clerk.") },
    { role: "user", content: 'Context:\n{\n  "order": {\n    "id": 3\n  }\n}' },
    { role: "user", content: "How is Ada?" },
  ]);
  expect(JSON.stringify(request?.body)).not.toContain("never told");
  const [child] = await childrenOf(body.id);
  expect(child).toMatchObject({ id: body.output.executionId, agentId: id, depth: 1, status: "completed" });
  const messages = await oven.call("GET", `agent-sessions/${child.sessionId}/messages`);
  expect(messages.body.map(({ role, executionId }: Record<string, unknown>) => [role, executionId])).toEqual([
    ["user", child.id],
    ["user", child.id],
    ["assistant", child.id],
  ]);
});

test("[004-170] [004-171] a bound workflow of an agent runs as the child, and cannot read the caller's run", async () => {
  const definition = {
    initial: "done",
    states: { done: { type: "final", output: { text: '{{ $.parent.secret | default("nothing") }} seen' } } },
  };
  const bound = await oven.call("POST", "agent-workflows", { name: "Bound", definition });
  await newAgent("bound", { workflowId: bound.body.id });
  const { body } = await run({ agent: "bound", message: "Look" });
  expect(body).toMatchObject({ status: "completed", output: { text: "nothing seen" } });
  const [child] = await childrenOf(body.id);
  expect(child).toMatchObject({ agentWorkflowId: bound.body.id });
});

test("[004-169] a review inside pauses the caller, and the decision lets both go on", async () => {
  await newAgent("payer", { toolBindings: ["shop.pay"] });
  answer = ({ body }) =>
    JSON.stringify(body.messages).includes('"role":"tool"')
      ? { text: "Paid." }
      : { toolCalls: [{ id: "p", name: "shop_pay", arguments: { id: 4 } }] };
  const { body } = await run({ agent: "payer", message: "Pay" });
  expect(body).toMatchObject({ status: "paused", currentState: "ask" });
  expect(oven.calls).toEqual([]);
  const resumed = await oven.call("POST", `agent-workflow-executions/${body.id}/resume`, { action: "approve" });
  expect(resumed.status, JSON.stringify(resumed.body)).toBe(200);
  await expect
    .poll(async () => (await oven.call("GET", `agent-workflow-executions/${body.id}`)).body)
    .toMatchObject({ status: "completed", output: { text: "Paid." } });
  expect(oven.calls).toEqual([["shop.pay", { id: 4 }]]);
});

/** An agent whose workflow asks another agent. */
async function newDelegate(slug: string, next: string): Promise<void> {
  const definition = {
    initial: "ask",
    states: {
      ask: { invoke: { src: "agent.subagent", input: { agent: next, message: "Go on" }, onDone: "done" } },
      done: { type: "final", output: { text: `{{ $.ask_output.text }} < ${slug}` } },
    },
  };
  const { body } = await oven.call("POST", "agent-workflows", { name: slug, definition });
  await newAgent(slug, { workflowId: body.id });
}

test("[004-081] a coordinator's specialist has a specialist of its own; deeper than five is an error", async () => {
  await newAgent("leaf");
  await newDelegate("middle", "leaf");
  await newDelegate("top", "middle");
  answer = () => ({ text: "leaf" });
  const { body } = await run({ agent: "top", message: "Start" });
  expect(body.output.text).toBe("leaf < middle < top");
  const family = await oven.call("GET", `agent-workflow-executions?filter={"rootId":${body.id}}&sort=["depth","ASC"]`);
  expect(family.body.map(({ depth }: { depth: number }) => depth)).toEqual([1, 2, 3]);

  await newDelegate("endless", "endless");
  const deep = await run({ agent: "endless", message: "Start" });
  expect(deep.body).toMatchObject({ status: "failed", errorInfo: { code: "DEPTH_LIMIT" } });
});

test("an unknown agent, a disabled one and parameters it does not expose fail the step with what is wrong", async () => {
  await newAgent("closed", { enabled: false });
  await newAgent("plain");
  const errorOf = async (input: JsonObject) => (await run(input)).body.errorInfo;
  expect(await errorOf({ agent: "nobody", message: "Hi" })).toMatchObject({
    code: "NOT_FOUND",
    message: expect.stringContaining("nobody"),
  });
  expect(await errorOf({ agent: "closed", message: "Hi" })).toMatchObject({ code: "AGENT_DISABLED" });
  expect(await errorOf({ agent: "plain", message: "Hi", parameters: { x: 1 } })).toMatchObject({
    code: "INVALID_INPUT",
  });
});

test("what becomes of the agent's run reaches onError of the step", async () => {
  await newAgent("failing");
  answer = () => ({ status: 400, message: "the model is out" });
  const definition = {
    initial: "ask",
    states: {
      ask: {
        invoke: { src: "agent.subagent", input: { agent: "failing", message: "Hi" }, onDone: "done", onError: "sorry" },
      },
      sorry: { type: "final", output: "$.ask_error.code" },
      done: { type: "final" },
    },
  };
  const { body } = await oven.call("POST", "agent-workflows", { name: "Forgiving", definition });
  const ended = await oven.call("POST", `agent-workflows/${body.id}/execute?wait=20`, {});
  expect(ended.body).toMatchObject({ status: "completed", output: "MODEL_REFUSED_REQUEST" });
});
