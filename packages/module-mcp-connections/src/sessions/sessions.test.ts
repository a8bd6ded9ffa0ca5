import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { OutsideServer } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type ConnectedOven, startConnectedOven } from "../connections/testing/connected-oven.ts";
import { startMcpServer } from "../connections/testing/mcp-server.ts";

const script = fileURLToPath(new URL("../stdio/testing/browser-server.ts", import.meta.url));
const operatorFile = join(mkdtempSync(join(tmpdir(), "oven-mcp-file-")), "servers.json");

describe("sessions", () => {
  let server: OutsideServer & { sessions: Map<string, unknown> };
  let oven: ConnectedOven;
  let begun = 0;
  let made = 0;

  beforeAll(async () => {
    server = await startMcpServer(
      (mcp) => {
        begun++;
        let page = "blank";
        mcp.registerTool("open", { inputSchema: z.object({ page: z.string() }) }, async (input) => {
          page = input.page;
          return { content: [{ type: "text", text: page }] };
        });
        mcp.registerTool("look", { inputSchema: z.object({}) }, async () => ({
          content: [{ type: "text", text: page }],
        }));
      },
      { eras: "legacy" },
    );
    writeFileSync(
      operatorFile,
      JSON.stringify({ servers: [{ name: "stdio", command: process.execPath, args: [script] }] }),
    );
    oven = await startConnectedOven([], { allow: [server.origin], serversFile: operatorFile });
    await oven.connect("http", server);
    const [stdio] = (await oven.call("GET", 'mcp-connections?filter={"transport":"stdio"}')).body;
    await oven.call("POST", `mcp-connections/${stdio.id}/refresh`);
    await oven.approveAll(stdio.id);
  });
  afterAll(async () => {
    await oven.stop();
    await server.close();
  });

  const look = (of: string) => ({ src: "mcp.callTool", input: { tool: `mcp.${of}.look` } });
  const open = (of: string, page = "$.page") => ({
    src: "mcp.callTool",
    input: { tool: `mcp.${of}.open`, arguments: { page } },
  });
  async function create(states: object, more: object = {}): Promise<number> {
    const definition = { initial: Object.keys(states)[0], states, ...more };
    const workflow = await oven.call("POST", "agent-workflows", { name: `Sessions ${++made}`, definition });
    expect(workflow.status, JSON.stringify(workflow.body)).toBe(201);
    return workflow.body.id;
  }
  async function start(id: number, page: string, query = "?wait=30") {
    return (await oven.call("POST", `agent-workflows/${id}/execute${query}`, { input: { page } })).body;
  }
  const twoCalls = (of: string) =>
    create({
      open: { invoke: { ...open(of), onDone: "look" } },
      look: { invoke: { ...look(of), onDone: "done" } },
      done: { type: "final", output: "$.look_output.text" },
    });

  it.each(["http", "stdio"])("over %s: two calls of a run share one, and two runs never do", async (of) => {
    const id = await twoCalls(of);
    const runs = await Promise.all([start(id, "mine"), start(id, "yours")]);
    expect(runs.map(({ status, output }) => [status, output])).toEqual([
      ["completed", "mine"],
      ["completed", "yours"],
    ]);
    const only = await create({
      look: { invoke: { ...look(of), onDone: "done" } },
      done: { type: "final", output: "$.look_output.text" },
    });
    expect((await start(only, "")).output).toBe("blank");
    await expect.poll(() => server.sessions.size).toBe(0);
  });

  it("are shared by calls of a run that are made at once", async () => {
    const before = begun;
    const calls = [1, 2, 3].map(() => ({ name: "mcp_http_look", arguments: {} }));
    oven.model.enqueue({ toolCalls: calls }, { text: "ok" });
    expect((await oven.run(["mcp.http.look"])).status).toBe("completed");
    expect(begun).toBe(before + 1);
  });

  it("of runs inside a run are those of the run at the top", async () => {
    const inner = await create({
      look: { invoke: { ...look("http"), onDone: "done" } },
      done: { type: "final", output: "$.look_output.text" },
    });
    const call = { src: "core.callWorkflow", input: { workflow: inner, kind: "agent-workflow" } };
    const outer = await create({
      open: { invoke: { ...open("http"), onDone: "inside" } },
      inside: { invoke: { ...call, onDone: "again" } },
      again: { invoke: { ...look("http"), onDone: "done" } },
      done: { type: "final", output: "{{$.inside_output.output}} {{$.again_output.text}}" },
    });
    const before = begun;
    expect((await start(outer, "outer")).output).toBe("outer outer");
    expect(begun).toBe(before + 1);
  });

  it("of a conversation go on from one message to the next, and no other conversation sees them", async () => {
    const agent = await oven.call("POST", "agents", {
      slug: "browser",
      name: "Browser",
      model: "openai:house-model",
      toolBindings: ["mcp.http.*"],
    });
    expect(agent.status, JSON.stringify(agent.body)).toBe(201);
    const say = async (sessionId?: number) => {
      const { status, body } = await oven.call("POST", "agents/browser/invoke", { message: "go", sessionId });
      expect(status, JSON.stringify(body)).toBe(200);
      return body;
    };
    const seen = () => JSON.stringify(oven.model.requests.at(-1)?.body.messages);
    oven.model.enqueue({ toolCalls: [{ name: "mcp_http_open", arguments: { page: "talk" } }] }, { text: "ok" });
    const { sessionId } = await say();
    oven.model.enqueue({ toolCalls: [{ name: "mcp_http_look", arguments: {} }] }, { text: "ok" });
    await say(sessionId);
    expect(seen()).toContain("talk");
    oven.model.enqueue({ toolCalls: [{ name: "mcp_http_look", arguments: {} }] }, { text: "ok" });
    await say();
    expect(seen()).toContain("blank");
    expect(seen()).not.toContain("talk");
  });

  it("are as many as the connection says: the next run waits, and is refused when none ends in time", async () => {
    const id = await oven.connect("few", server, { maxSessions: 1, sessionWaitMs: 0 });
    const holds = await create({
      open: { invoke: { ...open("few"), onDone: "wait" } },
      wait: { invoke: { src: "agent.humanReview", input: { show: "x" }, onDone: "done" } },
      done: { type: "final" },
    });
    const held = await start(holds, "held");
    expect(held.status).toBe("paused");
    const wants = await twoCalls("few");
    expect((await start(wants, "late")).errorInfo).toMatchObject({
      code: "MCP_SESSIONS_FULL",
      message: expect.stringContaining("1 sessions open"),
    });
    // What is open was opened with the settings of before; with the new ones the next waits for it to end.
    await oven.call("PUT", `mcp-connections/${id}`, { sessionWaitMs: 60_000 });
    const waiting = start(wants, "late");
    await expect
      .poll(async () => (await oven.call("GET", 'agent-workflow-executions?filter={"status":"running"}')).body.length)
      .toBe(1);
    await oven.call("POST", `agent-workflow-executions/${held.id}/cancel`, {});
    expect(await waiting).toMatchObject({ status: "completed", output: "late" });
  });

  it("end when they have been idle, and the next call begins a new one", async () => {
    await oven.connect("idle", server, { sessionIdleMs: 1_000 });
    const id = await create({
      open: { invoke: { ...open("idle"), onDone: "wait" } },
      wait: { invoke: { src: "agent.humanReview", input: { show: "x" }, onDone: "look" } },
      look: { invoke: { ...look("idle"), onDone: "done" } },
      done: { type: "final", output: "$.look_output.text" },
    });
    // Those of the two conversations stay.
    await expect.poll(() => server.sessions.size, { timeout: 20_000 }).toBe(2);
    const run = await start(id, "held?");
    expect(run.status).toBe("paused");
    await expect.poll(() => server.sessions.size, { timeout: 20_000 }).toBe(2);
    const [review] = (await oven.call("GET", `reviews?filter={"executionId":${run.id}}`)).body;
    await oven.call("POST", `reviews/${review.id}/decide`, { action: "approve" });
    const detail = async () => (await oven.call("GET", `agent-workflow-executions/${run.id}`)).body;
    await expect.poll(async () => (await detail()).status).toBe("completed");
    expect((await detail()).output).toBe("blank");
    const log = await (await oven.fetch(`agent-workflow-executions/${run.id}/events`)).text();
    expect(log.match(/idle: a session was begun/g)).toHaveLength(2);
  });

  it("of child processes work in an empty directory of their own, which goes with them", async () => {
    const id = await create({
      where: { invoke: { src: "mcp.callTool", input: { tool: "mcp.stdio.where" }, onDone: "done" } },
      done: { type: "final", output: "$.where_output.text" },
    });
    const [one, other] = await Promise.all([start(id, ""), start(id, "")]);
    const [place, files] = one.output.split(" ");
    expect([files, place.startsWith(process.cwd())]).toEqual(["0", false]);
    expect(other.output).not.toBe(one.output);
    await expect.poll(() => existsSync(place)).toBe(false);
  });
});
