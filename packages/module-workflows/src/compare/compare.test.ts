import { createRuntime, createSystemModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorkflowsModule } from "../workflows.module.ts";

describe("GET …/versions/compare", () => {
  let oven: TestOven;
  beforeAll(async () => {
    const modules = [createSystemModule(), createRolesModule(), createWorkflowsModule()];
    oven = await startTestOven({ createRuntime, modules });
  });
  afterAll(() => oven.stop());

  it("compares published versions by number", async () => {
    const definition = (message: string) => ({
      initial: "say",
      states: { say: { invoke: { src: "core.log", input: { message }, onDone: "done" } }, done: { type: "final" } },
    });
    await oven.call("POST", "workflows", { name: "Compared", definition: definition("one") });
    await oven.call("PUT", "workflows/compared", { definition: definition("two") });
    const { status, body } = await oven.call("GET", "workflows/compared/versions/compare?from=1&to=2");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      from: 1,
      to: 2,
      added: [],
      changed: [{ stateId: "say", path: "invoke.input.message", from: "one", to: "two" }],
    });
    expect((await oven.call("GET", "workflows/compared/versions/compare?from=1&to=9")).status).toBe(404);
    expect((await oven.call("GET", "workflows/compared/versions/compare?from=1")).status).toBe(400);
  });
});
