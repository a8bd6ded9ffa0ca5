import { installedModules } from "@oven/installation";
import { createRuntime } from "@oven/module-registry";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const final = { type: "final" };

describe("importing definitions", () => {
  let oven: TestOven;
  let count = 0;
  beforeAll(async () => {
    oven = await startTestOven({ createRuntime, modules: installedModules({ demo: true }) });
  });
  afterAll(() => oven.stop());

  async function take(definition: object, resource = "workflows") {
    count++;
    return oven.call("POST", `${resource}/import`, { name: `Imported ${count}`, definition });
  }
  async function run(id: number, input: object, kind = "workflow") {
    const { body } = await oven.call("POST", `${kind}s/${id}/execute?wait=30`, { input });
    return (await oven.call("GET", `${kind}-executions/${body.id}`)).body;
  }

  /** As another system writes it: guards with bare keys, `always` after the work, fields for a schema. */
  const order = {
    id: "order-check",
    initial: "start",
    context: { limit: 50 },
    payloadSchema: [
      { name: "total", type: "string", required: true },
      { name: "items", type: "array" },
    ],
    states: {
      start: { always: { target: "note" } },
      note: {
        invoke: { src: "core.setVariable", input: { name: "first", value: "$.items.0.name" } },
        always: [
          { target: "high", guard: { type: "condition", params: { key: "total", operator: "==", value: 60 } } },
          { target: "low" },
        ],
      },
      high: { type: "final", output: { level: "high", first: "{{$.first}}" } },
      low: { type: "final", output: { level: "low", first: "{{$.first}}" } },
    },
    _meta: { positions: { start: { x: 0, y: 0 } } },
  };

  it.each([
    ["workflows", "workflow"],
    ["agent-workflows", "agent-workflow"],
  ])("POST %s/import answers 201 with the row and what was rewritten, and it runs", async (resource, kind) => {
    const { status, body } = await take(order, resource);
    expect(status, JSON.stringify(body)).toBe(201);
    expect(body).toMatchObject({ id: expect.any(Number), version: 1, definition: { meta: order._meta } });
    expect(body.changes).toEqual(
      expect.arrayContaining([
        { path: "$._meta", rule: "editor-meta" },
        { path: "$.payloadSchema", rule: "payload-fields" },
        { path: "$.states.note.always", rule: "always-when-done" },
      ]),
    );
    const input = { total: "60", items: [{ name: "bread" }] };
    expect(await run(body.id, input, kind)).toMatchObject({
      status: "completed",
      output: { level: "high", first: "bread" },
    });
    const missing = await oven.call("POST", `${resource}/${body.id}/execute`, { input: { items: [] } });
    expect(missing.body.error.code).toBe("INVALID_INPUT");
  });

  it("runs always beside invoke after the work, first passing guard first [004-269] [004-270]", async () => {
    const { body } = await take(order);
    expect(await run(body.id, { total: "7", items: [{ name: "rye" }] })).toMatchObject({
      output: { level: "low", first: "rye" },
    });
  });

  it('compares 5 and "5" as equal in imported documents, not in canonical ones [004-272]', async () => {
    const states = (guard: object) => ({
      one: { always: [{ target: "same", guard }, "other"] },
      same: { ...final, output: "same" },
      other: { ...final, output: "other" },
    });
    const imported = await take({ initial: "one", states: states({ key: "n", operator: "==", value: 5 }) });
    expect((await run(imported.body.id, { n: "5" })).output).toBe("same");
    const strict = { type: "condition", params: { key: "$.n", operator: "==", value: 5 } };
    const canonical = await take({ initial: "one", states: states(strict) });
    expect(canonical.body.changes).toEqual([]);
    expect((await run(canonical.body.id, { n: "5" })).output).toBe("other");
  });

  it("runs a document of short node names, config beside invoke and output keys [004-282] [004-283]", async () => {
    const { status, body } = await take(
      {
        initial: "tone",
        states: {
          tone: {
            invoke: { src: "prompt", input: { template: "Write to {{who}}.", variables: { who: "$.trigger.who" } } },
            on: { done: "draft" },
          },
          draft: {
            invoke: { type: "llm", input: { prompt: "{{$.trigger.text}}" }, outputKey: "letter" },
            config: { model: "simulated:echo" },
            always: "check",
          },
          check: {
            invoke: { src: "condition", input: { field: "letter.text", operator: "contains", value: "flour" } },
            always: [{ target: "ask", guard: { path: "check.branch", equals: "true" } }, { target: "done" }],
          },
          ask: {
            invoke: { src: "human-review", input: { proposal: "$.letter.text", reason: "Mentions flour" } },
            always: [{ target: "done", guard: { key: "ask.decision", operator: "==", value: "approved" } }, "tone"],
          },
          done: { ...final, output: "{{$.letter.text}}" },
        },
      },
      "agent-workflows",
    );
    expect(status, JSON.stringify(body)).toBe(201);
    const plain = await run(body.id, { who: "Ada", text: "More bread please" }, "agent-workflow");
    expect(plain).toMatchObject({ status: "completed", output: expect.stringContaining("More bread please") });
    const paused = await run(body.id, { who: "Ada", text: "More flour please" }, "agent-workflow");
    expect(paused).toMatchObject({ status: "paused", currentState: "ask" });
    const path = `agent-workflow-executions/${paused.id}`;
    await oven.call("POST", `${path}/resume`, { action: "approve" });
    await expect.poll(async () => (await oven.call("GET", path)).body.status).toBe("completed");
  });

  it.each([
    ["`loop` with `always`", {}, { always: { target: "done" } }],
    [
      "`loop` with `invoke`",
      { parallelBatchSize: 0, maxIterations: 100 },
      { invoke: { src: "core.forEach", onDone: { target: "done" } } },
    ],
  ])(
    "runs a loop written as %s; what its body sets is seen after it [004-273] [004-275]",
    async (_form, loop, more) => {
      const set = { src: "core.setVariable", input: { name: "last", value: "$.item.id" }, onDone: "b2" };
      const { status, body } = await take({
        initial: "each",
        states: {
          each: {
            loop: {
              type: "forEach",
              collection: "$.items",
              bodyInitial: "b1",
              bodyStates: { b1: { invoke: set }, b2: final },
              ...loop,
            },
            ...more,
          },
          done: { ...final, output: { last: "$.last", count: "$.each_output.count" } },
        },
      });
      expect(status, JSON.stringify(body)).toBe(201);
      const ran = await run(body.id, { items: [{ id: 1 }, { id: 2 }, { id: 3 }] });
      expect(ran).toMatchObject({ status: "completed", output: { last: 3, count: 3 } });
    },
  );

  it("takes inputs sorted into path, query and body for the node of a route [004-282]", async () => {
    const { status, body } = await take({
      initial: "get",
      states: {
        get: {
          invoke: { src: "workflows.workflows.get", input: { pathParams: { id: "$.id" } }, onDone: { target: "done" } },
        },
        done: { ...final, output: "$.get.name" },
      },
    });
    expect(status, JSON.stringify(body)).toBe(201);
    expect((await run(body.id, { id: body.id })).output).toBe(body.name);
  });

  it("refuses what it does not know, with the nearest names, and saves nothing", async () => {
    const before = await oven.db.query("select count(*) as rows from workflows");
    const refused = await take({
      initial: "one",
      states: { one: { invoke: { type: "core.transfrom", input: {} }, always: "done" }, done: final },
    });
    expect(refused.status).toBe(400);
    expect(refused.body.error).toMatchObject({
      code: "INVALID_DEFINITION",
      path: "$.states.one.invoke.src",
      fix: expect.stringContaining("core.transform"),
    });
    expect(await oven.db.query("select count(*) as rows from workflows")).toEqual(before);
  });

  it("leaves the workflows of this installation as they are", async () => {
    const { body: workflows } = await oven.call("GET", "agent-workflows");
    const seeded = workflows.filter(({ name }: { name: string }) => !name.startsWith("Imported"));
    // Three that are drawn, the one of the demo's agent, and the two of the assistant.
    expect(seeded).toHaveLength(6);
    for (const { definition, name } of seeded) {
      const { body } = await take(definition, "agent-workflows");
      expect(body.changes, name).toEqual([]);
      expect(body.definition, name).toEqual(definition);
    }
  });
});
