import type { Principal } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { newClientName, OpenCalls, SESSION_HEADER, sessionOf } from "./open-calls.ts";

const principal: Principal = { kind: "api-key", userId: null, keyId: 7, tenantId: 1, permissions: [] };
const named = (name: string, path = "/api/mcp/one") =>
  new Request(`http://localhost${path}`, { headers: { [SESSION_HEADER]: name } });

describe("calls of clients without a session", () => {
  it("are cancelled by the same client, for the same server and request, while they are open", () => {
    const calls = new OpenCalls();
    const name = newClientName();
    const call = { principal, request: named(name), requestId: 3 };
    const open = calls.begin(call);
    for (const other of [
      { ...call, principal: { ...principal, keyId: 8 } },
      { ...call, request: named(newClientName()) },
      { ...call, request: named(name, "/api/mcp/two") },
      { ...call, requestId: "3" },
      { ...call, requestId: 4 },
    ])
      calls.cancel(other);
    expect(open?.signal.aborted).toBe(false);
    calls.cancel({ ...call, request: named(name) });
    expect(open?.signal.aborted).toBe(true);
    open?.end();
    expect(calls.size).toBe(0);
    calls.cancel(call);
  });

  it("cannot be named by clients of sessions, nor by those without any name", () => {
    const calls = new OpenCalls();
    const session = named("5c7f0e4e-3c0f-4b66-9d0f-6a5b1f0a9a11");
    expect(calls.begin({ principal, request: session, requestId: 1 })).toBeUndefined();
    expect(
      calls.begin({ principal, request: new Request("http://localhost/api/mcp/one"), requestId: 1 }),
    ).toBeUndefined();
    expect([sessionOf(session), sessionOf(named(newClientName()))]).toEqual([
      "5c7f0e4e-3c0f-4b66-9d0f-6a5b1f0a9a11",
      undefined,
    ]);
  });
});
