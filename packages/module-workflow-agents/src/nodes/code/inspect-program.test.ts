import type { JsonObject, Problem } from "@oven/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AgentOven, startAgentOven } from "../../agents/testing/agent-oven.ts";

let oven: AgentOven;
beforeAll(async () => {
  oven = await startAgentOven(() => ({ text: "" }));
});
afterAll(() => oven.stop());

const definition = (input: JsonObject, more: JsonObject = {}): JsonObject => ({
  ...{ initial: "work", ...more },
  states: { work: { invoke: { src: "agent.code", input, onDone: "done" } }, done: { type: "final" } },
});
async function problemsOf(input: JsonObject, more: JsonObject = {}): Promise<Problem[]> {
  const { status, body } = await oven.call("POST", "agent-workflows/validate", { definition: definition(input, more) });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.problems;
}

const tools = ["shop.get"];

test("a program that is right has no problems", async () => {
  const code = "seen = 0\nfor order in orders:\n    seen += (await shop_get(id=order))['seen']\nseen";
  expect(await problemsOf({ code, tools, inputs: { orders: [1, 2] } })).toEqual([]);
});

test("an error of syntax is found with its line, and nothing is published", async () => {
  const code = "seen = await shop_get(id=1)\nif seen\n    pass";
  const path = "$.states.work.invoke.input.code";
  expect(await problemsOf({ code, tools })).toMatchObject([
    { path, rule: "code-syntax", severity: "error", line: 2, message: expect.stringMatching(/^Line 2: SyntaxError/) },
  ]);
  const created = await oven.call("POST", "agent-workflows", {
    name: "Program",
    definition: definition({ code, tools }),
  });
  expect(created).toMatchObject({ status: 400, body: { error: { code: "INVALID_DEFINITION", path } } });
});

test("errors of types against the functions of the step are warnings, each with its line", async () => {
  const code = "order = await shop_get(id='x')\nawait shop_list(id=1)\norder['total']";
  expect(await problemsOf({ code, tools })).toMatchObject([
    { rule: "code-types", severity: "warning", line: 1, message: expect.stringContaining("Expected `int`") },
    { rule: "code-types", severity: "warning", line: 2, message: expect.stringContaining("`shop_list`") },
    { rule: "code-types", severity: "warning", line: 3, message: expect.stringContaining("total") },
  ]);
});

test("the tools of the workflow's agentConfig and of the step alone are functions, too", async () => {
  const stepTools = [{ name: "double", description: "Doubles", src: "core.transform", input: { mapping: {} } }];
  const code = "await shop_get(id=1)\nawait double()";
  expect(await problemsOf({ code, stepTools }, { agentConfig: { tools } })).toEqual([]);
});

test("where only a run knows the tools, only syntax is looked at", async () => {
  const read = { tools: "$.trigger.tools", inputs: {} };
  expect(await problemsOf({ ...read, code: "await shop_anything(id=1)" })).toEqual([]);
  expect(await problemsOf({ ...read, code: "await shop_anything(" })).toMatchObject([{ rule: "code-syntax" }]);
});
