import { once } from "node:events";
import type { EventEnvelope } from "@oven/contract";
import { installedModules } from "@oven/installation";
import { createRuntime, defineModule, defineNode, done as nodeDone } from "@oven/module-registry";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { insertKey } from "./testing/strangers.ts";

/* Statements of document 004 about the engine that both kinds of workflow share, each by its id. */

const done = (output: unknown = null) => ({ type: "final", output });
const node = (src: string, input: object, onDone: unknown, more: object = {}) => ({
  invoke: { src, input, onDone, ...more },
});
const review = { title: "Go on?", show: "$.trigger.text" };

describe("document 004, the engine", () => {
  let oven: TestOven;
  const heard: EventEnvelope[] = [];
  let isSlow = false;

  beforeAll(async () => {
    const listen = async (event: EventEnvelope): Promise<void> => void heard.push(event);
    const slow = defineNode({
      id: "listener.slow",
      version: 1,
      title: "Slow",
      docs: "Answers, or waits until it is stopped.",
      category: "core",
      kind: "data",
      effect: "pure",
      input: z.strictObject({}),
      output: z.strictObject({ done: z.boolean() }),
      run: async ({ signal }) => {
        if (isSlow) await once(signal, "abort");
        return nodeDone({ done: true });
      },
    });
    const listener = defineModule({
      name: "module-listener",
      namespace: "listener",
      description: "Hears what happens to runs.",
      dependencies: ["module-workflow-agents"],
      nodes: [slow],
      events: { emits: {}, listeners: { "agents-workflow.*": listen, "workflows.*": listen } },
    });
    oven = await startTestOven({ createRuntime, modules: [...installedModules({ demo: true }), listener] });
  });
  afterAll(() => oven.stop());

  type Kind = "workflows" | "agent-workflows";
  const runsOf = (kind: Kind) => `${kind.slice(0, -1)}-executions`;
  async function publish(kind: Kind, slug: string, definition: object) {
    const { status, body } = await oven.call("POST", kind, { name: slug, slug, definition });
    expect(status, JSON.stringify(body)).toBe(201);
    return body;
  }
  async function run(kind: Kind, workflow: string, input: object = {}) {
    const { body } = await oven.call("POST", `${kind}/${workflow}/execute?wait=30`, { input });
    return shown(kind, body.id);
  }
  const shown = async (kind: Kind, id: number) => (await oven.call("GET", `${runsOf(kind)}/${id}`)).body;
  const childOf = async (kind: Kind, parentId: number) =>
    (await oven.call("GET", `${runsOf(kind)}?filter={"parentId":${parentId}}`)).body;
  const places = (run: { nodes: { nodeId: string; item: string | null; status: string }[] }) =>
    run.nodes
      .filter(({ nodeId, item }) => item === null && !nodeId.includes("."))
      .map(({ nodeId, status }) => `${nodeId} ${status}`);

  it("runs one definition alike as either kind, with the same rows, versions and log [004-003] [004-013]", async () => {
    const definition = {
      initial: "a",
      states: { a: node("core.transform", { mapping: { n: "$.trigger.n" } }, "done"), done: done("$.a_output.n") },
    };
    const seen = [];
    for (const kind of ["workflows", "agent-workflows"] as const) {
      await publish(kind, "alike", definition);
      const result = await run(kind, "alike", { n: 7 });
      const [version] = (await oven.call("GET", `${kind}/alike/versions`)).body;
      const log = await oven.db.query("select seq, event, cause from run_events where execution_id = $1 order by seq", [
        result.id,
      ]);
      seen.push({
        status: result.status,
        output: result.output,
        nodes: places(result),
        version: [version.version, version.contentHash],
        log: log.map(({ seq, event }) => [seq, event]),
      });
    }
    expect(seen[0]).toEqual(seen[1]);
    expect(seen[0]).toMatchObject({ status: "completed", output: 7, nodes: ["a completed"] });
  });

  it("is a graph of models, tools, conditions and reviews, each with its own row [004-004] [004-024]", async () => {
    const call = { toolCallId: "1", tool: "orders.get", arguments: { orderId: 8841 } };
    const definition = {
      initial: "ask",
      agentConfig: { model: "simulated:echo" },
      memoryConfig: { enabled: false },
      states: {
        ask: node("agent.llm", { prompt: "{{ $.trigger.text }}" }, "look"),
        look: node("agent.toolExecutor", { toolCalls: [call], tools: ["orders.get"] }, "branch"),
        branch: node("core.condition", { key: "ask_output.text", operator: "exists" }, "review"),
        review: node("agent.humanReview", review, "done"),
        done: done("$.review_output.action"),
      },
    };
    await publish("agent-workflows", "graph", definition);
    const paused = await run("agent-workflows", "graph", { text: "hello" });
    expect(places(paused)).toEqual(["ask completed", "look completed", "branch completed", "review paused"]);
    // The base format takes the agent's settings as it takes everything else.
    await publish("workflows", "graph", definition);
    expect((await oven.fetch("workflows/graph/export?format=mermaid")).status).toBe(200);
  });

  it("lets each kind be a step of the other, linked on both pages [004-006] [004-007]", async () => {
    const inner = {
      initial: "say",
      states: {
        say: node("core.transform", { mapping: { text: "from {{ $.trigger.who }}" } }, "done"),
        done: done("$.say_output.text"),
      },
    };
    await publish("workflows", "inner", inner);
    await publish("agent-workflows", "inner-agent", inner);
    for (const [kind, calledKind, workflow] of [
      ["agent-workflows", "workflow", "inner"],
      ["workflows", "agent-workflow", "inner-agent"],
    ] as const) {
      const call = node("core.callWorkflow", { workflow, kind: calledKind, input: { who: kind } }, "done");
      await publish(kind, `outer-${calledKind}`, {
        initial: "sub",
        states: { sub: call, done: done("$.sub_output.output") },
      });
      const parent = await run(kind, `outer-${calledKind}`);
      expect(parent).toMatchObject({ status: "completed", output: `from ${kind}` });
      const children = await childOf(`${calledKind}s`, parent.id);
      expect(children).toMatchObject([
        { parentId: parent.id, parentNodeId: "sub", rootId: parent.id, status: "completed" },
      ]);
      const events = await oven.db.query<{ fields: { childId: number } }>(
        "select fields from run_events where execution_id = $1 and event = 'child.completed'",
        [parent.id],
      );
      expect(events.map(({ fields }) => fields.childId)).toEqual([children[0].id]);
    }
  });

  it("lets a parent wait at its step while the child does, and go on from there after a restart [004-169] [004-172] [004-173]", async () => {
    await publish("agent-workflows", "asks", {
      initial: "review",
      states: { review: node("agent.humanReview", review, "done"), done: done("$.review_output.action") },
    });
    const call = node(
      "core.callWorkflow",
      { workflow: "asks", kind: "agent-workflow", input: { text: "may I?" } },
      "after",
    );
    await publish("agent-workflows", "waits-for-it", {
      initial: "sub",
      states: {
        sub: call,
        after: node("core.transform", { mapping: { said: "$.sub_output.output" } }, "done"),
        done: done("$.after_output.said"),
      },
    });
    const parent = await run("agent-workflows", "waits-for-it");
    expect(parent).toMatchObject({ status: "paused", currentState: "sub" });
    const [child] = await childOf("agent-workflows", parent.id);
    expect(places(await shown("agent-workflows", child.id))).toEqual(["review paused"]);
    // Decided through the parent: what it waits for is its child's review.
    const resumed = await oven.call("POST", `agent-workflow-executions/${parent.id}/resume`, { action: "approve" });
    expect(resumed.status).toBe(200);
    await expect.poll(async () => (await shown("agent-workflows", parent.id)).output).toBe("approve");
    expect(places(await shown("agent-workflows", parent.id))).toEqual(["sub completed", "after completed"]);
  });

  it("has the core nodes of the document, each with a visible effect [004-016]", async () => {
    const types = (await oven.call("GET", "node-types")).body.map(({ id }: { id: string }) => id);
    const plain = [
      "core.condition",
      "core.transform",
      "core.delay",
      "core.emit",
      "core.setVariable",
      "core.sql",
      "core.resolveConfig",
    ];
    expect(types).toEqual(expect.arrayContaining(plain));
    const loop = (type: string, more: object, onDone: string) => ({
      loop: { type, bodyInitial: "w", onDone, ...more },
    });
    const step = (id: string) => ({
      [id]: node("core.setVariable", { name: "total", value: { $cel: "ctx.total + 1" } }, `${id}_end`),
      [`${id}_end`]: { type: "final" },
    });
    await publish("workflows", "core-nodes", {
      initial: "transform",
      context: { total: 0 },
      states: {
        transform: node("core.transform", { mapping: { list: [1, 2] } }, "delay"),
        delay: node("core.delay", { ms: 5 }, "emit"),
        emit: node("core.emit", { event: "spec.tested", payload: { ok: true } }, "config"),
        config: node("core.resolveConfig", { moduleName: "module-workflows", key: "MAX_TOOL_ITERATIONS" }, "each"),
        each: loop(
          "forEach",
          { collection: "$.transform_output.list", bodyInitial: "w1", bodyStates: step("w1") },
          "again",
        ),
        again: loop(
          "while",
          {
            condition: { type: "cel", params: { expression: "ctx.total < 4" } },
            bodyInitial: "w2",
            bodyStates: step("w2"),
          },
          "check",
        ),
        check: node("core.condition", { key: "total", operator: "==", value: 4 }, "done"),
        done: done({ total: "$.total", config: "$.config_output.value", check: "$.check_output.result" }),
      },
    });
    const result = await run("workflows", "core-nodes");
    expect(result, JSON.stringify(result.errorInfo)).toMatchObject({
      status: "completed",
      output: { total: 4, config: 10, check: true },
    });
    expect(places(result)).toEqual(expect.arrayContaining(["each completed", "again completed", "delay completed"]));
    await expect
      .poll(async () => oven.db.query("select payload from outbox_events where name = 'spec.tested'"))
      .toEqual([{ payload: { ok: true } }]);
  });

  it("tells of nodes, runs and workflows of both kinds, with the fields of the document [004-207] [004-208] [004-209] [004-289]", async () => {
    const failing = {
      initial: "ok",
      states: {
        ok: node("core.log", { message: "hi" }, "bad"),
        bad: { invoke: { src: "core.fail", input: { code: "NO", message: "no" } } },
      },
    };
    for (const [kind, namespace] of [
      ["workflows", "workflows"],
      ["agent-workflows", "agents-workflow"],
    ] as const) {
      const workflow = await publish(kind, "tells", failing);
      const { id } = await run(kind, "tells");
      const of = (name: string, executionId: unknown = id) =>
        heard
          .filter(
            ({ name: full, payload }) =>
              full === `${namespace}.${name}` && (payload.executionId ?? payload.id) === executionId,
          )
          .map(({ payload }) => payload);
      await expect.poll(() => of("execution.failed").length).toBe(1);
      const ofRun = heard.filter(({ payload }) => (payload.executionId ?? payload.id) === id);
      const told = ofRun
        .map(({ name }) => name)
        .filter((name) => name.startsWith(namespace) && !name.includes(".workflow."));
      expect(told.map((name) => name.slice(namespace.length + 1))).toEqual([
        "execution.started",
        "node.started",
        "node.completed",
        "node.started",
        "node.failed",
        "execution.failed",
      ]);
      expect(of("workflow.created", workflow.id)).toEqual([{ id: workflow.id, name: "tells", slug: "tells" }]);
      expect(of("execution.started")).toHaveLength(1);
      expect(of("node.started")).toMatchObject([
        { nodeId: "ok", nodeType: "core.log" },
        { nodeId: "bad", nodeType: "core.fail" },
      ]);
      expect(of("node.completed")).toEqual([
        { executionId: id, nodeId: "ok", nodeType: "core.log", durationMs: expect.any(Number) },
      ]);
      expect(of("node.failed")).toMatchObject([
        { executionId: id, nodeId: "bad", nodeType: "core.fail", error: { code: "NO" } },
      ]);
    }
  });

  it("ends at its duration limit with the reason, and goes on from the last checkpoint afterwards [004-227] [004-176]", async () => {
    const definition = {
      initial: "first",
      timeoutMs: 3_000,
      states: {
        first: node("core.transform", { mapping: { n: 1 } }, "slow"),
        slow: node("listener.slow", {}, "done"),
        done: done("$.slow_output.done"),
      },
    };
    await publish("workflows", "slow", definition);
    isSlow = true;
    const limited = await run("workflows", "slow");
    expect(limited).toMatchObject({ status: "failed", outcome: "limit", errorInfo: { code: "TIME_LIMIT" } });
    isSlow = false;
    const { body } = await oven.call("POST", `workflow-executions/${limited.id}/retry`, {});
    await expect.poll(async () => (await shown("workflows", body.id)).completedAt).not.toBeNull();
    const again = await shown("workflows", body.id);
    expect(again).toMatchObject({ status: "completed", output: true });
    expect(
      again.nodes.map(({ nodeId, executionId }: { nodeId: string; executionId: number }) => [nodeId, executionId]),
    ).toEqual([
      ["first", limited.id],
      ["slow", again.id],
    ]);
  });

  it("reads $.X.field as $.X_output.field, $.trigger and $config [004-280] [004-281]", async () => {
    await publish("workflows", "reads", {
      initial: "a",
      states: {
        a: node("core.transform", { mapping: { field: "from a" } }, "b"),
        b: node(
          "core.transform",
          {
            mapping: {
              short: "$.a.field",
              long: "$.a_output.field",
              trigger: "$.trigger.n",
              config: "$config.MAX_TOOL_ITERATIONS",
            },
          },
          "done",
        ),
        done: done("$.b_output"),
      },
    });
    expect((await run("workflows", "reads", { n: 3 })).output).toEqual({
      short: "from a",
      long: "from a",
      trigger: 3,
      config: 10,
    });
    const id = (await oven.call("GET", "workflows/reads")).body.id;
    await oven.call("POST", "module-configs", {
      moduleName: "module-workflows",
      key: "MAX_TOOL_ITERATIONS",
      scopeId: String(id),
      value: 4,
    });
    expect((await run("workflows", "reads", { n: 3 })).output.config).toBe(4);
  });

  it("shows a workflow without a tenant to all, one with a tenant to it alone [004-237]", async () => {
    const { key } = await insertKey(oven.db, { tenantId: 2, permissions: { "*": ["*"] } });
    for (const slug of ["ours", "everybodys"])
      await publish("agent-workflows", slug, { initial: "done", states: { done: done() } });
    await oven.db.query("update agent_workflows set tenant_id = 0 where slug = 'everybodys'");
    const slugs = async (options: object) =>
      (await oven.call("GET", "agent-workflows", undefined, options)).body.map(({ slug }: { slug: string }) => slug);
    expect(await slugs({ key })).toContain("everybodys");
    expect(await slugs({ key })).not.toContain("ours");
    expect(await slugs({})).toEqual(expect.arrayContaining(["everybodys", "ours"]));
  });

  it("answers every route of regular workflows [004-288]", async () => {
    const { id } = await publish("workflows", "routes", { initial: "done", states: { done: done() } });
    const [version] = (await oven.call("GET", `workflows/${id}/versions`)).body;
    const { id: execution } = await run("workflows", "routes");
    for (const [method, path, body, expected] of [
      ["POST", `workflows/${id}/execute`, { input: {} }, 202],
      ["POST", `workflows/${id}/compile`, {}, 200],
      ["GET", `workflows/${id}/versions`, undefined, 200],
      ["GET", `workflows/${id}/versions/${version.id}`, undefined, 200],
      ["POST", `workflows/${id}/versions/${version.id}/restore`, {}, 200],
      ["GET", "workflow-executions", undefined, 200],
      ["POST", `workflow-executions/${execution}/cancel`, {}, 409],
      ["GET", "node-types", undefined, 200],
      ["GET", "module-configs", undefined, 200],
      ["GET", "module-configs/resolve?moduleName=module-workflows&key=MAX_TOOL_ITERATIONS", undefined, 200],
    ] as const) {
      const answer = await oven.call(method, path, body);
      expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBe(expected);
    }
  });
});
