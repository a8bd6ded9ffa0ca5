import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { createHttpServer } from "../../../apps/dashboard/server/http-server.ts";
import type { McpHarness } from "./mcp-calls.ts";
import { callTool, type McpTarget } from "./mcp-wire.ts";

const WARM_UP = 50;
const WordSchema = z.object({ word: z.string() });

export interface McpLatency {
  /** Medians, in milliseconds. */
  echoMs: number;
  workflowMs: number;
  /** The same run over REST: what is left is what MCP takes. */
  restMs: number;
}

/** A call of a workflow of one node, beside one of the SDK's own server that only echoes, one after the other. */
export async function compareWithEcho(harness: McpHarness, calls: number): Promise<McpLatency> {
  const echo = await startEcho();
  const echoMs = await medianOf(calls, (id) => call({ url: echo.url, key: "none" }, id));
  await echo.stop();
  const workflowMs = await medianOf(calls, (id) => call(harness.target("echo"), id));
  const body = { input: { word: "bread" } };
  const restMs = await medianOf(calls, () => harness.server.call("POST", "agent-workflows/echo/execute?wait=10", body));
  return { echoMs, workflowMs, restMs };
}

async function startEcho(): Promise<{ url: string; stop(): Promise<void> }> {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "echo", version: "1.0.0" });
    server.registerTool(
      "echo",
      { description: "Says what it hears", inputSchema: WordSchema, outputSchema: WordSchema },
      (heard) => ({ content: [{ type: "text", text: JSON.stringify(heard) }], structuredContent: heard }),
    );
    return server;
  });
  const http = createHttpServer(
    (request) => handler.fetch(request),
    () => undefined,
  );
  http.server.listen(0, "127.0.0.1");
  await once(http.server, "listening");
  const { port } = http.server.address() as AddressInfo; // cast: it listens on TCP
  return { url: `http://127.0.0.1:${port}/api/mcp`, stop: () => http.close() };
}

async function call(target: McpTarget, id: number): Promise<void> {
  const { result } = await callTool(target, id, "echo", { word: "bread" });
  if (result === undefined || result.isError === true) throw new Error(`a call failed: ${JSON.stringify(result)}`);
}

async function medianOf(calls: number, work: (id: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let id = 0; id < calls + WARM_UP; id++) {
    const startedAt = performance.now();
    await work(id);
    if (id >= WARM_UP) times.push(performance.now() - startedAt);
  }
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
}
