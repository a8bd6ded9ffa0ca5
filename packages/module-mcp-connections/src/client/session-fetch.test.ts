import { OvenError } from "@oven/contract";
import type { OutboundService } from "@oven/module-registry";
import { describe, expect, it } from "vitest";
import { createSessionFetch } from "./session-fetch.ts";

const both = { accept: "application/json, text/event-stream", "content-type": "application/json" };
const call = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "do", arguments: {} } });
const notification = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });

const serverUrl = "https://mcp.example.com/mcp";

/** The way to a server that answers this, and why its answers broke off. */
function answering(answer: (options: Parameters<OutboundService["fetch"]>[1]) => Response) {
  const broken: unknown[] = [];
  const sessionFetch = createSessionFetch({
    outbound: { fetch: async (_url, options) => answer(options), addressesOf: async () => [] },
    tenantId: 1,
    serverUrl,
    allow: [],
    ...{ timeoutMs: 1_000, maxTotalMs: 10_000, maxBytes: 1_000 },
    watch: () => (error) => void broken.push(error),
  });
  return { sessionFetch, broken };
}

it.each<[string, RequestInit, number]>([
  [
    "a call, whose silence the client counts: its progress may come over the standing stream",
    { method: "POST", headers: both, body: call },
    20_000,
  ],
  [
    "the standing stream, which is silent while calls take their time",
    { headers: { accept: "text/event-stream" } },
    20_000,
  ],
  ["a notification, which nobody else bounds", { method: "POST", headers: both, body: notification }, 1_000],
  [
    "a request for a token",
    { method: "POST", headers: { accept: "application/json" }, body: new URLSearchParams({ a: "b" }) },
    1_000,
  ],
  ["metadata", { headers: { accept: "application/json" } }, 1_000],
])("%s", async (_what, init, silence) => {
  let asked: Parameters<OutboundService["fetch"]>[1] | undefined;
  const { sessionFetch } = answering((options) => {
    asked = options;
    return new Response(null, { status: 202 });
  });
  await sessionFetch(serverUrl, init);
  expect(asked).toMatchObject({ timeoutMs: silence, maxTotalMs: 20_000 });
});

describe("a stream of events", () => {
  const answer = `data: ${JSON.stringify({ jsonrpc: "2.0", id: 1, result: {} })}\n\n`;
  const answerWith = (stream: string) =>
    answering(() => new Response(stream, { headers: { "content-type": "text/event-stream" } }));

  it.each([
    ["says first where it can be resumed, with empty data", "id: 1\ndata: \n\n"],
    ["has an event of the server's own, whose data is no JSON", "event: ping\ndata: still here\n\n"],
  ])("is read to its answer when it %s", async (_what, first) => {
    const { sessionFetch, broken } = answerWith(`${first}${answer}`);
    const response = await sessionFetch(serverUrl, { method: "POST", headers: both, body: call });
    expect(await response.text()).toBe(`${first}${answer}`);
    expect(broken).toEqual([]);
  });

  it("is broken off when it cannot be resumed: its request has reached the server", async () => {
    const cause = new OvenError("OUTBOUND_UNREACHABLE", "mcp.example.com cannot be reached");
    const { sessionFetch, broken } = answering(() => {
      throw cause;
    });
    const resume = { headers: { accept: "text/event-stream", "last-event-id": "1" } };
    for (let times = 0; times < 2; times++) await expect(sessionFetch(serverUrl, resume)).rejects.toBe(cause);
    expect(broken).toEqual([expect.objectContaining({ name: "AnswerMissing", cause })]);
  });

  it("is broken off when it ends without the answer", async () => {
    const { sessionFetch, broken } = answerWith("event: ping\ndata: still here\n\n");
    await (await sessionFetch(serverUrl, { method: "POST", headers: both, body: call })).text();
    expect(broken).toEqual([expect.objectContaining({ name: "AnswerMissing" })]);
  });
});
