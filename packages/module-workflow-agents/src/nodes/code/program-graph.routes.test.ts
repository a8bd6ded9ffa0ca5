import type { JsonObject } from "@oven/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AgentOven, startAgentOven } from "../../agents/testing/agent-oven.ts";

let oven: AgentOven;
beforeAll(async () => {
  oven = await startAgentOven(() => ({ text: "" }));
});
afterAll(() => oven.stop());

const CODE = `seen = []
for order in orders:
    if (await shop_get(id=order))["seen"] > 1:
        seen.append((await shop_pay(id=order))["seen"])
seen
`;
const definition = (input: JsonObject): JsonObject => ({
  initial: "work",
  states: {
    work: { invoke: { src: "agent.code", input, retry: { maxAttempts: 2 }, onDone: "done" } },
    done: { type: "final" },
  },
});
const graphOf = (input: JsonObject, more: JsonObject = {}) =>
  oven.call("POST", "programs/graph", { definition: definition(input), stateId: "work", ...more });
const step = { tools: ["shop.*"], inputs: { orders: "$.trigger.orders" } };

test("a program of a step becomes a workflow that can be published and run, with the step's approvals", async () => {
  const { status, body } = await graphOf({
    ...step,
    code: CODE,
    assignees: ["role:editor"],
    outputSchema: { type: "array" },
  });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.calls).toBe(2);
  expect(body.notes).toEqual([
    { kind: "code", state: "code", line: 2 },
    { kind: "code", state: "code_2", line: 4 },
  ]);
  const { shop_pay } = body.definition.states.each_order.loop.bodyStates;
  expect(shop_pay.invoke).toMatchObject({
    ...{ src: "agent.toolExecutor", retry: { maxAttempts: 2 } },
    input: { tools: ["shop.pay"], onFailure: "fail", assignees: ["role:editor"] },
  });
  const workflow = await oven.call("POST", "agent-workflows", {
    ...{ name: "From a program", definition: body.definition },
  });
  // No person has the role here.
  expect(workflow.status).toBe(400);
  const without = await graphOf({ ...step, code: CODE });
  const created = await oven.call("POST", "agent-workflows", { name: "Whole", definition: without.body.definition });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  const run = await oven.call("POST", `agent-workflows/${created.body.id}/execute?wait=30`, {
    input: { orders: [1, 2] },
  });
  expect(run.body).toMatchObject({ status: "paused" });
  const open = await oven.call("GET", 'reviews?filter={"status":"open"}');
  expect(open.body).toMatchObject([{ tool: "shop.pay", proposal: { id: 2 } }]);
  const [{ id, digest }] = open.body;
  expect((await oven.call("POST", `reviews/${id}/decide`, { action: "approve", digest })).status).toBe(200);
  const read = async () => (await oven.call("GET", `agent-workflow-executions/${run.body.id}`)).body;
  await expect.poll(async () => (await read()).status, { timeout: 30_000 }).toBe("completed");
  expect(await read()).toMatchObject({ output: [2] });
  expect(oven.calls).toEqual([1, 2].map((order) => ["shop.get", { id: order }]).concat([["shop.pay", { id: 2 }]]));
});

test("what a model has written is made a graph of in place of the step's own program", async () => {
  const { body } = await graphOf({ ...step, prompt: "Look one up" }, { program: "(await shop_get(id=7))['seen']" });
  expect(body.definition.states.shop_get.invoke.input.toolCalls).toMatchObject([
    { tool: "shop.get", arguments: { id: 7 } },
  ]);
});

test("functions of the step alone stay in a program, which gets them", async () => {
  const stepTools = [{ name: "double", description: "Doubles", src: "core.transform", input: { mapping: {} } }];
  const code = "a = await shop_get(id=1)\nb = await double()\n[a, b]";
  const { body } = await graphOf({ ...step, code, stepTools });
  expect(body.notes).toEqual([{ kind: "program", state: "program", line: 2 }]);
  expect(body.definition.states.program.invoke.input).toMatchObject({
    stepTools,
    code: expect.stringContaining("await double()"),
  });
});

test.each([
  ["another step", { stateId: "done" }, "is no step with a program"],
  ["a step without a program", { definition: definition(step) }, "has no program yet"],
  [
    "tools that only a run knows",
    { definition: definition({ code: "1", tools: "$.trigger.tools" }) },
    "Only a run knows",
  ],
  ["a workflow that is not finished", { definition: { states: 1 } }, "is not finished"],
])("%s is refused", async (_name, more, message) => {
  const { status, body } = await graphOf({ ...step, code: CODE }, more as JsonObject);
  expect({ status, body }).toMatchObject({ status: 422, body: { error: { code: "PROGRAM_NOT_COMPILED" } } });
  expect(body.error.message).toContain(message);
});

test("a program that is none is refused with its line", async () => {
  const { body } = await graphOf({ ...step, code: "a = 1\nif a\n  b" });
  expect(body.error).toMatchObject({ code: "CODE_SYNTAX", details: { line: 2 } });
});
