import { createRuntime, createSystemModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorkflowsModule } from "../workflows.module.ts";

let oven: TestOven;
beforeAll(async () => {
  const modules = [createSystemModule(), createRolesModule(), createWorkflowsModule()];
  oven = await startTestOven({ createRuntime, modules });
});
afterAll(() => oven.stop());

const state = (input: object, more: object = {}) => ({ invoke: { src: "core.code", input, onDone: "done" }, ...more });
const definition = (one: object, more: object = {}) => ({
  initial: "one",
  states: { one, ...more, done: { type: "final" } },
});
async function problemsOf(given: object) {
  const { status, body } = await oven.call("POST", "workflows/validate", { definition: given });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.problems;
}

const BROKEN = "const a = 1;\nreturn a +;";
const PYTHON = { language: "python", code: "total = 1\nfor order in orders\n  total += 1" };

describe("code that does not parse", () => {
  it.each([
    ["JavaScript", { code: BROKEN }, "SyntaxError: unexpected token in expression: ';'"],
    ["Python", { ...PYTHON, inputs: { orders: [] } }, "SyntaxError: "],
  ])("of %s is an error of its input, with the line", async (_language, input, message) => {
    expect(await problemsOf(definition(state(input)))).toEqual([
      {
        ...{ path: "$.states.one.invoke.input.code", rule: "code-syntax", severity: "error", line: 2 },
        message: expect.stringContaining(`Line 2: ${message}`),
        fix: "Correct the code at this line.",
      },
    ]);
  });

  it("is not published: created, changed or added as a candidate", async () => {
    const broken = definition(state({ code: BROKEN }));
    const refused = {
      status: 400,
      body: { error: { code: "INVALID_DEFINITION", details: { problems: [{ line: 2 }] } } },
    };
    expect(await oven.call("POST", "workflows", { name: "Broken", definition: broken })).toMatchObject(refused);
    const whole = await oven.call("POST", "workflows", {
      name: "Whole",
      definition: definition(state({ code: "return 1" })),
    });
    expect(whole.status).toBe(201);
    expect(await oven.call("PUT", `workflows/${whole.body.id}`, { definition: broken })).toMatchObject(refused);
  });

  it("is found in the body of a loop, and while the rest of the workflow is not finished", async () => {
    const loop = {
      ...{ type: "forEach", collection: [1], bodyInitial: "work", onDone: "nowhere" },
      bodyStates: { work: state({ code: BROKEN }), end: { type: "final" } },
    };
    const problems: { rule: string; path: string }[] = await problemsOf(definition({ loop }));
    expect(problems.map(({ rule }) => rule)).toContain("target");
    expect(problems.filter(({ rule }) => rule === "code-syntax")).toMatchObject([
      { path: "$.states.one.loop.bodyStates.work.invoke.input.code" },
    ]);
  });

  it("may stand in a step that is switched off", async () => {
    expect(await problemsOf(definition(state({ code: BROKEN }, { disabled: true })))).toEqual([]);
  });
});

describe("code with a name that is not there", () => {
  it("is a warning in Python, and published all the same", async () => {
    const doubtful = definition(state({ language: "python", code: "a = 1\ntotal + a + rest", inputs: { total: 1 } }));
    expect(await problemsOf(doubtful)).toMatchObject([
      { rule: "code-types", severity: "warning", line: 2, message: expect.stringContaining("`rest`") },
    ]);
    expect((await oven.call("POST", "workflows", { name: "Doubtful", definition: doubtful })).status).toBe(201);
  });
});
