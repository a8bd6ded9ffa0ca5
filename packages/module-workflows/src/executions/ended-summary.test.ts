import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { createRuntime, createSystemModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createWorkflowsModule } from "../workflows.module.ts";

const step = (src: string, input: object) => ({
  initial: "work",
  states: { work: { invoke: { src, input, onDone: "done" } }, done: { type: "final", output: "$.work_output" } },
});

describe.each(testDatabases(inject("postgresUrl")))("a run whose end was waited for, on $name", ({ open }) => {
  let test: TestDatabase;
  let oven: TestOven;
  beforeAll(async () => {
    test = await open();
    const modules = [createSystemModule(), createRolesModule(), createWorkflowsModule()];
    oven = await startTestOven({ createRuntime, db: test.db, modules });
  });
  afterAll(async () => {
    await oven.stop();
    await test.close();
  });

  it.each([
    [
      "completed",
      step("core.transform", { mapping: { said: "$.trigger.said", at: "$.execution.id" } }),
      { priority: 7 },
    ],
    ["completed, with a long output", step("core.transform", { mapping: { said: "x".repeat(5_000) } }), {}],
    ["completed at once", { initial: "done", states: { done: { type: "final" } } }, {}],
    ["failed", step("core.fail", { message: "No bread left" }), {}],
    ["failed, with a text that no column takes", step("core.fail", { message: "$.trigger.text" }), {}],
    [
      "completed, some of it pinned",
      step("core.fail", { message: "no" }),
      { options: { pins: { work: { said: 1 } } } },
    ],
  ])("is answered as it is read afterwards: %s", async (name, definition, given) => {
    const { body: workflow } = await oven.call("POST", "workflows", { name, definition });
    const input = { said: ["bread", null, { a: 1.5 }], text: "No \0bread" };
    const { status, body: waited } = await oven.call("POST", `workflows/${workflow.id}/execute?wait=20`, {
      input,
      ...given,
    });
    expect([status, waited.status]).toEqual([200, name.split(/[ ,]/)[0]]);
    const { body: read } = await oven.call("GET", `workflow-executions/${waited.id}`);
    expect(read).toMatchObject(waited);
    const { body: listed } = await oven.call("GET", `workflow-executions?filter={"id":${waited.id}}`);
    expect(listed).toEqual([waited]);
  });
});
