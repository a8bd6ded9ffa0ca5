import type { EventEnvelope } from "@oven/contract";
import { createRuntime, createSystemModule, defineModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorkflowsModule } from "../workflows.module.ts";

const heard: EventEnvelope[] = [];
const listener = defineModule({
  name: "module-listener",
  namespace: "listener",
  description: "Hears what runs emit.",
  dependencies: ["module-workflows"],
  events: {
    emits: {},
    listeners: {
      "shop.*": async (event) => void heard.push(event),
      "workflows.node.completed": async (event) => void heard.push(event),
    },
  },
});

describe("core nodes", () => {
  let oven: TestOven;
  beforeAll(async () => {
    const modules = [createSystemModule(), createRolesModule(), createWorkflowsModule(), listener];
    oven = await startTestOven({ createRuntime, modules });
  });
  afterAll(() => oven.stop());

  let count = 0;
  /** Runs states from `one` to their end. */
  async function run(states: object, input: object = {}, more: object = {}) {
    count++;
    const usesDone = JSON.stringify(states).includes('"done"');
    const definition = {
      initial: "one",
      states: { ...states, ...(usesDone ? { done: { type: "final" } } : {}) },
      ...more,
    };
    const created = await oven.call("POST", "workflows", { name: `Test ${count}`, definition });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    const { body } = await oven.call("POST", `workflows/${created.body.id}/execute?wait=30`, { input });
    return (await oven.call("GET", `workflow-executions/${body.id}`)).body;
  }
  const node = (src: string, input: object, onDone: unknown = "done") => ({ invoke: { src, input, onDone } });

  it.each([
    ["==", 5, 5, true],
    ["!=", 5, 5, false],
    [">", 6, 5, true],
    ["contains", "bread", "rea", true],
    ["in", "a", ["a", "b"], true],
    ["matches", "order-8841", "^order-\\d+$", true],
    ["exists", null, null, true],
    ["empty", "", null, true],
  ])("core.condition decides %s of %j and %j as %s [004-284]", async (operator, actual, value, result) => {
    const body = await run(
      { one: node("core.condition", { key: "trigger.actual", operator, value: { $literal: value } }) },
      { actual },
    );
    expect(body.nodes[0].output).toEqual({ result });
  });

  it("core.condition takes its key with or without `$.`, whatever stands there", async () => {
    for (const actual of [250, "250", { amount: 250 }, "trigger.other"])
      for (const key of ["trigger.actual", "$.trigger.actual"]) {
        const condition = node("core.condition", { key, operator: "==", value: { $literal: actual } });
        const body = await run({ one: condition }, { actual });
        expect(body, JSON.stringify([key, actual])).toMatchObject({ context: { one_output: { result: true } } });
      }
  });

  it("core.condition takes a missing value as absent, never as an error", async () => {
    for (const [operator, result] of [
      ["exists", false],
      ["empty", true],
      ["==", false],
    ]) {
      const body = await run({ one: node("core.condition", { key: "trigger.nothing.here", operator, value: 1 }) });
      expect(body.nodes[0].output).toEqual({ result });
    }
  });

  it("core.setVariable writes a variable that later nodes read, values of any kind", async () => {
    const value = { list: [1, { __proto__: null, text: "{{ not rendered }}" }] };
    const body = await run(
      {
        one: node("core.setVariable", { name: "found", value: { $literal: value } }, "two"),
        two: node("core.transform", { mapping: { again: "$.found.list[-1].text" } }),
      },
      {},
      { context: { found: "before" } },
    );
    expect(body.context).toMatchObject({ found: value, two_output: { again: "{{ not rendered }}" } });
  });

  it.each(["trigger", "__proto__", "messages", "a.b", ""])("core.setVariable refuses the name %j", async (name) => {
    const definition = {
      initial: "one",
      states: { one: node("core.setVariable", { name, value: 1 }), done: { type: "final" } },
    };
    expect((await oven.call("POST", "workflows", { name: "Bad name", definition })).status).toBe(400);
  });

  it("core.delay leaves the run running with its instant, and goes on when it has come", async () => {
    const startedAt = Date.now();
    const body = await run({ one: node("core.delay", { ms: 300 }) });
    expect(body.status).toBe("completed");
    const { until } = body.nodes[0].output;
    expect(Date.parse(until)).toBeGreaterThanOrEqual(startedAt + 300);
    expect(Date.parse(body.nodes[0].completedAt)).toBeGreaterThanOrEqual(Date.parse(until));
  });

  it("core.delay shows until when it waits", async () => {
    const definition = { initial: "one", states: { one: node("core.delay", { ms: "PT1H" }), done: { type: "final" } } };
    const { body: workflow } = await oven.call("POST", "workflows", { name: "Long delay", definition });
    const { body: run } = await oven.call("POST", `workflows/${workflow.id}/execute?wait=1`, { input: {} });
    expect(run).toMatchObject({ status: "running", waitingUntil: expect.any(String) });
    const cancelled = await oven.call("POST", `workflow-executions/${run.id}/cancel`, {});
    expect(cancelled.body).toMatchObject({ status: "cancelled", waitingUntil: null });
  });

  it("core.emit is heard by listeners, and node events are too when somebody listens", async () => {
    heard.length = 0;
    const body = await run({ one: node("core.emit", { event: "shop.order.delayed", payload: { days: 3 } }) });
    expect(body.status).toBe("completed");
    await expect
      .poll(() => heard.map(({ name }) => name))
      .toEqual(expect.arrayContaining(["shop.order.delayed", "workflows.node.completed"]));
    expect(heard.find(({ name }) => name === "shop.order.delayed")).toMatchObject({
      tenantId: 1,
      payload: { days: 3 },
    });
    expect(heard.find(({ name }) => name === "workflows.node.completed")).toMatchObject({
      payload: { executionId: body.id, nodeId: "one", nodeType: "core.emit", durationMs: expect.any(Number) },
    });
  });

  it("core.emit may not forge what the platform itself tells", async () => {
    const body = await run({ one: node("core.emit", { event: "workflows.execution.completed", payload: {} }) });
    expect(body).toMatchObject({ status: "failed", errorInfo: { code: "RESERVED_EVENT", nodeId: "one" } });
  });

  it("core.log writes into the run's log", async () => {
    const body = await run(
      { one: node("core.log", { level: "warn", message: "Late by {{ $.trigger.days }} days" }) },
      { days: 3 },
    );
    const text = await (await oven.fetch(`workflow-executions/${body.id}/events`)).text();
    expect(text).toContain("Late by 3 days");
  });

  it("core.fail fails the run with its own code, or takes onError", async () => {
    const failed = await run({
      one: { invoke: { src: "core.fail", input: { message: "No stock", code: "NO_STOCK" } } },
    });
    expect(failed).toMatchObject({
      status: "failed",
      error: "No stock",
      errorInfo: { code: "NO_STOCK", nodeId: "one" },
    });
    const caught = await run({
      one: { invoke: { src: "core.fail", input: { message: "No stock", code: "NO_STOCK" }, onError: "sorry" } },
      sorry: { type: "final", output: "$.one_error.code" },
    });
    expect(caught).toMatchObject({ status: "completed", output: "NO_STOCK" });
  });

  it("core.stop ends the run at once with outcome and output", async () => {
    const body = await run(
      {
        one: { invoke: { src: "core.stop", input: { output: { why: "$.trigger.why" } }, onDone: "never" } },
        never: node("core.fail", { message: "must not run" }),
      },
      { why: "nothing to do" },
    );
    expect(body).toMatchObject({ status: "completed", outcome: "stopped", output: { why: "nothing to do" } });
    expect(body.nodes).toHaveLength(1);
  });

  it("keeps NUL, lone surrogates, big integers and __proto__ keys exactly", async () => {
    const input = JSON.parse(
      '{"text":"a\\u0000b\\ud800","big":9007199254740991,"nested":{"__proto__":{"polluted":true}}}',
    );
    const body = await run({ one: node("core.transform", { mapping: { copy: "$.trigger" } }) }, input);
    expect(JSON.stringify(body.nodes[0].output.copy)).toBe(JSON.stringify(input));
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it("lists core nodes with their schemas, by category and grouped [004-021] [004-265]", async () => {
    const { body: types } = await oven.call("GET", "node-types?category=core");
    const ids = types.map(({ id }: { id: string }) => id);
    for (const id of [
      "core.condition",
      "core.transform",
      "core.setVariable",
      "core.resolveConfig",
      "core.delay",
      "core.emit",
      "core.log",
      "core.http",
      "core.fail",
      "core.stop",
    ]) {
      expect(ids).toContain(id);
    }
    expect(types.find(({ id }: { id: string }) => id === "core.delay")).toMatchObject({
      inputSchema: { type: "object", required: ["ms"] },
      effect: "pure",
      module: "module-workflows",
    });
    const { body: grouped } = await oven.call("GET", "node-types?grouped=true");
    expect(Object.keys(grouped)).toEqual(["core", "api"]);
    expect((await oven.call("GET", "node-types?module=nobody")).body).toEqual([]);
  });
});
