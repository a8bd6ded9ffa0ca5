import { createRuntime, createSystemModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createWorkflowsModule } from "../workflows.module.ts";

let oven: TestOven;
beforeAll(async () => {
  oven = await startTestOven({
    createRuntime,
    modules: [createSystemModule(), createRolesModule(), createWorkflowsModule()],
  });
});
afterAll(() => oven.stop());

it("names what a CEL expression can call", async () => {
  const { status, body } = await oven.call("GET", "expressions/cel");
  expect(status).toBe(200);
  expect(body.variables.map(({ name }: { name: string }) => name)).toContain("output");
  expect(body.functions).toContainEqual({
    name: "filter",
    receiver: "list",
    form: "filter(x, condition)",
    returns: "list",
    description: "The entries for which the condition holds",
  });
});

it("finds the same mistake in a text as the check of a definition does, and says where it is", async () => {
  const expression = "trigger.amount > limit";
  const { body } = await oven.call("POST", "expressions/cel/check", { expression });
  expect(body.problem).toMatchObject({ start: 17, end: 22, message: "Unknown variable: limit" });
  const guard = { type: "cel", params: { expression } };
  const definition = {
    initial: "a",
    states: { a: { always: [{ target: "b", guard }, "b"] }, b: { type: "final" } },
  };
  const checked = await oven.call("POST", "workflows/validate", { definition });
  expect(checked.body.problems).toMatchObject([
    { rule: "cel", message: expect.stringContaining(body.problem.message) },
  ]);
  expect((await oven.call("POST", "expressions/cel/check", { expression: "trigger.amount > 1" })).body).toEqual({
    problem: null,
  });
});

it("refuses a text of any length", async () => {
  const { status } = await oven.call("POST", "expressions/cel/check", { expression: "a".repeat(20_001) });
  expect(status).toBe(400);
});
