import { createRuntime, createSystemModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { longNumber, startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorkflowsModule } from "../workflows.module.ts";

const LONG = "7615917337495251231";
const id = longNumber(LONG);

describe("a number that a double cannot hold, sent over REST", () => {
  let oven: TestOven;
  let count = 0;
  beforeAll(async () => {
    oven = await startTestOven({
      createRuntime,
      modules: [createSystemModule(), createRolesModule(), createWorkflowsModule()],
    });
  });
  afterAll(() => oven.stop());

  async function workflow(properties: object, states?: object): Promise<string> {
    const definition = {
      payloadSchema: { type: "object", properties },
      initial: states === undefined ? "done" : "ask",
      states: states ?? { done: { type: "final", output: "$.trigger" } },
    };
    const { status, body } = await oven.call("POST", "workflows", { name: `Takes ${++count}`, definition });
    expect(status, JSON.stringify(body)).toBe(201);
    return `workflows/${body.id}`;
  }
  const runs = async () => (await oven.call("GET", "workflow-executions")).body.length;

  it.each([
    [LONG, { type: "integer" }],
    ["1e400", { type: "number" }],
    ["0.1234567890123456789", {}],
  ])("is refused before a run is made of it: %s", async (number, schema) => {
    const path = await workflow({ order: { type: "object", properties: { id: schema } } });
    const before = await runs();
    const { status, body } = await oven.call("POST", `${path}/execute`, {
      input: { order: { id: longNumber(number) } },
    });
    expect([status, body.error]).toMatchObject([
      400,
      {
        code: "NUMBER_NOT_EXACT",
        path: "$.input.order.id",
        message: expect.stringContaining(number),
        fix: expect.stringContaining("Send it as text"),
      },
    ]);
    expect(await runs()).toBe(before);
  });

  it.each([
    ["a text", { type: "string" }],
    ["an int64", { type: "integer", format: "int64" }],
    ["one of several types", { anyOf: [{ type: "integer" }, { type: "string" }] }],
  ])("stays as text where the payload takes %s", async (_name, schema) => {
    const path = await workflow({ id: schema });
    const { body } = await oven.call("POST", `${path}/execute?wait=20`, { input: { id } });
    expect(body).toMatchObject({ status: "completed", output: { id: LONG } });
  });

  it("goes the same way into the test of a draft, by the draft's payload", async () => {
    const path = await workflow({ id: { type: "integer" } });
    expect((await oven.call("POST", `${path}/draft/execute?wait=20`, { input: { id } })).body.error.path).toBe(
      "$.input.id",
    );
    const { definition } = (await oven.call("GET", path)).body;
    const draft = { ...definition, payloadSchema: { type: "object", properties: { id: { type: "string" } } } };
    expect((await oven.call("PUT", `${path}/draft`, { revision: 0, baseVersion: 1, definition: draft })).status).toBe(
      200,
    );
    const run = await oven.call("POST", `${path}/draft/execute?wait=20`, { input: { id } });
    expect(run.body).toMatchObject({ status: "completed", output: { id: LONG } });
  });

  it("is refused in a definition", async () => {
    const definition = { initial: "done", states: { done: { type: "final", output: { $literal: { id } } } } };
    const { status, body } = await oven.call("POST", "workflows", { name: "Long", definition });
    expect([status, body.error.path]).toEqual([400, '$.definition.states.done.output["$literal"].id']);
  });

  describe("in a decision", () => {
    const ask = (schema: object) => ({
      ask: {
        invoke: { src: "core.requestInput", input: { title: "Which?", schema: { $literal: schema } }, onDone: "done" },
      },
      done: { type: "final", output: "$.ask_output.data" },
    });
    const schema = { type: "object", properties: { n: { type: "integer" }, id: { type: "integer", format: "int64" } } };

    it.each(["reviews", "resume"])("is refused or kept by the schema of the review, by way of %s", async (way) => {
      const path = await workflow({}, ask(schema));
      const run = (await oven.call("POST", `${path}/execute?wait=20`, { input: {} })).body;
      expect(run.status).toBe("paused");
      const [review] = (await oven.call("GET", `reviews?filter={"executionId":${run.id}}`)).body;
      const to = way === "reviews" ? `reviews/${review.id}/decide` : `workflow-executions/${run.id}/resume`;
      const refused = await oven.call("POST", to, { action: "submit", data: { n: id } });
      expect([refused.status, refused.body.error]).toMatchObject([400, { code: "NUMBER_NOT_EXACT", path: "$.data.n" }]);
      expect((await oven.call("POST", to, { action: "submit", data: { id } })).status).toBe(200);
      await expect
        .poll(async () => (await oven.call("GET", `workflow-executions/${run.id}`)).body.status)
        .toBe("completed");
      expect((await oven.call("GET", `workflow-executions/${run.id}`)).body.output).toEqual({ id: LONG });
    });
  });
});
