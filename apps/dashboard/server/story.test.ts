import { createRuntime } from "@oven/module-registry";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installedModules } from "./modules.ts";

describe("the story over REST", () => {
  let oven: TestOven;
  beforeAll(async () => {
    oven = await startTestOven({ createRuntime, modules: installedModules({ demo: true }) });
  });
  afterAll(() => oven.stop());

  it("runs Support reply to its review, is approved, and completes", async () => {
    const { body: workflow } = await oven.call("GET", "agent-workflows/support-reply");
    const [example] = workflow.definition.meta.examples;
    const paused = await oven.call("POST", "agent-workflows/support-reply/execute?wait=20", { input: example.input });
    console.error(JSON.stringify(paused.body, null, 1));
    expect(paused).toMatchObject({ status: 200, body: { status: "paused", simulated: true } });
    const detail = await oven.call("GET", `agent-workflow-executions/${paused.body.id}`);
    console.error(JSON.stringify(detail.body, null, 1));
    const done = await oven.call("POST", `agent-workflow-executions/${paused.body.id}/resume`, { action: "approve" });
    console.error(JSON.stringify({...done.body, nodes: done.body.nodes.length}, null, 1));
    expect(done).toMatchObject({ status: 200, body: { status: "completed" } });
  });
});
