import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { connectDatabase, type Database } from "@oven/db";
import { createTestPostgres, fillTestDataDir } from "@oven/db/testing";
import { installedModules } from "@oven/installation";
import { createRuntime } from "@oven/module-registry";
import { startTestOven, TEST_KEY, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { makeBackup } from "./backup.command.ts";
import { moveDatabase } from "./move.command.ts";
import { restoreFile } from "./restore.command.ts";
import { serve } from "./testing/serve.ts";

const SECRET = "a-secret-of-the-installation-0123456789";
const PASSPHRASE = "several words that nobody guesses";
/** Longer than it takes from there to the backup. */
const DELAY_MS = 20_000;
const PATIENCE = { timeout: 120_000, interval: 50 };
const VALUE = "sk-live-0123456789";

let folder: string;
let shop: Server;
let origin: string;
/** What the shop was sent as Authorization. */
const sent: unknown[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "oven-backup-"));
  await writeFile(join(folder, "passphrase"), `${PASSPHRASE}\n`);
  await writeFile(join(folder, "wrong"), "other words that nobody guesses\n");
  shop = createServer((request, response) => {
    sent.push(request.headers.authorization);
    response.end("{}");
  });
  shop.listen(0, "127.0.0.1");
  await once(shop, "listening");
  origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`; // cast: it listens on TCP
});
afterAll(async () => {
  shop.close();
  await rm(folder, { recursive: true });
});

async function start(db: Database): Promise<TestOven> {
  const environment = { secret: SECRET, outboundAllow: [origin] };
  return startTestOven({ createRuntime, modules: installedModules({ demo: true }), db, environment });
}

const flow = (...steps: object[]) => ({
  initial: "s0",
  states: {
    ...Object.fromEntries(
      steps.map((invoke, at) => [
        `s${at}`,
        { invoke: { ...invoke, onDone: at === steps.length - 1 ? "done" : `s${at + 1}` } },
      ]),
    ),
    done: { type: "final" },
  },
});

/** Moves in a process of its own, which ends by SIGKILL once the new database has rows. */
async function killWhileItWrites(url: string, dataDir: string): Promise<void> {
  const oven = join(import.meta.dirname, "oven.ts");
  const move = spawn(process.execPath, [oven, "move", "--to", url], {
    env: { ...process.env, OVEN_DATA_DIR: dataDir },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(move, "exit");
  const target = await connectDatabase({ url, dataDir });
  const hasRows = async (): Promise<boolean> => {
    const [table] = await target.system.query<{ name: string | null }>("select to_regclass('api_keys')::text as name");
    if (table?.name == null) return false;
    return (await target.system.query("select 1 as one from api_keys limit 1")).length > 0;
  };
  while (move.exitCode === null && !(await hasRows())) await nextTurn();
  move.kill("SIGKILL");
  const [, signal] = await ended;
  expect(signal).toBe("SIGKILL");
  await target.close();
}

/** An installation with a run that waits for a person, one that waits for an instant, and the ways in: a key, a webhook, a secret. */
async function fill(oven: TestOven) {
  const make = async (path: string, body: object) => {
    const made = await oven.call("POST", path, body);
    expect(made.status, JSON.stringify(made.body)).toBeLessThan(300);
    return made.body;
  };
  const asks = await make("agent-workflows", {
    name: "Asks",
    definition: flow({ src: "agent.humanReview", input: { title: "Pay?", show: { amount: 5 } } }),
  });
  const waits = await make("workflows", {
    name: "Waits",
    definition: flow({ src: "core.delay", input: { ms: DELAY_MS } }),
  });
  await make("secrets", { name: "shop", value: VALUE, hosts: [origin.slice("http://".length)] });
  const headers = { authorization: { $secret: "shop", prefix: "Bearer " } };
  const calls = await make("workflows", {
    name: "Calls",
    definition: flow({ src: "core.http", input: { url: origin, headers } }),
  });
  const hook = await make("triggers", {
    ...{ type: "webhook", name: "Hook", target: { kind: "workflow", workflowId: calls.id } },
  });
  const { key } = await make("api-keys", { name: "Reader", permissions: ["workflows.read", "workflows.execute"] });
  const paused = await make(`agent-workflows/${asks.id}/execute`, { input: {} });
  const waiting = await make(`workflows/${waits.id}/execute`, { input: {} });
  await vi.waitFor(async () => {
    const { body } = await oven.call("GET", `agent-workflow-executions/${paused.id}`);
    expect(body.status).toBe("paused");
  }, PATIENCE);
  const ended: number[] = [];
  for (let at = 0; at < 5; at++) ended.push((await make(`workflows/${calls.id}/execute`, { input: { at } })).id);
  return { calls, hook, key, paused, waiting, ended };
}

/** What was there goes on, and what starts runs starts them. */
async function expectAlive(
  oven: TestOven,
  { calls, hook, key, paused, waiting, ended }: Awaited<ReturnType<typeof fill>>,
) {
  const statusOf = (kind: string, id: number) => async () => {
    const { body } = await oven.call("GET", `${kind}-executions/${id}`);
    return body.status;
  };
  expect((await oven.call("GET", "workflows", undefined, { key })).status).toBe(200);
  expect((await oven.call("GET", "secrets", undefined, { key })).status).toBe(403);
  const { body: reviews } = await oven.call("GET", `reviews?filter={"executionId":${paused.id}}`);
  const decided = await oven.call("POST", `reviews/${reviews[0].id}/decide`, {
    action: "approve",
    digest: reviews[0].digest,
  });
  expect(decided.status, JSON.stringify(decided.body)).toBe(200);
  await expect.poll(statusOf("agent-workflow", paused.id)).toBe("completed");
  for (const id of [waiting.id, ...ended]) await expect.poll(statusOf("workflow", id)).toBe("completed");
  sent.length = 0;
  const post = await oven.call("POST", `hooks/${hook.token}`, { order: 1 }, { key: null });
  expect(post.status, JSON.stringify(post.body)).toBe(202);
  await expect.poll(() => sent).toEqual([`Bearer ${VALUE}`]);
  const again = await oven.call("POST", `workflows/${calls.id}/execute?wait=20`, { input: {} }, { key });
  expect(again.body.status, JSON.stringify(again.body)).toBe("completed");
  expect(Math.max(...ended)).toBeLessThan(again.body.id);
}

const say = () => {
  let text = "";
  const write = (part: string) => {
    text += part;
  };
  return { write, text: () => text };
};

describe("an embedded installation", () => {
  let dataDir: string;
  let file: string;
  let made: Awaited<ReturnType<typeof fill>>;
  const secretOf = (path: string) => readFile(join(path, "secret"), "utf8");

  beforeAll(async () => {
    dataDir = join(folder, "embedded");
    file = join(folder, "embedded.backup");
    fillTestDataDir(dataDir);
    await writeFile(join(dataDir, "secret"), `${SECRET}\n`, { mode: 0o600 });
    const db = await connectDatabase({ url: undefined, dataDir });
    const oven = await start(db);
    made = await fill(oven);
    const http = await serve((request) => oven.handle(request));
    const said = say();
    const variables = { OVEN_DATA_DIR: dataDir, PORT: String(http.port) };
    const [code] = await Promise.all([
      makeBackup({ ...variables }, { file, passphraseFile: join(folder, "passphrase") }, said.write),
      // Runs go on meanwhile.
      oven.call("POST", `workflows/${made.calls.id}/execute?wait=20`, { input: {} }),
    ]);
    expect(code).toBe(0);
    expect(said.text()).toMatch(/^Wrote .+: \d+ tables, [\d,]+ rows, .+\nThe secret is in it, sealed/m);
    const { body: audited } = await oven.call("GET", 'audit-log?filter={"action":"backup"}');
    expect(audited).toMatchObject([{ actorKind: "system", outcome: "done" }]);

    const other = join(folder, "other.backup");
    const refused = makeBackup({ ...variables, OVEN_SECRET: "x".repeat(32) }, { file: other }, said.write);
    await expect(refused).rejects.toThrow("BACKUP_TOKEN_INVALID");
    for (const key of [TEST_KEY, null])
      expect(await oven.call("POST", "installation/backups", { token: "1.2.3" }, { key })).toMatchObject({
        status: 403,
        body: { error: { code: "BACKUP_TOKEN_INVALID" } },
      });
    expect((await oven.call("GET", 'audit-log?filter={"action":"backup"}')).body).toHaveLength(1);
    // One after the other: each waits for its turn.
    const both = ["first.backup", "second.backup"].map((name) => join(folder, name));
    await Promise.all(both.map((path) => makeBackup({ ...variables }, { file: path }, said.write)));
    await Promise.all(both.map((path) => rm(path)));
    await expect(makeBackup({ ...variables }, { file }, said.write)).rejects.toThrow("is there already");
    await expect(makeBackup({ ...variables, PORT: "1" }, { file: other }, said.write)).rejects.toThrow(
      "does not answer",
    );
    expect(await readdir(folder)).not.toContain("other.backup");
    await http.close();
    await oven.stop();
    await db.close();
  });

  it("leaves nothing behind but the file, which only its user may read and which has no secret in it", async () => {
    expect((await readdir(dataDir)).sort()).toEqual(["pglite", "secret"]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = gunzipSync(await readFile(file)).toString("utf8");
    for (const one of [SECRET, PASSPHRASE, VALUE]) expect(text).not.toContain(one);
  });

  it("goes on after a restore into another data directory, with the secret that the passphrase opens", async () => {
    const target = join(folder, "restored");
    const restore = (more: Record<string, string>, passphraseFile?: string) =>
      restoreFile({ OVEN_DATA_DIR: target, ...more }, { file, passphraseFile }, () => undefined);
    await expect(restore({})).rejects.toMatchObject({ code: "SECRET_MISSING" });
    await expect(restore({ OVEN_SECRET: "x".repeat(32) })).rejects.toMatchObject({ code: "SECRET_OF_ANOTHER" });
    await expect(restore({}, join(folder, "wrong"))).rejects.toMatchObject({ code: "PASSPHRASE_WRONG" });
    expect(existsSync(target)).toBe(false);
    expect(await restore({}, join(folder, "passphrase"))).toBe(0);
    expect(await secretOf(target)).toBe(`${SECRET}\n`);
    expect(statSync(join(target, "secret")).mode & 0o777).toBe(0o600);
    await expect(restore({})).rejects.toMatchObject({ code: "RESTORE_NOT_EMPTY" });
    const db = await connectDatabase({ url: undefined, dataDir: target });
    expect(
      await db.query("select 1 as one from workflow_executions where id = $1 and wake_at is not null", [
        made.waiting.id,
      ]),
    ).toHaveLength(1);
    const oven = await start(db);
    await expectAlive(oven, made);
    await oven.stop();
    await db.close();
  });

  it("goes on after a move to PostgreSQL that was killed, and the old directory is not started by mistake", async () => {
    const { url, drop } = await createTestPostgres(inject("postgresUrl"), { migrated: false });
    await killWhileItWrites(url, dataDir);
    const said = say();
    expect(await moveDatabase({ OVEN_DATA_DIR: dataDir }, url, said.write)).toBe(0);
    expect(said.text()).toMatch(
      /^Moved \d+ tables with [\d,]+ rows; both databases have the same\.\nStart the server/m,
    );
    await expect(connectDatabase({ url: undefined, dataDir })).rejects.toMatchObject({ code: "DATA_DIR_MOVED" });
    expect((await readdir(dataDir)).sort()).toEqual(["moved-to-postgresql", "pglite", "secret"]);
    const db = await connectDatabase({ url, dataDir });
    const oven = await start(db);
    await expectAlive(oven, made);
    await oven.stop();

    // And from there beside the running server, into PostgreSQL again.
    const next = await createTestPostgres(inject("postgresUrl"), { migrated: false });
    const again = join(folder, "postgres.backup");
    const variables = { OVEN_SECRET: SECRET, OVEN_DATA_DIR: dataDir };
    await makeBackup({ ...variables, DATABASE_URL: url }, { file: again }, said.write);
    expect(said.text()).toContain("The secret is not in it");
    await restoreFile({ ...variables, DATABASE_URL: next.url }, { file: again }, said.write);
    const restored = await connectDatabase({ url: next.url, dataDir });
    const rows =
      "select (select count(*)::int from workflow_executions) as runs, (select count(*)::int from run_events) as events";
    expect(await restored.query(rows)).toEqual(await db.query(rows));
    for (const one of [db, restored]) await one.close();
    await drop();
    await next.drop();
  });
});
