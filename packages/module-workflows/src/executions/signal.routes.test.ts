import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { createRuntime, createSystemModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createWorkflowsModule } from "../workflows.module.ts";

const log = (message: string, onDone: unknown) => ({ invoke: { src: "core.log", input: { message }, onDone } });
const transform = (mapping: object, onDone: unknown) => ({
  invoke: { src: "core.transform", input: { mapping }, onDone },
});
const done = { type: "final" };

/** Every construct of the graph over REST, on a database. */
describe.each(testDatabases(inject("postgresUrl")))("graph constructs on $name", ({ open }) => {
  let test: TestDatabase;
  let oven: TestOven;
  const start = () =>
    startTestOven({
      createRuntime,
      db: test.db,
      modules: [createSystemModule(), createRolesModule(), createWorkflowsModule()],
    });
  beforeAll(async () => {
    test = await open();
    oven = await start();
  });
  afterAll(async () => {
    await oven.stop();
    await test.close();
  });

  let count = 0;
  async function publish(definition: object): Promise<number> {
    count += 1;
    const { status, body } = await oven.call("POST", "workflows", { name: `Construct ${count}`, definition });
    expect(status, JSON.stringify(body)).toBe(201);
    return body.id;
  }
  async function execute(definition: object, input: object = {}) {
    const id = await publish(definition);
    const { body } = await oven.call("POST", `workflows/${id}/execute?wait=20`, { input });
    return (await oven.call("GET", `workflow-executions/${body.id}`)).body;
  }
  const send = (id: number, body: object, headers: Record<string, string> = {}) =>
    oven.call("POST", `workflow-executions/${id}/events`, body, { headers });
  const becomes = (id: number, status: string) =>
    expect
      .poll(async () => (await oven.call("GET", `workflow-executions/${id}`)).body.status, {
        interval: 20,
      })
      .toBe(status);
  const shown = async (id: number) => (await oven.call("GET", `workflow-executions/${id}`)).body;

  const paid = {
    initial: "open",
    states: {
      open: {
        on: {
          paid: {
            target: "thank",
            guard: { type: "condition", params: { key: "$.event.payload.amount", operator: ">", value: 0 } },
            actions: [{ type: "assign", params: { path: "$.amount", value: "$.event.payload.amount" } }],
          },
        },
        after: { P1D: "expired" },
      },
      thank: transform({ amount: "$.amount" }, "done"),
      expired: { type: "final", outcome: "expired" },
      done: { type: "final", output: "$.thank_output.amount" },
    },
  };

  it("waits for an event as a paused run and goes on with it [CONTRACTS §17: on events]", async () => {
    const run = await execute(paid);
    expect(run).toMatchObject({
      status: "paused",
      currentState: "open",
      checkpoint: { waiting: [{ nodeId: "open", for: "event", events: ["paid"], dueAt: expect.any(String) }] },
    });
    expect(await send(run.id, { event: "paid", payload: { amount: 0 } })).toMatchObject({ status: 202 });
    const sent = await send(run.id, { event: "paid", payload: { amount: 12 } });
    expect(sent).toMatchObject({ status: 202, body: { id: run.id } });
    await becomes(run.id, "completed");
    expect(await shown(run.id)).toMatchObject({ output: 12, checkpoint: null, waitingUntil: null });
    const late = await send(run.id, { event: "paid" });
    expect(late).toMatchObject({ status: 409, body: { error: { code: "ALREADY_ENDED" } } });
  });

  it("takes an event once per Idempotency-Key, refuses odd names, and needs executions.signal", async () => {
    const run = await execute({
      initial: "count",
      context: { n: 0 },
      states: {
        count: { on: { tick: { actions: [{ type: "assign", params: { path: "$.n", add: 1 } }] }, stop: "done" } },
        done: { type: "final", output: "$.n" },
      },
    });
    const key = { "idempotency-key": "one" };
    const first = await send(run.id, { event: "tick" }, key);
    const again = await send(run.id, { event: "tick" }, key);
    expect([first.status, again.status]).toEqual([202, 202]);
    expect(first.headers.get("idempotency-replayed")).toBeNull();
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect((await send(run.id, { event: "tick tock" })).status).toBe(400);
    expect((await send(run.id, { event: "tick", more: 1 })).status).toBe(400);
    expect((await send(999_999, { event: "tick" })).status).toBe(404);
    const { body: reader } = await oven.call("POST", "api-keys", {
      name: "Reader",
      permissions: ["executions.read"],
    });
    const refused = await oven.call(
      "POST",
      `workflow-executions/${run.id}/events`,
      { event: "stop" },
      { key: reader.key },
    );
    expect(refused.status).toBe(403);
    await send(run.id, { event: "stop" });
    await becomes(run.id, "completed");
    expect((await shown(run.id)).output).toBe(1);
  });

  it("fires a timer at its instant, leaving the run running until then", async () => {
    const run = await execute({
      initial: "hold",
      states: { hold: { after: { 1500: "late" } }, late: log("late", "done"), done },
    });
    expect(run.status).toBe("completed");
    const { nodes, startedAt } = run;
    expect(Date.parse(nodes[0].startedAt) - Date.parse(startedAt)).toBeGreaterThanOrEqual(1_500);
  });

  it("keeps timers, history and loops across a restart of the process", async () => {
    const step = (onDone: string) => ({ on: { next: onDone } });
    const run = await execute(
      {
        initial: "group",
        states: {
          group: {
            initial: "one",
            on: { away: "away" },
            onDone: "each",
            states: { one: step("two"), two: step("end"), end: done, back: { type: "history" } },
          },
          away: { after: { 1200: "back" } },
          each: {
            loop: {
              type: "forEach",
              collection: "$.trigger.items",
              bodyInitial: "ask",
              bodyStates: {
                ask: {
                  on: {
                    next: { target: "say", actions: [{ type: "assign", params: { path: "$.last", value: "$.item" } }] },
                  },
                },
                say: transform({ text: "{{ $.index }}:{{ $.item }}" }, "said"),
                said: { type: "final", output: "$.say_output.text" },
              },
              onDone: "done",
            },
          },
          done: { type: "final", output: { each: "$.each_output", last: "$.last" } },
        },
      },
      { items: ["x", "y"] },
    );
    const at = (state: string) =>
      expect.poll(async () => (await shown(run.id)).currentState, { interval: 20 }).toBe(state);
    await send(run.id, { event: "next" });
    await at("two");
    await send(run.id, { event: "away" });
    await at("away");
    expect(await shown(run.id)).toMatchObject({ status: "running", waitingUntil: expect.any(String) });
    await oven.stop();
    oven = await start();
    await at("two");
    await send(run.id, { event: "next" });
    await at("ask");
    await send(run.id, { event: "next" });
    await expect.poll(async () => (await shown(run.id)).context.each_output?.count).toBe(1);
    await oven.stop();
    oven = await start();
    await send(run.id, { event: "next" });
    await becomes(run.id, "completed");
    const { output, nodes, stateValue } = await shown(run.id);
    expect(output).toEqual({
      last: "y",
      each: {
        items: [
          { index: 0, input: "x", output: "0:x", status: "completed" },
          { index: 1, input: "y", output: "1:y", status: "completed" },
        ],
        count: 2,
        failed: 0,
        truncated: false,
      },
    });
    expect(stateValue).toBe("done");
    expect(
      nodes.map(({ nodeId, nodeType, visit, parentNodeId, status }: Record<string, unknown>) => [
        nodeId,
        nodeType,
        visit,
        parentNodeId,
        status,
      ]),
    ).toEqual([
      ["each", "core.forEach", 1, null, "completed"],
      ["say", "core.transform", 1, "each", "completed"],
      ["say", "core.transform", 2, "each", "completed"],
    ]);
    expect(nodes[0].output).toEqual(output.each);
  });

  it("goes through a loop whose rows begin and end in one commit, and core nodes read its item", async () => {
    const run = await execute({
      initial: "each",
      states: {
        each: {
          loop: {
            type: "forEach",
            collection: [1, 2, 3],
            bodyInitial: "big",
            bodyStates: {
              big: {
                invoke: { src: "core.condition", input: { key: "item", operator: ">", value: 1 }, onDone: "end" },
              },
              end: done,
            },
            onDone: "none",
          },
        },
        none: { loop: { type: "forEach", collection: [], bodyInitial: "n", bodyStates: { n: done }, onDone: "done" } },
        done: { type: "final", output: "$.each_output.items" },
      },
    });
    expect(run).toMatchObject({ status: "completed", errorInfo: null });
    expect(run.output.map(({ output }: { output: unknown }) => output)).toEqual([
      { result: false },
      { result: true },
      { result: true },
    ]);
    expect(run.nodes.find(({ nodeId }: { nodeId: string }) => nodeId === "none")).toMatchObject({
      status: "completed",
      output: { items: [], count: 0 },
    });
  });

  it("core.waitForEvent takes the event of its correlation, or fails at its deadline", async () => {
    const wait = (input: object) => ({
      initial: "wait",
      states: {
        wait: {
          invoke: {
            src: "core.waitForEvent",
            input: { event: "orders.paid", ...input },
            onDone: "done",
            onError: "late",
          },
        },
        late: { type: "final", output: "$.wait_error.code" },
        done: { type: "final", output: "$.wait_output" },
      },
    });
    const run = await execute(wait({ correlation: "$.trigger.order" }), { order: 17 });
    expect(run).toMatchObject({
      status: "paused",
      checkpoint: { waiting: [{ nodeId: "wait", for: "event", dueAt: null }] },
    });
    await send(run.id, { event: "orders.paid", correlation: "18", payload: "not this" });
    await send(run.id, { event: "orders.paid", correlation: "17", payload: { amount: 3 } });
    await becomes(run.id, "completed");
    expect((await shown(run.id)).output).toEqual({ event: "orders.paid", payload: { amount: 3 } });
    const late = await execute(wait({ deadline: 300 }));
    await becomes(late.id, "completed");
    expect((await shown(late.id)).output).toBe("WAIT_TIMEOUT");
    const wrong = await oven.call("POST", "workflows", { name: "Wrong", definition: wait({ deadline: "soon" }) });
    expect(wrong.status).toBe(400);
  });

  it("core.waitUntil goes on at its instant, and at once when it has passed", async () => {
    const until = (value: string) => ({
      initial: "wait",
      states: {
        wait: { invoke: { src: "core.waitUntil", input: { until: value }, onDone: "done" } },
        done: { type: "final", output: "$.wait_output.until" },
      },
    });
    const instant = new Date(Date.now() + 1_000);
    const run = await execute(until(instant.toISOString()));
    expect(run).toMatchObject({ status: "completed", output: instant.toISOString() });
    expect(Date.parse(run.completedAt)).toBeGreaterThanOrEqual(instant.getTime());
    expect(await execute(until("2020-01-01T10:00:00+02:00"))).toMatchObject({
      status: "completed",
      output: "2020-01-01T08:00:00.000Z",
    });
    const wrong = await oven.call("POST", "workflows", { name: "Wrong", definition: until("tomorrow") });
    expect(wrong.status).toBe(400);
  });

  it("exports the published definition for XState and as Mermaid", async () => {
    const id = await publish(paid);
    const xstate = await oven.call("GET", `workflows/${id}/export?format=xstate`);
    expect(xstate).toMatchObject({
      status: 200,
      body: { initial: "open", states: { open: { after: { 86400000: [{ target: "#expired" }] } } } },
    });
    const typescript = await oven.fetch(`workflows/${id}/export?format=typescript`);
    expect(typescript.headers.get("content-type")).toBe("text/typescript; charset=utf-8");
    expect(await typescript.text()).toContain("export function createWorkflowMachine");
    const mermaid = await oven.fetch(`workflows/${id}/export?format=mermaid`);
    expect(mermaid.headers.get("content-type")).toContain("mermaid");
    expect(await mermaid.text()).toContain("open --> expired: after P1D");
    expect((await oven.call("GET", `workflows/${id}/export?format=svg`)).status).toBe(400);
  });

  it("compiles the published definition, or another one, and saves nothing", async () => {
    const id = await publish({ initial: "one", states: { one: log("hello", "done"), done } });
    const compile = (body: object) => oven.call("POST", `workflows/${id}/compile`, body);
    const { status, body } = await compile({});
    expect(status).toBe(200);
    expect(body).toMatchObject({
      contentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      states: ["one", "done"],
      xstate: { initial: "one" },
      mermaid: expect.stringContaining("stateDiagram"),
    });
    const other = { initial: "two", states: { two: done } };
    expect((await compile({ definition: other })).body.states).toEqual(["two"]);
    const wrong = { initial: "nowhere", states: { two: done } };
    expect((await compile({ definition: wrong })).body.error.code).toBe("INVALID_DEFINITION");
    expect((await oven.call("GET", `workflows/${id}`)).body).toMatchObject({
      version: 1,
      definition: { initial: "one" },
    });
  });
});
