import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRuntime, createSystemModule } from "../../../packages/module-registry/src/index.ts";
import { createRolesModule } from "../../../packages/module-roles/src/index.ts";
import { startTestOven, type TestOven } from "../../../packages/testing/src/index.ts";
import { generateNode } from "./generate-node.ts";
import { copyPackage, type PackageCopy } from "./testing/package-copy.ts";

const NODES = "packages/module-workflows/src/nodes";

describe("a new node type: one file, one test, one line", () => {
  let copy: PackageCopy;
  let oven: TestOven;
  beforeAll(async () => {
    copy = copyPackage(["packages/module-workflows"], (read) => generateNode("core.shout", read));
    expect(copy.runTest(`${NODES}/shout.node.test.ts`)).toMatchObject({ status: 0 });
    const source = copy.read(`${NODES}/shout.node.ts`);
    copy.write(`${NODES}/shout.node.ts`, source.replace("text: input.text", "text: input.text.toUpperCase()"));
    const { createWorkflowsModule } = await copy.load("packages/module-workflows/src/workflows.module.ts");
    oven = await startTestOven({
      createRuntime,
      modules: [createSystemModule(), createRolesModule(), createWorkflowsModule()],
    });
  });
  afterAll(async () => {
    await oven.stop();
    copy.remove();
  });

  const definition = (input: object) => ({
    initial: "shout",
    states: {
      shout: { invoke: { src: "core.shout", input, onDone: "end" } },
      end: { type: "final", output: "$.shout_output.text" },
    },
  });

  it("shows in /api/node-types with its schemas", async () => {
    const { body } = await oven.call("GET", "node-types?category=core");
    const shown = body.find(({ id }: { id: string }) => id === "core.shout");
    expect(shown).toMatchObject({
      title: "Shout",
      module: "module-workflows",
      effect: "pure",
      inputSchema: { properties: { text: { type: "string" } }, required: ["text"] },
    });
  });

  it("validates: a wrong input is refused with its path, a right one is not", async () => {
    const wrong = await oven.call("POST", "workflows/validate", { definition: definition({ txt: "hello" }) });
    expect(wrong.body.problems[0]).toMatchObject({ path: expect.stringContaining("$.states.shout.invoke.input") });
    const right = await oven.call("POST", "workflows/validate", { definition: definition({ text: "hello" }) });
    expect(right.body).toEqual({ problems: [] });
  });

  it("runs", async () => {
    const created = await oven.call("POST", "workflows", {
      name: "Loud",
      definition: definition({ text: "{{ $.trigger.word }}!" }),
    });
    expect(created.status).toBe(201);
    const run = await oven.call("POST", "workflows/loud/execute?wait=20", { input: { word: "hello" } });
    expect(run.body).toMatchObject({ status: "completed", output: "HELLO!" });
  });
});
