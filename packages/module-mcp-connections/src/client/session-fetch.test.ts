import type { OutboundService } from "@oven/module-registry";
import { expect, it } from "vitest";
import { createSessionFetch } from "./session-fetch.ts";

const both = { accept: "application/json, text/event-stream", "content-type": "application/json" };
const call = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "do", arguments: {} } });
const notification = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });

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
  const outbound: OutboundService = {
    fetch: async (_url, options) => {
      asked = options;
      return new Response(null, { status: 202 });
    },
    addressesOf: async () => [],
  };
  const serverUrl = "https://mcp.example.com/mcp";
  const limits = { timeoutMs: 1_000, maxTotalMs: 10_000, maxBytes: 1_000 };
  const sessionFetch = createSessionFetch({
    outbound,
    tenantId: 1,
    serverUrl,
    allow: [],
    ...limits,
    watch: () => () => undefined,
  });
  await sessionFetch(serverUrl, init);
  expect(asked).toMatchObject({ timeoutMs: silence, maxTotalMs: 20_000 });
});
