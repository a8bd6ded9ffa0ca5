import { setTimeout } from "node:timers/promises";
import { installedModules } from "@oven/installation";
import { createRuntime, defineModule, defineNode, done } from "@oven/module-registry";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

const AGENTS = "module-workflow-agents";
const final = { type: "final" };

/** A model that asks for a tool for ever, and a node that reads its module's configuration. */
const restless = defineModule({
  name: "module-restless",
  namespace: "restless",
  description: "For tests.",
  dependencies: ["module-ai"],
  configSchema: [
    { key: "PACE", type: "string", description: "Pace", defaultValue: "slow", instances: "id of a workflow" },
  ],
  nodes: [
    defineNode({
      id: "restless.pace",
      version: 1,
      title: "Pace",
      docs: "Answers the configured pace.",
      category: "data",
      kind: "data",
      effect: "pure",
      input: z.strictObject({}),
      output: z.strictObject({ pace: z.string() }),
      run: async ({ config }) => done({ pace: await config("PACE") }),
    }),
    defineNode({
      id: "restless.work",
      version: 1,
      title: "Work",
      docs: "Works for a while.",
      category: "data",
      kind: "data",
      effect: "pure",
      input: z.strictObject({ ms: z.int() }),
      output: z.strictObject({}),
      run: async ({ input, signal }) => {
        await setTimeout(input.ms, undefined, { signal });
        return done({});
      },
    }),
  ],
  services: async ({ services }) => {
    services.ai.registerScript({
      name: "restless",
      rules: [],
      otherwise: { toolCalls: [{ tool: "orders.policy", arguments: { topic: "late delivery" } }] },
    });
    return {};
  },
});

describe("configuration that runs read", () => {
  let oven: TestOven;
  let count = 0;
  beforeAll(async () => {
    oven = await startTestOven({ createRuntime, modules: [...installedModules({ demo: true }), restless] });
  });
  afterAll(() => oven.stop());

  async function create(state: object, more: object = {}, resource = "agent-workflows") {
    count++;
    const definition = { initial: "one", states: { one: state, done: final }, ...more };
    const created = await oven.call("POST", resource, { name: `Configured ${count}`, definition });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    return created.body;
  }
  async function run(workflow: { id: number }, resource = "agent-workflow") {
    const { body } = await oven.call("POST", `${resource}s/${workflow.id}/execute?wait=30`, { input: {} });
    return (await oven.call("GET", `${resource}-executions/${body.id}`)).body;
  }
  async function configure(moduleName: string, key: string, value: unknown, scopeId?: number) {
    const scope = scopeId === undefined ? {} : { scopeId: String(scopeId) };
    const set = await oven.call("POST", "module-configs", { moduleName, key, value, ...scope });
    expect(set.status, JSON.stringify(set.body)).toBe(201);
  }

  it("MAX_TOOL_ITERATIONS limits a tool loop that sets no limit itself, and is 10 at first [004-229]", async () => {
    const loop = {
      invoke: { src: "agent.toolLoop", input: { prompt: "Go", tools: ["orders.policy"] }, onDone: "done" },
    };
    const settings = { agentConfig: { model: "simulated:restless" } };
    const plain = await create(loop, settings);
    const own = await create(loop, { ...settings, maxToolIterations: 3 });
    const answers = async (workflow: { id: number }) => {
      const { errorInfo, nodes } = await run(workflow);
      expect(errorInfo).toMatchObject({ code: "TOOL_LOOP_LIMIT" });
      return nodes.filter(({ nodeId }: { nodeId: string }) => nodeId === "one.llm").length;
    };
    expect(await answers(plain)).toBe(10);
    await configure(AGENTS, "MAX_TOOL_ITERATIONS", 2);
    expect(await answers(plain)).toBe(2);
    expect(await answers(own)).toBe(3);
    await configure(AGENTS, "MAX_TOOL_ITERATIONS", 1, plain.id);
    expect(await answers(plain)).toBe(1);
  });

  it.each([
    ["workflow", "module-workflows"],
    ["agent-workflow", AGENTS],
  ])("EXECUTION_TIMEOUT_MS ends a run of a %s that sets no time-out itself", async (resource, module) => {
    const work = (ms: number) => ({ invoke: { src: "restless.work", input: { ms }, onDone: "done" } });
    const plain = await create(work(20_000), {}, `${resource}s`);
    await configure(module, "EXECUTION_TIMEOUT_MS", 50, plain.id);
    expect(await run(plain, resource)).toMatchObject({ status: "failed", errorInfo: { code: "TIME_LIMIT" } });
    const own = await create(work(150), { timeoutMs: 20_000 }, `${resource}s`);
    await configure(module, "EXECUTION_TIMEOUT_MS", 50, own.id);
    expect((await run(own, resource)).status).toBe("completed");
  });

  it("MCP_AUTO_REGENERATE off leaves an MCP server's tools as built, until Regenerate", async () => {
    const log = { invoke: { src: "core.log", input: { message: "x" }, onDone: "done" } };
    const workflow = await create(log, { mcpExport: true });
    const find = async () =>
      (await oven.call("GET", `mcp-servers?filter=${JSON.stringify({ agentWorkflowId: workflow.id })}`)).body[0];
    const describe = async (text: string) =>
      (await oven.call("PUT", `agent-workflows/${workflow.id}`, { description: text })).status;
    const shown = async () => (await find()).toolDefinitions[0].description;
    expect(await describe("First text.")).toBe(200);
    expect(await shown()).toContain("First text.");
    await configure(AGENTS, "MCP_AUTO_REGENERATE", false, workflow.id);
    await describe("Second text.");
    expect(await shown()).toContain("First text.");
    await oven.call("PUT", `agent-workflows/${workflow.id}`, { enabled: false });
    expect((await find()).status).toBe("disabled");
    await oven.call("POST", `mcp-servers/${(await find()).id}/regenerate`, {});
    expect(await shown()).toContain("Second text.");
  });

  it("core.resolveConfig answers value and source", async () => {
    const read = (input: object) => ({ invoke: { src: "core.resolveConfig", input, onDone: "done" } });
    const pace = { moduleName: "module-restless", key: "PACE" };
    expect((await run(await create(read(pace)))).nodes[0].output).toEqual({ value: "slow", source: "default" });
    await configure("module-restless", "PACE", "brisk", 99);
    const scoped = await run(await create(read({ ...pace, scopeId: 99 })));
    expect(scoped.nodes[0].output).toEqual({ value: "brisk", source: "tenant-instance" });
    const unknown = await run(await create(read({ ...pace, key: "NOPE" })));
    expect(unknown).toMatchObject({ status: "failed", errorInfo: { code: "CONFIG_KEY_UNKNOWN", nodeId: "one" } });
  });

  it("a node's own configuration is that of its run's workflow", async () => {
    const node = { invoke: { src: "restless.pace", input: {}, onDone: "done" } };
    const [one, two] = [await create(node), await create(node)];
    await configure("module-restless", "PACE", "fast", two.id);
    expect((await run(one)).nodes[0].output).toEqual({ pace: "slow" });
    expect((await run(two)).nodes[0].output).toEqual({ pace: "fast" });
  });
});
