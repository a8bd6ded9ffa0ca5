import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Database } from "@oven/db";
import { createTestPglite } from "@oven/db/testing";
import { installedModules } from "@oven/installation";
import { createRuntime, type Runtime } from "@oven/module-registry";
import { afterAll, beforeAll, expect, it } from "vitest";
import { evalCommand, evaluate } from "./eval.command.ts";
import { callsOf, type InstallationApi } from "./installation-api.ts";

const KEY = "a-key-of-the-tests-0123456789";
let db: Database;
let runtime: Runtime;
let api: InstallationApi;
const folder = mkdtempSync(join(tmpdir(), "oven-eval-"));

beforeAll(async () => {
  db = await createTestPglite();
  const environment = {
    ...{ publicUrl: "http://localhost:3000", dataDir: "unused", demo: true, production: false, outboundAllow: [] },
    ...{ bootstrapApiKey: KEY },
    secret: "a-secret-of-the-tests-0123456789-abcdef",
  };
  runtime = await createRuntime({ db, modules: installedModules({ demo: true }), environment });
  api = { call: callsOf(runtime), close: async () => undefined };
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await runtime.stop();
  await db.close();
});

async function run(dataset: string, { failUnder = 1, json = false, start = {} } = {}) {
  let said = "";
  const code = await evaluate(api, { dataset, failUnder, json, start: { mode: "live", ...start } }, (text) => {
    said += text;
  });
  return { code, said };
}

it("runs the demo's dataset and prints what each case came to", async () => {
  const { code, said } = await run("order-triage");
  expect(code).toBe(0);
  expect(said).toMatch(/^passed +A parcel that is late +1\.00 +\d+ +\$0\.0000 +\d+ ms$/m);
  expect(said).toContain("3 of 3 passed");
});

it("takes a file in, says why a case failed, and fails under the share asked for", async () => {
  const file = (await api.call("GET", "eval-datasets/order-triage/export")) as { cases: object[] };
  const wrong = {
    name: "Wrong",
    input: { message: "Hi" },
    expectations: [{ type: "exact", path: "$.queue", value: "urgent" }],
  };
  const path = join(folder, "mine.json");
  writeFileSync(path, JSON.stringify({ ...file, slug: "mine", cases: [...file.cases, wrong] }));
  const { code, said } = await run(path);
  expect(code).toBe(1);
  expect(said).toContain('Wrong: exact: Expected "urgent"');
  expect(said).toContain("3 of 4 passed");
  expect((await run(path, { failUnder: 0.75 })).code).toBe(0);
  expect((await run(path, { failUnder: 0.76 })).code).toBe(1);
});

it("records and replays, names what is missing, and prints JSON", async () => {
  await run("order-triage", { start: { mode: "record", recording: "here" } });
  const again = await run("order-triage", { json: true, start: { mode: "replay", recording: "here" } });
  expect(again.code).toBe(0);
  const said = JSON.parse(again.said);
  expect(said.run).toMatchObject({ mode: "replay", passed: 3 });
  expect(said.results).toHaveLength(3);
  const missing = await run("order-triage", { start: { mode: "replay", recording: "nowhere" } });
  expect(missing.code).toBe(1);
  expect(missing.said).toContain("RECORDING_MISSING: The recording nowhere has no answer to this request");
});

it("refuses what it does not understand before anything is opened", async () => {
  const call = (...args: string[]) => evalCommand.run(args, () => undefined);
  await expect(call()).rejects.toThrow("usage: pnpm oven eval");
  await expect(call("a", "--mode", "maybe")).rejects.toThrow("--mode: use one of live, record, replay");
  await expect(call("a", "--version", "x")).rejects.toThrow("--version: x is not a number");
  await expect(run("nothing-here")).rejects.toThrow(/does not exist/);
});

it("works at a server, with a key, and says what the server refused", async () => {
  const server = createServer(async (incoming, answer) => {
    const { method = "GET", url, headers } = incoming;
    const body = method === "GET" ? {} : { body: await text(incoming) };
    const sent = { authorization: headers.authorization ?? "", "content-type": "application/json" };
    const reply = await runtime.fetch(new Request(`http://localhost:3000${url}`, { method, headers: sent, ...body }));
    answer.writeHead(reply.status).end(await reply.text());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // cast: it listens on a port
  const call = (...args: string[]) => {
    let said = "";
    const write = (more: string) => {
      said += more;
    };
    return evalCommand
      .run(["order-triage", "--url", `http://127.0.0.1:${port}/`, ...args], write)
      .then((code) => ({ code, said }));
  };
  try {
    const { code, said } = await call("--key", KEY, "--concurrency", "1", "--target", "order-triage", "--version", "1");
    expect([code, said]).toEqual([0, expect.stringContaining("3 of 3 passed")]);
    await expect(call("--key", "wrong")).rejects.toThrow("UNAUTHENTICATED: ");
    await expect(call("--key", KEY, "--version", "9")).rejects.toThrow("NOT_FOUND: ");
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
