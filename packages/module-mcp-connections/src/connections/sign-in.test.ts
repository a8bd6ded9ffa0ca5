import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { createTestPglite } from "@oven/db/testing";
import type { TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { type AuthorizationServer, startAuthorizationServer } from "./testing/authorization-server.ts";
import { type ConnectedOven, startConnectedOven } from "./testing/connected-oven.ts";

describe("signing in at a server", () => {
  let server: AuthorizationServer;
  let db: TestOven["db"];
  let oven: ConnectedOven;

  beforeAll(async () => {
    const { fetch } = createMcpHandler(() => {
      const mcp = new McpServer({ name: "guarded", version: "1" });
      mcp.registerTool("peek", { inputSchema: z.object({}) }, async () => ({
        content: [{ type: "text", text: "seen" }],
      }));
      return mcp;
    });
    server = await startAuthorizationServer((request) => fetch(request));
    db = await createTestPglite();
    oven = await startConnectedOven([], { allow: [server.origin], db, freshMs: 0 });
  });
  afterAll(async () => {
    await oven.stop();
    await db.close();
    await server.close();
  });

  const show = async (id: number) => (await oven.call("GET", `mcp-connections/${id}`)).body;
  /** As a person who agrees: where the server's page sends the browser back to. */
  async function agree(page: string): Promise<string> {
    const answer = await fetch(page, { redirect: "manual" });
    const back = new URL(answer.headers.get("location") ?? "");
    expect(back.origin + back.pathname).toBe("http://localhost:3000/api/mcp-connections/sign-in");
    return `mcp-connections/sign-in${back.search}`;
  }
  const begin = async (id: number) =>
    (await oven.call("POST", `mcp-connections/${id}/authorize`)).body.url as string | null;
  const comeBack = (path: string) => oven.fetch(path);

  it("a person agrees at the server's page, and the tools are there; tokens are nowhere to be read", async () => {
    const { body } = await oven.call("POST", "mcp-connections", {
      name: "guarded",
      url: server.url,
      auth: { type: "oauth" },
    });
    expect(body).toMatchObject({ status: "sign-in", tools: { waiting: 0 } });
    const page = await begin(body.id);
    expect(page).toContain("code_challenge_method=S256");
    const path = await agree(page ?? "");
    const back = await comeBack(path);
    expect(back.status, await back.clone().text()).toBe(303);
    expect(back.headers.get("location")).toBe(`http://localhost:3000/mcp-connections/${body.id}/show`);
    expect(await show(body.id)).toMatchObject({ status: "ok", tools: { waiting: 1 } });
    expect(server.registered).toContain("OVEN");
    expect(await begin(body.id)).toBeNull();
    const kept = JSON.stringify(await db.query("select * from mcp_credentials")) + JSON.stringify(await show(body.id));
    expect(kept).not.toContain("token-");
    expect(kept).not.toContain("refresh-");
    // Whoever comes with the same answer once more, or with one that nobody asked for, gets nothing.
    for (const other of [
      path,
      "mcp-connections/sign-in?code=x&state=1.made-up",
      "mcp-connections/sign-in?code=x&state=x",
    ])
      expect((await comeBack(other)).status, other).toBeGreaterThanOrEqual(400);
    // Taken back: it says so, and another sign-in heals it.
    server.revoke();
    await oven.call("POST", `mcp-connections/${body.id}/refresh`);
    expect((await show(body.id)).status).toBe("sign-in");
    const anew = await agree((await begin(body.id)) ?? "");
    // Another administrator is not signed in with what they did not begin.
    const { body: other } = await oven.call("POST", "api-keys", { name: "other", permissions: ["*"] });
    expect((await oven.fetch(anew, { headers: { authorization: `Bearer ${other.key}` } })).status).toBe(422);
    vi.useFakeTimers({ toFake: ["Date"] });
    vi.setSystemTime(Date.now() + 3_600_001);
    const late = await comeBack(anew);
    vi.useRealTimers();
    expect([late.status, await late.text()]).toEqual([422, expect.stringContaining("more than an hour")]);
    expect((await comeBack(await agree((await begin(body.id)) ?? ""))).status).toBe(303);
    expect((await show(body.id)).status).toBe("ok");
    // What one server was told is not another's.
    await oven.call("PUT", `mcp-connections/${body.id}`, { url: `${server.origin}/other` });
    expect(await db.query("select * from mcp_credentials where connection_id = $1", [body.id])).toEqual([]);
  });

  it("client credentials need nobody; their secret goes to the host it is bound to", async () => {
    const auth = { type: "client-credentials", clientId: "machine", clientSecret: "machine-secret" };
    await oven.call("POST", "secrets", {
      name: "machine-secret",
      value: "s3cret-0123456789",
      hosts: ["elsewhere.example"],
    });
    const { body } = await oven.call("POST", "mcp-connections", { name: "machine", url: server.url, auth });
    expect(body).toMatchObject({ status: "failing", lastError: expect.stringContaining("is not sent to") });
    const [secret] = (await oven.call("GET", 'secrets?filter={"name":"machine-secret"}')).body;
    await oven.call("PUT", `secrets/${secret.id}`, { hosts: [new URL(server.url).host] });
    await oven.call("POST", `mcp-connections/${body.id}/refresh`);
    expect(await show(body.id)).toMatchObject({ status: "ok", lastError: null });
    const last = server.exchanges.at(-1);
    expect(last?.params.get("grant_type")).toBe("client_credentials");
    expect(last?.params.get("client_secret")).toBeNull();
    expect(last?.authorization).toBe(`Basic ${btoa("machine:s3cret-0123456789")}`);
  });
});
