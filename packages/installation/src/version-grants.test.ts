import type { JsonObject } from "@oven/contract";
import { createRuntime } from "@oven/module-registry";
import { type Credentials, invite, startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installedModules } from "./modules.ts";

const END = { type: "final" };
const one = (invoke: object): JsonObject => ({
  initial: "go",
  states: { go: { invoke: { ...invoke, onDone: "done" } }, done: END },
});
const READS_EVENTS = one({ src: "system.events.list" });
const READS_AGENTS = one({ src: "agents.agents.list" });
const calling = (workflow: number) =>
  one({ src: "core.callWorkflow", input: { kind: "agent-workflow", workflow, input: {} } });
const looping = (input: object) =>
  one({ src: "agent.toolLoop", input: { prompt: "Go", model: "simulated:echo", ...input } });

describe("what a published version is granted", () => {
  let oven: TestOven;
  let editor: Credentials;
  let number = 0;
  beforeAll(async () => {
    oven = await startTestOven({ createRuntime, modules: installedModules({ demo: true }) });
    editor = await invite(oven, "ed@example.com", ["editor"]);
  });
  afterAll(() => oven.stop());

  async function ok(method: string, path: string, body?: unknown, as?: Credentials): Promise<TestBody> {
    const answer = await oven.call(method, path, body, as);
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  }
  type TestBody = Awaited<ReturnType<TestOven["call"]>>["body"];

  const publish = (definition: JsonObject, as?: Credentials): Promise<TestBody> =>
    ok("POST", "agent-workflows", { name: `Grant ${++number}`, definition }, as);

  async function granted(id: number): Promise<string[]> {
    return (await ok("GET", `agent-workflows/${id}/versions`))[0].granted;
  }

  async function report(id: number) {
    const [version] = await ok("GET", `agent-workflows/${id}/versions`);
    return ok("GET", `agent-workflows/${id}/versions/${version.id}/grant`);
  }

  async function run(id: number) {
    const started = await ok("POST", `agent-workflows/${id}/execute?wait=20`, { input: {} });
    return ok("GET", `agent-workflow-executions/${started.id}`);
  }

  it("is what its steps and literal tools need, and nothing else that its publisher may do", async () => {
    const definition = looping({ tools: ["orders.get", "ai.documents.*", "!ai.documents.delete"] });
    const { id } = await publish(definition);
    expect(await granted(id)).toEqual(["orders.read", "vector-stores.read", "vector-stores.update"]);
    expect(await granted((await publish(one({ src: "core.log", input: { message: "x" } }))).id)).toEqual([]);
    expect(await granted((await publish(READS_EVENTS, editor)).id)).toEqual([]);
    const before = await report(id);
    expect(before).toMatchObject({ granted: await granted(id), missing: [], computed: [], beyond: [] });
    expect(await ok("POST", "agent-workflows/grant", { definition })).toEqual(before);
  });

  it("has what a step needs that calls one tool of a connected MCP server, and refuses that step without it", async () => {
    const definition = one({ src: "mcp.callTool", input: { tool: "mcp.shop.pay" } });
    expect(await granted((await publish(definition)).id)).toEqual(["mcp-tools.use"]);
    const permissions = ["agent-workflows.*"];
    const { key } = await ok("POST", "api-keys", { name: "Without tools", permissions });
    const { id } = await publish(definition, { key });
    expect(await report(id)).toMatchObject({ missing: [{ permission: "mcp-tools.use", steps: ["go"] }] });
    expect(await run(id)).toMatchObject({
      status: "failed",
      error: `Step go (mcp.callTool) needs the permission mcp-tools.use, which version 1 of Grant ${number} lacks`,
    });
  });

  it("has what a called workflow needs now, and does not grow with it", async () => {
    const child = await publish(READS_AGENTS);
    const { id } = await publish(calling(child.id));
    expect(await granted(id)).toEqual(["agents.read"]);
    expect(await run(id)).toMatchObject({ status: "completed" });
    await ok("PUT", `agent-workflows/${child.id}`, { definition: READS_EVENTS });
    expect(await granted(id)).toEqual(["agents.read"]);
    const failed = await run(id);
    expect(failed).toMatchObject({ status: "failed", error: expect.stringContaining(`version 1 of Grant ${number}`) });
    expect(failed.error).toContain("events.read");
    await ok("PUT", `agent-workflows/${id}`, { definition: calling(child.id) });
    expect(await granted(id)).toEqual(["events.read"]);
    expect(await run(id)).toMatchObject({ status: "completed" });
  });

  it("has what an agent needs that it asks by name, and does not grow with the agent", async () => {
    const [harmless, reads] = [await publish(READS_AGENTS), await publish(READS_EVENTS)];
    const agent = await ok("POST", "agents", { name: "Helper", workflowId: harmless.id });
    const { id } = await publish(one({ src: "agent.subagent", input: { agent: "helper", message: "Go" } }));
    expect(await granted(id)).toEqual(["agents.read"]);
    expect(await run(id)).toMatchObject({ status: "completed" });
    await ok("PUT", `agents/${agent.id}`, { workflowId: reads.id });
    expect(await run(id)).toMatchObject({ status: "failed", error: expect.stringContaining("events.read") });
    const versions = await ok("GET", `agents/${agent.id}/versions`);
    expect(versions.map((version: TestBody) => version.granted)).toEqual([["events.read"], ["agents.read"]]);
  });

  it("has the tools of the agent whose settings a step uses", async () => {
    const agent = await ok("POST", "agents", { name: "Seller", toolBindings: ["orders.get"] });
    const { id } = await publish(looping({ agent: agent.slug }));
    expect(await granted(id)).toEqual(["orders.read"]);
    expect(await granted(agent.runsWorkflowId)).toEqual(["orders.read"]);
    await ok("PUT", `agents/${agent.id}`, { toolBindings: ["orders.get", "system.events.list"] });
    expect(await granted(id)).toEqual(["orders.read"]);
    expect(await report(id)).toMatchObject({ missing: [{ permission: "events.read", steps: ["go.tools"] }] });
  });

  it("grows with an agent only when a person who may do more publishes it again, its settings unchanged", async () => {
    const reads = await publish(READS_EVENTS);
    const agent = await ok("POST", "agents", { name: "Regranted", workflowId: reads.id }, editor);
    const path = `agents/${agent.id}/versions`;
    const [first] = await ok("GET", path);
    expect(first.granted).toEqual([]);
    expect(await ok("GET", `${path}/${first.id}/grant`)).toEqual({
      granted: [],
      missing: [{ permission: "events.read", steps: ["go"], roles: ["Owner", "Admin"] }],
      computed: [],
      beyond: [],
    });
    // A save of the same settings, or a new name, adds nothing.
    expect((await ok("PUT", `agents/${agent.id}`, { name: "Renamed", workflowId: reads.id })).version).toBe(1);
    expect((await ok("POST", `${path}/${first.id}/restore`, {}, editor)).version).toBe(1);
    expect((await ok("POST", `${path}/${first.id}/restore`, {})).version).toBe(2);
    const [second] = await ok("GET", path);
    expect(second).toMatchObject({ granted: ["events.read"], description: "Published again" });
    const said = await ok("POST", `agents/${agent.slug}/invoke`, { message: "Go" });
    const status = async () => (await ok("GET", `agent-workflow-executions/${said.run.id}`)).status;
    await expect.poll(status, { interval: 10 }).toBe("completed");
  });

  it("is what steps and tools can use at all where a step chooses only when it runs, and the report says so", async () => {
    const { id } = await publish(looping({ tools: "$.trigger.tools" }));
    const stored = await granted(id);
    expect(stored).toEqual(expect.arrayContaining(["config.update", "events.read", "orders.refund"]));
    expect(stored).not.toContain("executions.override");
    expect(stored).not.toContain("users.update");
    expect(await report(id)).toEqual({ granted: [], missing: [], computed: ["go.tools"], beyond: stored });
    const ofEditor = await granted((await publish(looping({ tools: "$.trigger.tools" }), editor)).id);
    expect(ofEditor).toContain("orders.refund");
    expect(ofEditor).not.toContain("events.read");
  });

  it.each([
    ["a computed workflow", one({ src: "core.callWorkflow", input: { workflow: "$.trigger.workflow" } })],
    ["a computed agent", one({ src: "agent.subagent", input: { agent: "{{ $.trigger.agent }}", message: "Go" } })],
    ["the tools of the agent that runs it", looping({})],
    ["a run that it starts", one({ src: "agents-workflow.agentWorkflows.execute", input: { id: "1", input: {} } })],
  ])("names the step that chooses %s", async (_what, definition) => {
    const { id } = await publish(definition);
    expect(await report(id)).toMatchObject({ computed: [expect.stringMatching(/^go/)] });
    expect(await granted(id)).toContain("events.read");
  });

  it("is of a tested draft what the draft needs and the person who saved it may do", async () => {
    const { id } = await publish(one({ src: "core.log", input: { message: "x" } }));
    const draft = { definition: looping({ tools: ["orders.get", "system.events.list"] }), baseVersion: 1, revision: 0 };
    await ok("PUT", `agent-workflows/${id}/draft`, draft, editor);
    await ok("POST", `agent-workflows/${id}/draft/execute`, { input: {} });
    const rows = await oven.db.query(
      "select granted from agent_workflow_versions where agent_workflow_id = $1 and version = -1",
      [id],
    );
    expect(rows).toEqual([{ granted: ["orders.read"] }]);
  });

  it("gets from a change of its settings alone only what that change needs", async () => {
    const definition: JsonObject = {
      agentConfig: { tools: ["orders.get"] },
      initial: "read",
      states: {
        read: { invoke: { src: "system.events.list", onDone: "go" } },
        go: { invoke: { src: "agent.toolLoop", input: { prompt: "Go" }, onDone: "done" } },
        done: END,
      },
    };
    const { id } = await publish(definition, editor);
    expect(await granted(id)).toEqual(["orders.read"]);
    await ok("PUT", `agent-workflows/${id}`, { agentConfig: { tools: ["orders.get", "ai.usage.list"] } });
    expect(await granted(id)).toEqual(["ai-usage.read", "orders.read"]);
    await ok("PUT", `agent-workflows/${id}`, { name: `Renamed ${number}` });
    expect(await granted(id)).toEqual(["ai-usage.read", "orders.read"]);
  });

  it("stays as it was where more was stored earlier, and the report shows all of it", async () => {
    const { id } = await publish(READS_EVENTS);
    await oven.db.query("update agent_workflow_versions set granted = '{*}' where agent_workflow_id = $1", [id]);
    expect(await report(id)).toEqual({ granted: ["events.read"], missing: [], computed: [], beyond: ["*"] });
    expect((await ok("PUT", `agent-workflows/${id}`, { definition: READS_EVENTS })).version).toBe(1);
    expect(await run(id)).toMatchObject({ status: "completed" });
  });
});
