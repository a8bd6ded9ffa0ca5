import { McpServer } from "@modelcontextprotocol/server";
import type { Principal } from "@oven/contract";
import { afterEach, expect, it } from "vitest";
import { McpSessions } from "./mcp-sessions.ts";

const URL = "http://localhost/api/mcp/any";
const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: { elicitation: {} },
    clientInfo: { name: "raw", version: "1.0.0" },
  },
};
let now = 0;
let sessions = new McpSessions(() => now);
let closed = 0;

afterEach(async () => {
  await sessions.close();
  sessions = new McpSessions(() => now);
});

const principal = (userId: number): Principal => ({ kind: "user", userId, tenantId: 1, permissions: ["*"] });

async function send(body: object, userId: number, session?: string): Promise<Response | undefined> {
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...(session === undefined ? {} : { "mcp-session-id": session }),
  };
  return sessions.serve({
    request: new Request(URL, { method: "POST", headers, body: JSON.stringify(body) }),
    parsedBody: body,
    principal: principal(userId),
    server: "any 1",
    bodyLimit: 1_000_000,
    createServer: () => {
      const server = new McpServer({ name: "any", version: "1.0.0" });
      server.server.onclose = () => {
        closed++;
      };
      return server;
    },
  });
}
const begin = async (userId: number) => (await send(INITIALIZE, userId))?.headers.get("mcp-session-id") ?? "";
const ping = async (userId: number, session: string) =>
  (await send({ jsonrpc: "2.0", id: 2, method: "ping" }, userId, session))?.status;

it("keeps twenty sessions of one caller: the next ends the one that was unused for longest, and nobody else's", async () => {
  const other = await begin(2);
  const own: string[] = [];
  for (let count = 0; count < 20; count++) {
    now++;
    own.push(await begin(1));
  }
  now++;
  expect(await ping(1, own[0] ?? "")).toBe(200);
  await begin(1);
  expect(await ping(1, own[0] ?? "")).toBe(200);
  expect(await ping(1, own[1] ?? "")).toBe(404);
  expect(await ping(2, other)).toBe(200);
  expect(sessions.size).toBe(21);
});

it("ends sessions after half an hour of silence, and all of them when it is closed", async () => {
  const idle = await begin(1);
  now += 29 * 60_000;
  const used = await begin(1);
  now += 2 * 60_000;
  closed = 0;
  await sessions.sweep();
  expect(closed).toBe(1);
  expect(await ping(1, idle)).toBe(404);
  expect(await ping(1, used)).toBe(200);
  await sessions.close();
  expect(closed).toBe(2);
  expect(sessions.size).toBe(0);
});
