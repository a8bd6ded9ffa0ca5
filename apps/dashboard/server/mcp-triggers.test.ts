import type { TriggerDelivery } from "@oven/contract/trigger";
import { installedModules } from "@oven/installation";
import { TEST_KEY, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectLegacy, MCP_CLIENTS } from "./testing/mcp-clients.ts";
import { type McpEndpoint, openMcpEndpoint } from "./testing/mcp-endpoint.ts";

const claims = {
  initial: "note",
  payloadSchema: {
    type: "object",
    properties: { order: { type: "integer" }, source: { type: "string" } },
    required: ["order"],
  },
  states: {
    note: { invoke: { src: "core.transform", input: { mapping: { got: "$.trigger" } }, onDone: "done" } },
    done: { type: "final", output: "$.note_output.got" },
  },
};
const asking = {
  initial: "wait",
  states: { wait: { on: { go: "done" } }, done: { type: "final" } },
};
interface Envelope {
  status: string;
  output?: unknown;
  run: { id: number; url: string };
}

describe("a trigger as a tool over MCP", () => {
  let oven: TestOven;
  let endpoint: McpEndpoint;
  let workflowId: number;

  beforeAll(async () => {
    endpoint = await openMcpEndpoint({ modules: installedModules({ demo: false }) });
    oven = endpoint.oven;
    workflowId = (await oven.call("POST", "workflows", { name: "Claims", definition: claims })).body.id;
  });
  afterAll(() => endpoint.close());

  const urlOf = (id: number) => endpoint.urlOf(`triggers/${id}`);
  async function make(body: object = {}): Promise<number> {
    const target = { kind: "workflow", workflowId };
    const made = await oven.call("POST", "triggers", { type: "mcp", name: "File a claim", target, ...body });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    return made.body.id;
  }
  async function deliveries(triggerId: number): Promise<TriggerDelivery[]> {
    const filter = encodeURIComponent(JSON.stringify({ triggerId }));
    return (await oven.call("GET", `trigger-deliveries?filter=${filter}&sort=["id","ASC"]`)).body;
  }
  const runs = async () => (await oven.db.query("select id from workflow_executions")).length;

  describe.each(MCP_CLIENTS)("%s", (_name, connect) => {
    it("finds the workflow's own schema, calls it, and is answered with the run; the call is a delivery", async () => {
      const id = await make({ config: { description: "Files a claim." } });
      const client = await connect(urlOf(id), TEST_KEY);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(["file_a_claim", "get_run", "answer_review", "cancel_run"]);
      expect(tools[0]).toMatchObject({
        description: expect.stringMatching(/^Files a claim\./),
        inputSchema: claims.payloadSchema,
      });
      const answer = await client.callTool({ name: "file_a_claim", arguments: { order: 8841 } });
      const envelope = answer.structuredContent as Envelope; // cast: the tool's output schema
      expect(envelope).toMatchObject({ status: "completed", output: { order: 8841 } });
      expect(envelope.run.url).toContain(`/workflow-executions/${envelope.run.id}/show`);
      expect(await deliveries(id)).toMatchObject([
        {
          decision: "started",
          payload: { order: 8841 },
          executionKind: "workflow",
          executionId: envelope.run.id,
        },
      ]);
      const later = await client.callTool({ name: "get_run", arguments: { id: envelope.run.id } });
      expect(later.structuredContent).toMatchObject({ status: "completed" });
      await client.close();
    });

    it("starts one run for calls with one idempotency key, and refuses the key with other arguments", async () => {
      const id = await make();
      const client = await connect(urlOf(id), TEST_KEY);
      const call = async (order: number, key: string) =>
        client.callTool({ name: "file_a_claim", arguments: { order }, _meta: { "oven/idempotencyKey": key } });
      const answers = await Promise.all([call(1, "a"), call(1, "a"), call(1, "b")]);
      const [one, again, other] = answers.map(({ structuredContent }) => (structuredContent as Envelope).run.id); // cast: as above
      expect(again).toBe(one);
      expect(other).not.toBe(one);
      const reused = await call(2, "a");
      expect(reused.isError).toBe(true);
      expect(JSON.stringify(reused.content)).toContain("DELIVERY_ID_REUSED");
      expect((await deliveries(id)).map(({ decision }) => decision)).toEqual(["started", "started", "refused"]);
      await client.close();
    });

    it("answers arguments that do not fit with what is wrong; nothing starts, and one row says so", async () => {
      const id = await make();
      const client = await connect(urlOf(id), TEST_KEY);
      const before = await runs();
      const refused = await client.callTool({ name: "file_a_claim", arguments: { order: "many" } });
      expect(refused.isError).toBe(true);
      expect(JSON.stringify(refused.content)).toContain("INVALID_INPUT");
      expect(JSON.stringify(refused.content)).toContain("$.order");
      expect(await runs()).toBe(before);
      expect(await deliveries(id)).toMatchObject([
        { decision: "refused", reason: expect.stringMatching(/^INVALID_INPUT: \$\.order/), executionId: null },
      ]);
      await client.close();
    });
  });

  it("computes the input and decides by the filter, like any trigger", async () => {
    const id = await make({
      config: { tool: "claim", inputSchema: { properties: { number: { type: "integer" } }, required: ["number"] } },
      filter: { type: "condition", params: { key: "$.number", operator: ">", value: 100 } },
      input: { order: "$.number", source: "assistant" },
    });
    const client = await connectLegacy(urlOf(id), TEST_KEY);
    expect((await client.listTools()).tools[0]).toMatchObject({ name: "claim", inputSchema: { required: ["number"] } });
    const taken = await client.callTool({ name: "claim", arguments: { number: 101 } });
    expect(taken.structuredContent).toMatchObject({ output: { order: 101, source: "assistant" } });
    const before = await runs();
    const filtered = await client.callTool({ name: "claim", arguments: { number: 7 } });
    expect(filtered.isError).toBe(true);
    expect(JSON.stringify(filtered.content)).toContain("The filter said no");
    expect(await runs()).toBe(before);
    expect((await deliveries(id)).map(({ decision }) => decision)).toEqual(["started", "filtered"]);
    await client.close();
  });

  it("keeps what must wait for an earlier run, and answers the same call with its run once that has ended", async () => {
    const { body: waiting } = await oven.call("POST", "workflows", { name: "Waits", definition: asking });
    const id = await make({ target: { kind: "workflow", workflowId: waiting.id }, overlap: "queue" });
    const client = await connectLegacy(urlOf(id), TEST_KEY);
    const call = (key: string) =>
      client.callTool({ name: "file_a_claim", arguments: {}, _meta: { "oven/idempotencyKey": key } });
    const first = (await call("one")).structuredContent as Envelope; // cast: the tool's output schema
    const second = await call("two");
    expect(second.isError).toBe(true);
    expect(JSON.stringify(second.content)).toContain("DELIVERY_NOT_STARTED");
    await oven.call("POST", `workflow-executions/${first.run.id}/events`, { event: "go" });
    await expect
      .poll(async () => (await deliveries(id)).map(({ decision }) => decision))
      .toEqual(["started", "started"]);
    const again = (await call("two")).structuredContent as Envelope; // cast: as above
    expect(again.run.id).toBe((await deliveries(id))[1]?.executionId);
    await client.close();
  });

  it("logs a call to a switched-off trigger as skipped", async () => {
    const id = await make();
    await oven.call("PUT", `triggers/${id}`, { enabled: false });
    const client = await connectLegacy(urlOf(id), TEST_KEY);
    const refused = await client.callTool({ name: "file_a_claim", arguments: { order: 1 } });
    expect(JSON.stringify(refused.content)).toContain("TRIGGER_DISABLED");
    expect(await deliveries(id)).toMatchObject([{ decision: "skipped", executionId: null }]);
    await client.close();
  });

  it("shows a client the runs that its own calls began, and none of another client", async () => {
    const id = await make();
    const keyOf = async (name: string) =>
      (await oven.call("POST", "api-keys", { name, permissions: ["triggers.fire"] })).body.key;
    const mine = await connectLegacy(urlOf(id), await keyOf("mine"));
    const theirs = await connectLegacy(urlOf(id), await keyOf("theirs"));
    const begun = (await mine.callTool({ name: "file_a_claim", arguments: { order: 5 } }))
      .structuredContent as Envelope; // cast: as above
    const ask = { name: "get_run", arguments: { id: begun.run.id } };
    expect((await mine.callTool(ask)).structuredContent).toMatchObject({ status: "completed" });
    expect(JSON.stringify((await theirs.callTool(ask)).content)).toContain("NOT_FOUND");
    await Promise.all([mine.close(), theirs.close()]);
  });

  it("is there for those who may fire it, in their tenant and for their workflows only, and for no trigger of another kind", async () => {
    const id = await make();
    const post = (key: string | undefined, trigger: number) =>
      fetch(urlOf(trigger), {
        method: "POST",
        headers: {
          accept: "application/json, text/event-stream",
          "content-type": "application/json",
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
      });
    const anonymous = await post(undefined, id);
    expect(anonymous.status).toBe(401);
    expect(anonymous.headers.get("www-authenticate")).toContain("Bearer");
    const { body: reader } = await oven.call("POST", "api-keys", { name: "reads", permissions: ["triggers.read"] });
    expect((await post(reader.key, id)).status).toBe(403);
    const { body: other } = await oven.call("POST", "workflows", { name: "Other", definition: asking });
    const bound = { name: "bound", permissions: ["*"], workflows: [`workflow:${other.id}`] };
    const { body: elsewhere } = await oven.call("POST", "api-keys", bound);
    expect((await post(elsewhere.key, id)).status).toBe(404);
    const { body: manual } = await oven.call("POST", "triggers", {
      type: "manual",
      name: "By hand",
      target: { kind: "workflow", workflowId },
    });
    expect((await post(TEST_KEY, manual.id)).status).toBe(404);
  });

  it.each([
    ["the name of a tool that follows runs", { tool: "get_run" }, "$.config.tool"],
    ["arguments that are no object", { inputSchema: { type: "string" } }, "$.config.inputSchema.type"],
    [
      "a pattern that could not be checked in time",
      { inputSchema: { properties: { name: { type: "string", pattern: "(?=x)" } } } },
      "$.config.inputSchema.properties.name.pattern",
    ],
  ])("is not saved with %s", async (_name, config, path) => {
    const target = { kind: "workflow", workflowId };
    const refused = await oven.call("POST", "triggers", { type: "mcp", name: "Odd", target, config });
    expect(refused.status).toBe(400);
    expect(refused.body.error).toMatchObject({ code: "INVALID_TRIGGER", path });
  });
});
