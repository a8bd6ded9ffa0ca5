import { type McpConnection, UpdateMcpConnectionSchema } from "@oven/contract/mcp";
import { expect, it } from "vitest";
import { NEW_CONNECTION, toBody, toDraft, toTest } from "./connection-draft.ts";

const row = {
  name: "shop",
  title: null,
  url: "https://mcp.example.com/mcp",
  auth: { type: "client-credentials", clientId: "me", clientSecret: "token" },
  timeoutMs: 30_000,
  maxTotalMs: 900_000,
  maxBytes: 1_048_576,
  callsPerMinute: 60,
  callsPerDay: 100,
  maxSessions: 4,
  sessionWaitMs: 1_500,
  sessionIdleMs: 90_000,
  enabled: false,
} as McpConnection; // cast: the fields that a form has

it("gives back what it was made from", () => {
  const body = toBody(toDraft(row));
  expect(body).toEqual({ ...row });
  expect(UpdateMcpConnectionSchema.safeParse(body).success).toBe(true);
});

it("sends only what its way to sign in has", () => {
  const draft = { ...NEW_CONNECTION, url: " https://x.example/ ", secret: "left over", clientId: "me" };
  expect(toTest(draft)).toEqual({ url: "https://x.example/", auth: { type: "none" } });
  expect(toTest({ ...draft, auth: "oauth" })).toMatchObject({ auth: { type: "oauth", clientId: "me" } });
  expect(toBody(draft)).toMatchObject({ callsPerDay: null, timeoutMs: 60_000, maxBytes: 4_194_304 });
});
