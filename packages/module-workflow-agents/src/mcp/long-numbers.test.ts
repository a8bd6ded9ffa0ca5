import { longNumber } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentOven, startAgentOven } from "../agents/testing/agent-oven.ts";

const LONG = "7615917337495251231";
const id = longNumber(LONG);

describe("a number that would be changed, in the call of an MCP client", () => {
  let oven: AgentOven;
  beforeAll(async () => {
    oven = await startAgentOven([]);
    const properties = { plain: { type: "integer" }, long: { type: "integer", format: "int64" }, any: {} };
    const { status, body } = await oven.call("POST", "agent-workflows", {
      name: "Takes ids",
      slug: "takes-ids",
      mcpExport: true,
      definition: {
        payloadSchema: { type: "object", properties },
        initial: "done",
        states: { done: { type: "final", output: "$.trigger" } },
      },
    });
    expect(status, JSON.stringify(body)).toBe(201);
  });
  afterAll(() => oven.stop());

  async function call(server: string, params: object) {
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const body = JSON.stringify({ jsonrpc: "2.0", id: "call-7", method: "tools/call", params });
    const text = await (await oven.fetch(`mcp/${server}`, { method: "POST", headers, body })).text();
    return JSON.parse(text.replace(/^[\s\S]*?^data: /m, ""));
  }
  const runs = async () => (await oven.call("GET", "agent-workflow-executions")).body.length;

  it.each([
    ["plain", "$.params.arguments.plain"],
    ["any", "$.params.arguments.any"],
  ])("is refused with its place before anything is started: %s", async (key, path) => {
    const before = await runs();
    const answer = await call("takes-ids", { name: "takes_ids", arguments: { [key]: id } });
    expect(answer).toMatchObject({
      id: "call-7",
      error: {
        code: -32602,
        message: expect.stringContaining(`${LONG} at ${path}`),
        data: { code: "NUMBER_NOT_EXACT", path },
      },
    });
    expect(answer.error.message).toContain("Send it as text");
    expect(await runs()).toBe(before);
  });

  it("stays as text where the tool takes such", async () => {
    const { result } = await call("takes-ids", { name: "takes_ids", arguments: { long: id } });
    expect(result.structuredContent).toMatchObject({ status: "completed", output: { long: LONG } });
  });

  it("is refused by the platform's own server, also beside the arguments", async () => {
    const asked = { name: "get_run", arguments: { run_id: id } };
    expect((await call("oven", asked)).error).toMatchObject({ data: { path: "$.params.arguments.run_id" } });
    const meta = { name: "list_agent_workflows", arguments: {}, _meta: { note: id } };
    expect((await call("oven", meta)).error).toMatchObject({ data: { path: "$.params._meta.note" } });
  });
});
