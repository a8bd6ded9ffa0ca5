import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createTestPostgres } from "@oven/db/testing";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { freePort } from "./oven-process.ts";

const DASHBOARD = resolve(import.meta.dirname, "..");
const NEXT = resolve(DASHBOARD, "node_modules/next/dist/bin/next");

/** Without our server: Next's own, as on a host for Next.js applications. */
function next(args: string[], env: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, [NEXT, ...args], {
    cwd: DASHBOARD,
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, ...env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
  });
}

describe("a host that runs the dashboard as a Next.js application", () => {
  let server: ChildProcess;
  let url: string;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    const [code] = await once(next(["build"]), "close");
    expect(code).toBe(0);
    const postgres = await createTestPostgres(inject("postgresUrl"));
    drop = postgres.drop;
    const port = await freePort();
    url = `http://localhost:${port}`;
    server = next(["start", "--port", String(port)], { DATABASE_URL: postgres.url, OVEN_SECRET: "s".repeat(32) });
    await vi.waitUntil(
      () =>
        fetch(url).then(
          ({ ok }) => ok,
          () => false,
        ),
      { timeout: 120_000, interval: 200 },
    );
  });

  afterAll(async () => {
    server.kill("SIGTERM");
    await once(server, "close");
    await drop();
  });

  it("serves the API", async () => {
    const health = await fetch(`${url}/api/health`);
    expect([health.status, await health.json()]).toEqual([200, expect.objectContaining({ status: "ok" })]);
    expect((await fetch(`${url}/api/agent-workflows`)).status).toBe(401);
  });

  it("serves the pages with their policy, and their files", async () => {
    for (const [path, title] of [
      ["/agent-workflows", "OVEN"],
      ["/forms/a-token", "Form"],
    ]) {
      const page = await fetch(`${url}${path}`);
      expect(page.headers.get("content-security-policy")).toContain("'strict-dynamic'");
      const text = await page.text();
      expect(text).toContain(`<title>${title}</title>`);
      const [, script] = /src="(\/assets\/[^"]+\.js)"/.exec(text) ?? [];
      const file = await fetch(`${url}${script}`);
      expect([file.status, file.headers.get("cache-control")]).toEqual([200, "public, max-age=31536000, immutable"]);
    }
    expect((await fetch(`${url}/assets/none.js`)).status).toBe(404);
  });
});
