import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { createRuntime, createSystemModule, defineModule, defineNode, done } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { createWorkflowsModule } from "../workflows.module.ts";

/** Answers a text of the wished length, with what JSON finds hard at its end. */
const tail = "\u0000\ud800 end";
const large = defineNode({
  id: "test.large",
  version: 1,
  title: "Large",
  docs: "Answers a long text.",
  category: "core",
  kind: "data",
  effect: "pure",
  input: z.strictObject({ length: z.int() }),
  output: z.looseObject({}),
  run: async ({ input }) => done({ text: "x".repeat(input.length) + tail }),
});
const measure = defineNode({
  id: "test.measure",
  version: 1,
  title: "Measure",
  docs: "Answers how long what it gets is.",
  category: "core",
  kind: "data",
  effect: "pure",
  input: z.strictObject({ value: z.unknown() }),
  output: z.looseObject({}),
  run: async ({ input: { value } }) => {
    const { text } = value as { text?: string };
    return done({
      length: text?.length ?? -1,
      intact: text?.endsWith(tail) ?? false,
      keys: Object.keys(value as object),
    });
  },
});
const testModule = () =>
  defineModule({
    name: "module-test",
    namespace: "test",
    description: "Nodes of the tests.",
    dependencies: ["module-workflows"],
    nodes: [large, measure],
  });

describe.each(testDatabases(inject("postgresUrl")))("what runs read and keep on $name", ({ open }) => {
  let test: TestDatabase;
  let oven: TestOven;
  beforeAll(async () => {
    test = await open();
    const modules = [createSystemModule(), createRolesModule(), createWorkflowsModule(), testModule()];
    oven = await startTestOven({ createRuntime, db: test.db, modules });
  });
  afterAll(async () => {
    await oven.stop();
    await test.close();
  });

  let count = 0;
  async function publish(definition: object) {
    count += 1;
    return oven.call("POST", "workflows", { name: `Data ${count}`, definition });
  }
  const shown = async (id: number) => (await oven.call("GET", `workflow-executions/${id}`)).body;
  async function run(definition: object, input: object = {}) {
    const { body } = await publish(definition);
    const started = await oven.call("POST", `workflows/${body.id}/execute?wait=30`, { input });
    return { workflow: body.id, ...(await shown(started.body.id)) };
  }
  const configured = {
    initial: "a",
    states: {
      a: {
        invoke: { src: "core.transform", input: { mapping: { cap: "$config.EXECUTION_COST_CAP_CENTS" } }, onDone: "w" },
      },
      w: { on: { go: "done" } },
      done: { type: "final", output: { before: "$.a_output.cap", now: "$config.EXECUTION_COST_CAP_CENTS" } },
    },
  };

  it("reads configuration as it was when the run began, and refuses keys that nobody declares", async () => {
    const waiting = await run(configured);
    expect(waiting.status).toBe("paused");
    const set = {
      moduleName: "module-workflows",
      key: "EXECUTION_COST_CAP_CENTS",
      scopeId: String(waiting.workflow),
      value: 7,
    };
    expect((await oven.call("POST", "module-configs", set)).status).toBe(201);
    await oven.call("POST", `workflow-executions/${waiting.id}/events`, { event: "go" });
    await expect.poll(async () => (await shown(waiting.id)).output).toEqual({ before: 1_000, now: 1_000 });
    const { body } = await oven.call("POST", `workflows/${waiting.workflow}/execute?wait=20`, {});
    await oven.call("POST", `workflow-executions/${body.id}/events`, { event: "go" });
    await expect.poll(async () => (await shown(body.id)).output).toEqual({ before: 7, now: 7 });
    expect((await oven.call("POST", `workflow-executions/${waiting.id}/replay`, {})).body.same).toBe(true);
    const unknown = structuredClone(configured);
    unknown.states.done.output.now = "$config.NOBODY_KNOWS";
    const refused = await publish(unknown);
    expect([refused.status, refused.body.error.code]).toEqual([422, "CONFIG_KEY_UNKNOWN"]);
  });

  it("keeps an output over 4 MiB beside the row, hands on a reference, and its content where asked with `| full`", async () => {
    const length = 5 * 1024 * 1024;
    const result = await run({
      initial: "make",
      states: {
        make: { invoke: { src: "test.large", input: { length }, onDone: "short" } },
        short: { invoke: { src: "test.measure", input: { value: "$.make_output" }, onDone: "long" } },
        long: { invoke: { src: "test.measure", input: { value: "$.make_output | full" }, onDone: "done" } },
        done: {
          type: "final",
          output: { short: "$.short_output", long: "$.long_output", made: "$.make_output | compressed" },
        },
      },
    });
    expect(result).toMatchObject({
      status: "completed",
      output: {
        short: { length: -1, keys: expect.arrayContaining(["$blob", "summary"]) },
        long: { length: length + tail.length, intact: true },
      },
    });
    expect(JSON.stringify(result).length).toBeLessThan(20_000);
    const { $blob } = result.context.make_output;
    const blob = await oven.fetch(`blobs/${$blob}`);
    expect(JSON.parse(await blob.text())).toEqual({ text: "x".repeat(length) + tail });
    expect((await oven.call("POST", `workflow-executions/${result.id}/replay`, {})).body.same).toBe(true);
  });
});
