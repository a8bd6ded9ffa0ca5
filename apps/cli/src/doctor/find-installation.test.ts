import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectDatabase, type Database } from "@oven/db";
import { createTestPglite, createTestPostgres } from "@oven/db/testing";
import { installedModules } from "@oven/installation";
import { readDatabaseSettings } from "@oven/installation/environment";
import { secretFingerprint } from "@oven/module-registry";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { findAround, findWithin } from "./find-installation.ts";
import { findClock, findPooler } from "./find-place.ts";
import type { Finding } from "./finding.ts";

const SECRET = "a-secret-of-the-installation-0123456789";

let folder: string;
let db: Database;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "oven-diagnosis-"));
  db = await createTestPglite();
});
afterAll(async () => {
  await db.close();
  rmSync(folder, { recursive: true });
});

const environment = (variables: Record<string, string>, secret?: string) => ({
  ...readDatabaseSettings({ OVEN_DATA_DIR: folder, ...variables }),
  variables,
  secret,
});
const shown = (findings: readonly Finding[]) =>
  findings.map(({ kind, name, problem }) => `${kind} ${name}: ${problem}`);
const around = async (variables: Record<string, string>) => shown(await findAround(db, environment(variables)));
const within = (secret?: string, variables = {}) =>
  findWithin(db, installedModules({ demo: true }), environment(variables, secret));

it("finds settings that nothing reads, and a proxy that is not trusted", async () => {
  const declared = { OVEN_DEMO: "1", OVEN_BACKUP_HOURS: "3", OVEN_SQL_URL_7: "postgres://a/b", OVEN_API_KEY: "k" };
  expect(await around({ ...declared, OTHER: "1" })).toEqual([]);
  const wrong = { OVEN_TRUSTED_PROXY: "10.0.0.1", OVEN_WORKERS: "2", OVEN_NEVER_HEARD_OF: "1" };
  const findings = await findAround(db, environment({ ...wrong, OVEN_PUBLIC_URL: "https://oven.example" }));
  expect(findings.map(({ name, fix }) => `${name}: ${fix}`)).toEqual([
    "OVEN_NEVER_HEARD_OF: Unset it; README lists the settings.",
    "OVEN_TRUSTED_PROXY: Unset it; README lists the settings.",
    "OVEN_WORKERS: Write OVEN_WORKER, or unset it.",
    "OVEN_TRUSTED_PROXIES: Set it to the addresses of the proxies.",
  ]);
  expect(await around({ OVEN_PUBLIC_URL: "https://oven.example", OVEN_TRUSTED_PROXIES: "10.0.0.1" })).toEqual([]);
});

it("finds files that other users may read", async () => {
  const secret = join(folder, "secret");
  writeFileSync(secret, SECRET, { mode: 0o600 });
  expect(await around({})).toEqual([]);
  chmodSync(secret, 0o640);
  expect(await around({})).toEqual([`file mode ${folder}: other users of this machine may read ${secret}`]);
  rmSync(secret);
});

it("finds scheduled backups that are missing or too old", async () => {
  const to = join(folder, "backups");
  const variables = { OVEN_BACKUP_TO: to, OVEN_BACKUP_HOURS: "1" };
  expect(await around(variables)).toEqual([`backups in ${to}: there is none`]);
  mkdirSync(to);
  writeFileSync(join(to, "oven-20261101T000000Z.backup"), "");
  expect(await around(variables)).toEqual([`backups in ${to}: the newest is of 2026-11-01T00:00:00.000Z`]);
  const now = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
  writeFileSync(join(to, `oven-${now}Z.backup`), "");
  expect(await around(variables)).toEqual([]);
});

it("finds that the secret is missing, or that another one sealed what is stored", async () => {
  const insert = "insert into secrets (tenant_id, name, hosts, key_id, sealed) values (1, $1, '{}', $2, 'x')";
  expect((await within()).findings).toEqual([]);
  await db.query(insert, ["one", secretFingerprint(SECRET)]);
  await db.query(insert, ["two", secretFingerprint("t".repeat(32))]);
  expect(shown((await within()).findings)).toEqual([
    expect.stringContaining("secret OVEN_SECRET: it is not set and not in the data directory: 2 stored credentials"),
  ]);
  const fingerprint = secretFingerprint("t".repeat(32));
  expect(shown((await within(SECRET)).findings)).toEqual([
    `secret OVEN_SECRET: 1 of 2 stored credentials were sealed with another one (fingerprint ${fingerprint})`,
  ]);
  expect((await within(SECRET, { OVEN_SECRET_PREVIOUS: "t".repeat(32) })).findings).toEqual([]);
  await db.query("delete from secrets");
});

it("finds deliveries that were given up lately, and notes runs that no worker has", async () => {
  await db.query(
    `insert into outbox_deliveries (event_id, listener, tenant_id, last_error, failed_at)
     values (1, 'a', 1, 'older', now() - interval '8 days'), (2, 'a', 1, 'first', now() - interval '2 days'), (3, 'a', 1, 'no answer', now())`,
  );
  expect(shown((await within(SECRET)).findings)).toEqual([
    "deliveries of events: 2 were given up in the last 7 days, the last one: no answer",
  ]);
  expect((await within(SECRET)).notes).toEqual([]);
});

it("notes migrations to come, and finds those of a newer version", async () => {
  const [last] = await db.query<{ hash: string; created_at: number }>(
    "delete from oven_migrations_module_chat where created_at = (select max(created_at) from oven_migrations_module_chat) returning hash, created_at",
  );
  expect((await within(SECRET)).notes).toEqual([
    expect.stringMatching(/^One migration to come at the next start: \d{4}_\w+ of module-chat\.$/),
  ]);
  await db.query("insert into oven_migrations_module_chat (hash, created_at) values ($1, $2), ('newer', $2 + 1000)", [
    last?.hash,
    last?.created_at,
  ]);
  expect(shown((await within(SECRET)).findings)).toContainEqual(
    expect.stringContaining("migrations DATABASE_NEWER: The database has migrations that this OVEN"),
  );
});

it("finds a clock that differs, and a pooler where a session is needed", async () => {
  const { url, drop } = await createTestPostgres(inject("postgresUrl"));
  const postgres = await connectDatabase({ url, dataDir: "unused" });
  expect(await findClock(postgres)).toEqual([]);
  expect(shown(await findClock(postgres, () => Date.now() - 90_000))).toEqual([
    expect.stringMatching(/^clock PostgreSQL: its clock is (90|89)\.\d s ahead of this machine's$/),
  ]);
  expect(await findPooler(postgres)).toEqual([]);
  const pooler = await startPooler(url);
  const pooled = await connectDatabase({ url: pooler.url, dataDir: "unused" });
  expect(shown(await findPooler(pooled))).toEqual([
    expect.stringContaining("pooler DATABASE_URL: a pooler stands between"),
  ]);
  const direct = await connectDatabase({ url: pooler.url, directUrl: url, dataDir: "unused" });
  expect(await findPooler(direct)).toEqual([]);
  for (const one of [postgres, pooled, direct]) await one.close();
  await pooler.close();
  await drop();
});

/** Greets with a process id of its own, as PgBouncer does: the message `K` has it after its length. */
async function startPooler(url: string): Promise<{ url: string; close: () => Promise<void> }> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect({ host: target.hostname, port: Number(target.port) });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy()).on("close", () => [client, upstream].map((one) => one.destroy()));
    }
    client.pipe(upstream);
    upstream.on("data", (data: Buffer) => {
      const at = data.indexOf(Buffer.from("K\0\0\0\x0c", "latin1"));
      if (at !== -1) data.writeInt32BE(data.readInt32BE(at + 5) + 1, at + 5);
      client.write(data);
    });
  });
  await new Promise<void>((done) => {
    server.listen(0, "127.0.0.1", done);
  });
  const address = new URL(url);
  address.host = `127.0.0.1:${(server.address() as AddressInfo).port}`; // cast: it listens on TCP
  return {
    url: address.toString(),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
