import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { OutsideServer } from "@oven/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type ConnectedOven, startConnectedOven } from "../connections/testing/connected-oven.ts";
import { type Methods, startRawServer } from "../connections/testing/raw-server.ts";

const script = fileURLToPath(new URL("../stdio/testing/echo-server.ts", import.meta.url));
const operatorFile = join(mkdtempSync(join(tmpdir(), "oven-mcp-file-")), "servers.json");
const sse = { "content-type": "text/event-stream" };

describe("a server that is killed in the middle of a call", () => {
  let oven: ConnectedOven;
  let made = 0;
  const allow: string[] = [];
  const servers: OutsideServer[] = [];

  beforeAll(async () => {
    writeFileSync(
      operatorFile,
      JSON.stringify({ servers: [{ name: "child", command: process.execPath, args: [script] }] }),
    );
    oven = await startConnectedOven([], { allow, serversFile: operatorFile });
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });
  afterAll(() => oven.stop());

  const row = async (id: number) => (await oven.call("GET", `mcp-connections/${id}`)).body;
  const runOf = async (id: number) => (await oven.call("GET", `agent-workflow-executions/${id}`)).body;
  const asked = async (run: number) =>
    (await oven.call("GET", `reviews?filter={"executionId":${run},"status":"open"}`)).body;

  async function connect(call: NonNullable<Methods["tools/call"]>, approval: object = {}) {
    const server = await startRawServer({ "tools/call": call });
    servers.push(server);
    allow.push(server.origin);
    const name = `server-${++made}`;
    const { body } = await oven.call("POST", "mcp-connections", { name, url: server.url });
    await oven.approveAll(body.id, approval);
    return { id: body.id as number, tool: `mcp.${name}.do`, server };
  }
  async function start(tool: string, more: object = {}) {
    const invoke = { src: "mcp.callTool", input: { tool }, onDone: "done", ...more };
    const definition = {
      initial: "call",
      states: { call: { invoke }, done: { type: "final", output: "$.call_output.text" } },
    };
    const { body } = await oven.call("POST", "agent-workflows", { name: `Lost ${++made}`, definition });
    return (await oven.call("POST", `agent-workflows/${body.id}/execute?wait=30`, { input: {} })).body;
  }
  const kill = () => {
    const [server] = servers.splice(0);
    setImmediate(() => void server?.close());
    return undefined;
  };

  it.each<[string, NonNullable<Methods["tools/call"]>]>([
    ["before it answers anything", kill],
    [
      "with an answer that is no HTTP",
      (_rpc, raw) => {
        raw.socket?.end("nonsense\r\n\r\n");
        return undefined;
      },
    ],
    [
      "while its answer comes",
      (_rpc, raw) => {
        raw.writeHead(200, { "content-type": "application/json" }).write('{"jsonrpc":');
        return kill();
      },
    ],
    [
      "while it streams",
      (_rpc, raw) => {
        raw.writeHead(200, sse).write(": on it\n\n");
        return kill();
      },
    ],
    [
      "while it streams what could be resumed",
      (_rpc, raw) => {
        raw.writeHead(200, sse).write("retry: 10\nid: 1\ndata: \n\n");
        return kill();
      },
    ],
    [
      "and ends its stream before the answer",
      (_rpc, raw) => {
        raw.writeHead(200, sse).end(": sorry\n\n");
        return undefined;
      },
    ],
    ["behind a gateway, which says so", () => new Response("bad gateway", { status: 502 })],
  ])("%s: the call may have happened, and a person says whether it did", async (_name, call) => {
    const { id, tool } = await connect(call);
    const run = await start(tool);
    expect(run, JSON.stringify(run.errorInfo)).toMatchObject({ status: "paused" });
    const [review] = await asked(run.id);
    expect(review).toMatchObject({
      title: "Did call happen?",
      actions: ["rerun", "supply", "fail"],
      context: { reason: expect.stringContaining("was lost; the call may have happened") },
    });
    expect(await row(id)).toMatchObject({ status: "failing", lastError: expect.stringContaining("may have happened") });
    await oven.call("POST", `reviews/${review.id}/decide`, { action: "supply", data: { text: "it did" } });
    await expect.poll(async () => (await runOf(run.id)).status).toBe("completed");
    expect((await runOf(run.id)).output).toBe("it did");
  });

  it("that a model made: a person says what it answered, and the model goes on with that", async () => {
    const { tool } = await connect(kill);
    oven.model.enqueue({ toolCalls: [{ name: tool.replaceAll(".", "_"), arguments: {} }] }, { text: "good" });
    const run = await oven.run([tool]);
    expect(run.status, JSON.stringify(run.errorInfo)).toBe("paused");
    const [review] = await asked(run.id);
    await oven.call("POST", `reviews/${review.id}/decide`, { action: "supply", data: { text: "paid twice" } });
    await expect.poll(async () => (await runOf(run.id)).status).toBe("completed");
    expect(JSON.stringify(oven.model.requests.at(-1)?.body.messages)).toContain("paid twice");
  });

  it("of a tool that may be repeated: nobody is asked, and it is called again", async () => {
    let times = 0;
    const { tool } = await connect(
      (_rpc, raw) => {
        if (++times > 1) return { content: [{ type: "text", text: "the second time" }] };
        raw.destroy();
        return undefined;
      },
      { effect: "idempotent" },
    );
    oven.model.enqueue({ toolCalls: [{ name: tool.replaceAll(".", "_"), arguments: {} }] }, { text: "good" });
    const run = await oven.run([tool]);
    expect(run.status, JSON.stringify(run.errorInfo)).toBe("completed");
    expect(times).toBe(2);
    expect(JSON.stringify(oven.model.requests.at(-1)?.body.messages)).toContain("the second time");
    // The step without a model acts at most once whatever the tool says, and fails where the tool may be repeated.
    times = 0;
    expect(await start(tool)).toMatchObject({ status: "failed", errorInfo: { code: "MCP_CALL_LOST" } });
  });

  it("as a child process: told apart from one that takes too long, and begun anew for the next run", async () => {
    const [{ id }] = (await oven.call("GET", 'mcp-connections?filter={"name":"child"}')).body;
    await oven.call("POST", `mcp-connections/${id}/refresh`);
    await oven.approveAll(id);
    const run = await start("mcp.child.leave");
    const [review] = await asked(run.id);
    expect(review).toMatchObject({ title: "Did call happen?" });
    await oven.call("POST", `reviews/${review.id}/decide`, { action: "fail" });
    await expect.poll(async () => (await runOf(run.id)).status).toBe("failed");
    expect(await start("mcp.child.pid")).toMatchObject({ status: "completed", output: expect.stringMatching(/^\d+$/) });
  });

  it("before the call is sent: it did not happen, and nobody is asked", async () => {
    const { id, tool, server } = await connect(kill);
    await server.close();
    servers.length = 0;
    const run = await start(tool);
    expect(run).toMatchObject({ status: "failed" });
    expect(run.errorInfo.code).toMatch(/OUTBOUND_UNREACHABLE|MCP_CONNECTION_FAILED/);
    expect(await asked(run.id)).toEqual([]);
    expect((await row(id)).status).toBe("failing");
  });
});
