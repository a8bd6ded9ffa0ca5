import { InMemoryTransport, type JSONRPCMessage } from "@modelcontextprotocol/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openSession, type ServerSession } from "./server-session.ts";

const TOOL = {
  name: "do",
  title: null,
  description: "",
  inputSchema: { type: "object" },
  outputSchema: null,
  hints: {},
};

interface Call {
  id: string | number;
  params: { _meta?: { progressToken?: string | number } };
}

describe("a call that reports progress", () => {
  let server: InMemoryTransport;
  let session: ServerSession;
  let called: Promise<Call>;
  let cancelled: string[];

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"] });
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    server = theirs;
    cancelled = [];
    called = new Promise((resolve) => {
      server.onmessage = (message: JSONRPCMessage) => {
        if (!("method" in message)) return;
        if (message.method === "notifications/cancelled") cancelled.push(message.method);
        if (!("id" in message)) return;
        const { id, method } = message;
        if (method === "tools/call")
          resolve(message as unknown as Call); // cast: what the client sends
        else if (method === "initialize")
          void server.send({
            jsonrpc: "2.0",
            id,
            result: {
              protocolVersion: "2025-11-25",
              capabilities: { tools: {} },
              serverInfo: { name: "s", version: "1" },
            },
          });
        else void server.send({ jsonrpc: "2.0", id, error: { code: -32601, message: "no such method" } });
      };
    });
    await server.start();
    const { signal } = new AbortController();
    session = await openSession({ name: "slow", transport: ours, timeoutMs: 1_000, maxTotalMs: 3_000, signal });
  });
  afterEach(async () => {
    await session.close();
    vi.useRealTimers();
  });

  const progress = async (token: string | number, value: number) => {
    await server.send({
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progressToken: token, progress: value },
    });
    // The client hands notifications on in a later turn.
    await new Promise((resolve) => setImmediate(resolve));
  };
  const start = async (limits: { timeoutMs?: number; maxTotalMs?: number } = {}) => {
    const answer = session.callTool({ tool: TOOL, arguments: {}, ...limits }).then(
      (given) => given,
      (error: unknown) => error,
    );
    const { id, params } = await called;
    const token = params._meta?.progressToken;
    if (token === undefined) throw new Error("no progress was asked for");
    return { answer, id, token };
  };

  it("is not cut while progress comes", async () => {
    const { answer, id, token } = await start();
    for (const value of [1, 2, 3]) {
      vi.advanceTimersByTime(900);
      await progress(token, value);
    }
    await server.send({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "done" }] } });
    expect(await answer).toMatchObject({ type: "result", result: { content: [{ text: "done" }] } });
  });

  it("is cut after a silence, and the server is told", async () => {
    const { answer, token } = await start();
    vi.advanceTimersByTime(900);
    await progress(token, 1);
    vi.advanceTimersByTime(1_000);
    expect(await answer).toMatchObject({ code: "TOOL_TIMEOUT", message: "slow was silent for 1000 ms (timeoutMs)" });
    expect(cancelled).toHaveLength(1);
  });

  it("is cut when the whole takes too long, at that time and not at the next silence", async () => {
    const { answer, token } = await start();
    for (const value of [1, 2, 3]) {
      vi.advanceTimersByTime(900);
      await progress(token, value);
    }
    vi.advanceTimersByTime(300);
    expect(await answer).toMatchObject({
      code: "TOOL_TIMEOUT",
      message: "slow did not complete the call within 3000 ms (maxTotalMs)",
    });
    expect(cancelled).toHaveLength(1);
  });

  it("has the limits of the call where it has its own", async () => {
    const { answer } = await start({ timeoutMs: 5_000, maxTotalMs: 2_000 });
    vi.advanceTimersByTime(1_999);
    expect(await Promise.race([answer, new Promise((resolve) => setImmediate(resolve, "open"))])).toBe("open");
    vi.advanceTimersByTime(1);
    expect(await answer).toMatchObject({ message: "slow did not complete the call within 2000 ms (maxTotalMs)" });
  });
});
