import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createTestPostgres, freePort } from "@oven/db/testing";
import { afterEach, expect, inject, it } from "vitest";
import { KEY } from "./oven-process.ts";

const DASHBOARD = resolve(import.meta.dirname, "..");
let host: ChildProcess | undefined;
let drop: (() => Promise<void>) | undefined;

afterEach(async () => {
  if (host !== undefined && host.exitCode === null) {
    const ended = once(host, "exit");
    host.kill("SIGKILL");
    await ended;
  }
  await drop?.();
});

/** Next's own command, in the application's folder. */
function next(args: string[], env: Record<string, string>, stdout: "ignore" | "pipe"): ChildProcess {
  const path = join(DASHBOARD, "node_modules/next/dist/bin/next");
  return spawn(process.execPath, [path, ...args], {
    cwd: DASHBOARD,
    stdio: ["ignore", stdout, "inherit"],
    env: { ...process.env, ...env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
  });
}

it("a plain Next host serves /api, pages and their files, and leaves the runs to workers", async () => {
  const database = await createTestPostgres(inject("postgresUrl"));
  drop = database.drop;
  const port = await freePort();
  const [code] = await once(next(["build"], {}, "ignore"), "close");
  expect(code).toBe(0);
  const env = {
    DATABASE_URL: database.url,
    OVEN_DATA_DIR: mkdtempSync(join(tmpdir(), "oven-e2e-")),
    OVEN_BOOTSTRAP_API_KEY: KEY,
  };
  host = next(["start", "-p", String(port), "-H", "127.0.0.1"], env, "pipe");
  let output = "";
  for await (const chunk of host.stdout ?? []) {
    output += String(chunk);
    if (output.includes("Ready")) break;
  }
  const call = (path: string, body?: object) =>
    fetch(`http://127.0.0.1:${port}/api/${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  expect(await (await call("health")).json()).toMatchObject({ status: "ok", database: "postgres" });
  const metadata = await fetch(`http://127.0.0.1:${port}/.well-known/oauth-authorization-server`);
  expect([metadata.status, await metadata.json()]).toEqual([
    200,
    expect.objectContaining({ issuer: expect.any(String), token_endpoint: expect.any(String) }),
  ]);
  const run = await call("agent-workflows/support-reply/execute?wait=1", { input: { message: "Where is 8841?" } });
  expect([run.status, await run.json()]).toEqual([202, expect.objectContaining({ status: "pending" })]);
  for (const [path, title] of [
    ["agent-workflows", "OVEN"],
    ["forms/a-token", "Form"],
  ]) {
    const page = await fetch(`http://127.0.0.1:${port}/${path}`);
    expect(page.headers.get("content-security-policy")).toContain("'strict-dynamic'");
    const text = await page.text();
    expect(text).toContain(`<title>${title}</title>`);
    const [, script] = /src="(\/assets\/[^"]+\.js)"/.exec(text) ?? [];
    const file = await fetch(`http://127.0.0.1:${port}${script}`);
    expect([file.status, file.headers.get("cache-control")]).toEqual([200, "public, max-age=31536000, immutable"]);
  }
  expect((await fetch(`http://127.0.0.1:${port}/assets/none.js`)).status).toBe(404);
});
