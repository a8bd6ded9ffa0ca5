import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { connectDatabase } from "@oven/db";
import { createTestPostgres } from "@oven/db/testing";
import { setGlobalRuntime } from "@oven/module-registry/global";
import { afterEach, describe, expect, inject, it, vi } from "vitest";
import { openServerless } from "./serverless.ts";

const DASHBOARD = resolve(import.meta.dirname, "..");
const ROUTE = join(DASHBOARD, "app/api/[...path]/route.ts");

describe("the catch-all route of a host without our server", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    vi.resetModules();
    setGlobalRuntime(undefined);
  });

  async function ask(path: string): Promise<{ status: number; body: unknown }> {
    vi.spyOn(process, "cwd").mockReturnValue(DASHBOARD);
    const route: { GET(request: Request): Promise<Response> } = await import(ROUTE);
    const response = await route.GET(new Request(`http://localhost:3000/api/${path}`));
    return { status: response.status, body: await response.json() };
  }

  it("imports nothing of ours, so that the bundler makes no second engine of it", () => {
    const imports = [...readFileSync(ROUTE, "utf8").matchAll(/^import .* from "(.+)";$/gm)].map(([, from]) => from);
    expect(imports.length).toBeGreaterThan(0);
    expect(imports.filter((from) => !from?.startsWith("node:"))).toEqual([]);
  });

  it("hands on to the runtime there is, and makes none", async () => {
    vi.stubEnv("DATABASE_URL", "postgres://nobody@127.0.0.1:1/none");
    setGlobalRuntime({ fetch: async () => Response.json({ status: "here" }) });
    expect(await ask("health")).toEqual({ status: 200, body: { status: "here" } });
  });

  it("says what is missing without a database, and tries again with the next request", async () => {
    vi.stubEnv("DATABASE_URL", undefined);
    expect(await ask("health")).toMatchObject({ status: 503, body: { error: { code: "RUNTIME_MISSING" } } });
    vi.stubEnv("DATABASE_URL", "postgres://nobody@127.0.0.1:1/none");
    vi.stubEnv("OVEN_SECRET", "s".repeat(32));
    expect(await ask("health")).toMatchObject({ status: 503, body: { error: { code: "DATABASE_UNREACHABLE" } } });
  });

  it("opens one runtime, which answers and leaves the work to others", async () => {
    const { url, drop } = await createTestPostgres(inject("postgresUrl"));
    vi.stubEnv("OVEN_SECRET", "s".repeat(32));
    vi.stubEnv("OVEN_WORKER", "1");
    const oven = await openServerless({ ...process.env, DATABASE_URL: url, OVEN_TRUSTED_PROXIES: "10.0.0.0/8" });
    const response = await oven.runtime.fetch(new Request("http://localhost:3000/api/health"));
    expect(response.status).toBe(200);
    // Made known, so that the route finds it.
    expect(await ask("health")).toMatchObject({ status: 200 });
    // The host appends the peer; what a client claims stands left of it.
    const headers = { "content-type": "application/json", "x-forwarded-for": "6.6.6.6, 8.8.8.8, 10.0.0.1" };
    const sent = { method: "POST", headers, body: JSON.stringify({ email: "olga@example.com" }) };
    await oven.runtime.fetch(new Request("http://localhost:3000/api/auth/sign-in/email", sent));
    const db = await connectDatabase({ url, dataDir: "unused" });
    expect(await db.query("select address from audit_log")).toEqual([{ address: "8.8.8.8" }]);
    await db.close();
    await oven.close();
    await drop();
  });
});
