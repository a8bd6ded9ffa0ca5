import type { Database } from "@oven/db";
import { createTestPglite } from "@oven/db/testing";
import { createAgentCoreModule } from "@oven/module-agent-core";
import { createAiModule } from "@oven/module-ai";
import { createRuntime, createSystemModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { createWorkflowsModule } from "@oven/module-workflows";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAgentWorkflowsModule } from "../agent-workflows.module.ts";

const definition = {
  initial: "note",
  states: {
    note: { invoke: { src: "core.log", input: { message: "begun" }, onDone: "answer" } },
    answer: {
      invoke: { src: "agent.toolLoop", input: { prompt: "Hello", model: "simulated:echo", tools: [] }, onDone: "done" },
    },
    done: { type: "final" },
  },
};

describe("a definition with agent nodes where the agent module is not installed", () => {
  let db: Database;
  let oven: TestOven;
  const base = () => [createSystemModule(), createRolesModule(), createWorkflowsModule()];
  beforeAll(async () => {
    db = await createTestPglite();
    const agents = [createAiModule(), createAgentCoreModule(), createAgentWorkflowsModule()];
    const before = await startTestOven({ createRuntime, db, modules: [...base(), ...agents] });
    const made = await before.call("POST", "workflows", { name: "Agentic", definition });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    await before.stop();
    oven = await startTestOven({ createRuntime, db, modules: base() });
  });
  afterAll(async () => {
    await oven.stop();
    await db.close();
  });

  it("opens, lists, is compared and draws [004-234]", async () => {
    const list = (await oven.call("GET", "workflows")).body;
    expect(list).toMatchObject([{ slug: "agentic", definition }]);
    expect((await oven.call("GET", "workflows/agentic")).body.definition).toEqual(definition);
    expect((await oven.call("GET", "workflows/agentic/versions")).body).toMatchObject([{ version: 1, definition }]);
    const drawn = await oven.fetch("workflows/agentic/export?format=mermaid");
    expect(drawn.status, await drawn.clone().text()).toBe(200);
    const text = await drawn.text();
    for (const state of ["note", "answer", "done"]) expect(text).toContain(state);
    const problems = (await oven.call("POST", "workflows/validate", { definition })).body.problems;
    expect(problems).toMatchObject([{ path: "$.states.answer.invoke.src", severity: "error" }]);
  });

  it("is refused when it is to run, before anything of it happens [004-234]", async () => {
    const refused = await oven.call("POST", "workflows/agentic/execute?wait=20", {});
    expect(refused.status).toBe(409);
    expect(refused.body.error).toMatchObject({
      code: "NODE_UNAVAILABLE",
      message: expect.stringContaining("agent.toolLoop is not installed"),
      path: "$.states.answer.invoke.src",
    });
    expect((await oven.call("GET", "workflow-executions")).body).toEqual([]);
  });
});
