import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createTestPostgres } from "@oven/db/testing";
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

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

it("the built dashboard serves /api in a plain Next host, and leaves the runs to workers", async () => {
  const database = await createTestPostgres(inject("postgresUrl"));
  drop = database.drop;
  const port = await freePort();
  const next = join(DASHBOARD, "node_modules/next/dist/bin/next");
  host = spawn(process.execPath, [next, "start", "-p", String(port), "-H", "127.0.0.1"], {
    cwd: DASHBOARD,
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...process.env,
      NODE_ENV: "production",
      NEXT_TELEMETRY_DISABLED: "1",
      DATABASE_URL: database.url,
      OVEN_DATA_DIR: mkdtempSync(join(tmpdir(), "oven-e2e-")),
      OVEN_BOOTSTRAP_API_KEY: KEY,
    },
  });
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
});
