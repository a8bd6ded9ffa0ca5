import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { checkBackup } from "@oven/db/backup";
import { createTestPglite, testDatabases } from "@oven/db/testing";
import { secretFingerprint } from "@oven/module-registry";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openSecret } from "../secret/sealed-secret.ts";
import type { BackupStore } from "./backup-store.ts";
import { readSchedule } from "./backup-variables.ts";
import { openDirectory } from "./directory-store.ts";
import { openBucket } from "./s3-store.ts";
import { ScheduledBackups, type ScheduledBackupsOptions } from "./scheduled-backups.ts";
import { type Bucket, KEY_ID, SECRET_KEY, startBucket } from "./testing/start-bucket.ts";

const SECRET = "a-secret-of-the-installation-0123456789";
const HOUR = 3_600_000;
const START = Date.UTC(2026, 10, 28, 10, 45);

let folder: string;
let bucket: Bucket;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "oven-schedule-"));
  writeFileSync(join(folder, "passphrase"), "several words that nobody guesses\n");
  bucket = await startBucket();
});
afterAll(async () => {
  await bucket.close();
  rmSync(folder, { recursive: true });
});

const BUCKET = {
  OVEN_BACKUP_TO: "s3://backups/oven",
  OVEN_BACKUP_S3_KEY_ID: KEY_ID,
  OVEN_BACKUP_S3_SECRET_KEY: SECRET_KEY,
};

function openTestBucket(firstWaitMs = 1): BackupStore {
  const { to } = readSchedule(BUCKET) ?? {};
  if (to === undefined || "directory" in to) throw new Error("no bucket");
  return openBucket({ ...to.s3, endpoint: bucket.url }, { firstWaitMs });
}

function scheduled(
  db: ScheduledBackupsOptions["deps"]["db"],
  variables: Record<string, string>,
  clock: { now: number },
  store?: BackupStore,
) {
  const schedule = readSchedule(variables);
  if (schedule === undefined) throw new Error("no schedule");
  const environment = { secret: SECRET } as ScheduledBackupsOptions["deps"]["environment"]; // cast: all that it asks
  const { to } = schedule;
  const own = "directory" in to ? openDirectory(to.directory) : openBucket({ ...to.s3, endpoint: bucket.url });
  const now = () => new Date(clock.now);
  return new ScheduledBackups({ deps: { db, environment }, schedule, store: store ?? own, now });
}

it("reads the settings, and says what is missing", () => {
  expect(readSchedule({})).toBeUndefined();
  expect(readSchedule({ OVEN_BACKUP_TO: "/backups" })).toEqual({
    to: { directory: "/backups" },
    ...{ everyMs: 24 * HOUR, count: 7, passphraseFile: undefined },
  });
  const s3 = { endpoint: undefined, bucket: "backups", prefix: "oven/", region: "us-east-1", keyId: KEY_ID };
  expect(readSchedule(BUCKET)?.to).toEqual({ s3: { ...s3, secretKey: SECRET_KEY } });
  expect(() => readSchedule({ OVEN_BACKUP_TO: "s3://backups" })).toThrow("OVEN_BACKUP_S3_KEY_ID");
});

describe.each(testDatabases(inject("postgresUrl")))("a schedule on $name", ({ open }) => {
  it("makes a backup when the newest is old enough, and removes the oldest beyond the number that stays", async () => {
    const { db, close } = await open();
    const to = join(folder, db.dialect);
    const clock = { now: START };
    const passphraseFile = join(folder, "passphrase");
    const variables = {
      ...{ OVEN_BACKUP_TO: to, OVEN_BACKUP_HOURS: "6", OVEN_BACKUP_COUNT: "2" },
      OVEN_BACKUP_PASSPHRASE_FILE: passphraseFile,
    };
    const backups = scheduled(db, variables, clock);
    const first = "oven-20261128T104500Z.backup";
    // Two processes that look at once make one.
    const both = await Promise.all(
      db.dialect === "postgres" ? [backups.look(), scheduled(db, variables, clock).look()] : [backups.look()],
    );
    expect(both.filter((name) => name !== undefined)).toEqual([first]);
    expect(statSync(join(to, first)).mode & 0o777).toBe(0o600);
    const { header } = await checkBackup(join(to, first));
    expect(header.secret.fingerprint).toBe(secretFingerprint(SECRET));
    const { sealed } = header.secret;
    if (sealed === undefined) throw new Error("the secret is not in it");
    expect(await openSecret(sealed, "several words that nobody guesses")).toBe(SECRET);
    writeFileSync(join(to, "notes.txt"), "stays");
    clock.now += 6 * HOUR - 1;
    expect(await backups.look()).toBeUndefined();
    for (const wait of [1, 6 * HOUR]) {
      clock.now += wait;
      expect(await backups.look()).toBeDefined();
    }
    expect(readdirSync(to).sort()).toEqual([
      "notes.txt",
      "oven-20261128T164500Z.backup",
      "oven-20261128T224500Z.backup",
    ]);
    await close();
  });
});

describe("a bucket", () => {
  it("has the same, by signed requests, and nothing of an upload that failed", async () => {
    const db = await createTestPglite();
    const clock = { now: START };
    const backups = scheduled(db, { ...BUCKET, OVEN_BACKUP_HOURS: "1", OVEN_BACKUP_COUNT: "3" }, clock);
    bucket.failNext(1);
    expect(await backups.look()).toBe("oven-20261128T104500Z.backup");
    const [content] = bucket.objects.values();
    const file = join(folder, "from-bucket");
    writeFileSync(file, content ?? "");
    await expect(checkBackup(file)).resolves.toMatchObject({ total: { tables: expect.any(Number) } });
    for (let at = 0; at < 4; at++) {
      clock.now += HOUR;
      expect(await backups.look()).toBeDefined();
    }
    expect([...bucket.objects.keys()].sort()).toEqual([
      "oven/oven-20261128T124500Z.backup",
      "oven/oven-20261128T134500Z.backup",
      "oven/oven-20261128T144500Z.backup",
    ]);
    clock.now += HOUR;
    const wrong = { ...BUCKET, OVEN_BACKUP_S3_SECRET_KEY: "another-secret-key" };
    await expect(scheduled(db, wrong, clock).look()).rejects.toThrow("SignatureDoesNotMatch");
    await db.close();
  });

  it("takes large files in parts, and gives an upload up that breaks off", async () => {
    const store = openTestBucket();
    const chunk = Buffer.alloc(1_048_576, "x");
    await store.write("large & odd", Readable.from(Array.from({ length: 35 }, () => chunk)));
    expect(bucket.objects.get("oven/large & odd")?.length).toBe(35 * chunk.length);
    expect(await store.list()).toContain("large & odd");
    const breaking = Readable.from(
      (async function* broken() {
        for (let at = 0; at < 20; at++) yield chunk;
        expect(bucket.uploads.size).toBe(1);
        throw new Error("broken off");
      })(),
    );
    await expect(store.write("broken", breaking)).rejects.toThrow("broken off");
    expect(bucket.uploads.size).toBe(0);
    expect(bucket.objects.has("oven/broken")).toBe(false);
  });

  it("goes on with the part that was under way when the connection breaks, and is whole when only the answer was lost", async () => {
    const store = openTestBucket();
    const chunk = Buffer.alloc(1_048_576, "y");
    const breaking = Readable.from(
      (async function* breaks() {
        for (let at = 0; at < 35; at++) {
          if (at === 15) bucket.breakNext(2, "before");
          if (at === 31) bucket.breakNext(1, "answer");
          yield chunk;
        }
      })(),
    );
    await store.write("interrupted", breaking);
    expect(bucket.objects.get("oven/interrupted")?.equals(Buffer.alloc(35 * chunk.length, "y"))).toBe(true);
    const losing = Readable.from(
      (async function* loses() {
        yield chunk;
        // After the part comes the end of the upload.
        bucket.breakNext(1, "answer", 1);
      })(),
    );
    await store.write("answer lost", losing);
    expect(bucket.objects.get("oven/answer lost")?.length).toBe(chunk.length);
    expect(bucket.uploads.size).toBe(0);
  });

  it("ends at once when the server stops while the store is away", async () => {
    const store = openTestBucket(3_600_000);
    const stopping = Readable.from(
      (async function* stops() {
        for (let at = 0; at < 17; at++) {
          if (at === 15) bucket.breakNext(1, "before");
          yield Buffer.alloc(1_048_576);
        }
      })(),
    );
    const before = bucket.broken();
    const ended = expect(store.write("stopped", stopping)).rejects.toThrow("the server stops");
    await expect.poll(() => bucket.broken()).toBe(before + 1);
    stopping.destroy(new Error("the server stops"));
    await ended;
    expect(bucket.uploads.size).toBe(0);
  });
});

describe("a backup whose process was killed", () => {
  const KILLED = "oven-20261128T064500Z.backup";
  const PROGRAM = fileURLToPath(new URL("./testing/endless-backup.ts", import.meta.url));
  async function killOnce(place: string[], hasBegun: () => boolean): Promise<void> {
    const child = spawn(process.execPath, [PROGRAM, KILLED, ...place], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    const ended = once(child, "exit");
    await expect.poll(hasBegun, { timeout: 60_000, interval: 20 }).toBe(true);
    child.kill("SIGKILL");
    expect((await ended)[1]).toBe("SIGKILL");
  }

  it("is no backup in a directory, and is removed with the next one", async () => {
    const db = await createTestPglite();
    const to = join(folder, "killed");
    await killOnce(["directory", to], () => existsSync(join(to, `${KILLED}.partial`)));
    writeFileSync(join(to, "other.backup.partial"), "of a command");
    const backups = scheduled(db, { OVEN_BACKUP_TO: to }, { now: START });
    expect(await backups.look()).toBe("oven-20261128T104500Z.backup");
    expect(readdirSync(to).sort()).toEqual(["other.backup.partial", "oven-20261128T104500Z.backup"]);
    await db.close();
  });

  it("is no backup in a bucket, and its parts are removed with the next one", async () => {
    const db = await createTestPglite();
    bucket.objects.clear();
    await killOnce(["bucket", bucket.url], () => [...bucket.uploads.values()].some((parts) => parts.size > 0));
    expect([...bucket.uploads.keys()]).toEqual([expect.stringContaining(KILLED)]);
    bucket.uploads.set("oven/other.file+0&", new Map());
    expect(await scheduled(db, BUCKET, { now: START }).look()).toBe("oven-20261128T104500Z.backup");
    expect([...bucket.objects.keys()]).toEqual(["oven/oven-20261128T104500Z.backup"]);
    expect([...bucket.uploads.keys()]).toEqual(["oven/other.file+0&"]);
    bucket.uploads.clear();
    await db.close();
  });
});

it("tries again after a failure, and ends a backup that is under way when the server stops", async () => {
  const db = await createTestPglite();
  const clock = { now: START };
  let isAway = true;
  const begun = Promise.withResolvers<void>();
  const store: BackupStore = {
    name: "a store that takes nothing",
    list: async () => [],
    write: (_name, stream) => {
      if (isAway) return Promise.reject(new Error("away"));
      begun.resolve();
      return new Promise((_, reject) => stream.once("error", reject));
    },
    remove: async () => {},
    clear: async () => [],
  };
  const backups = scheduled(db, { OVEN_BACKUP_TO: folder }, clock, store);
  await expect(backups.look()).rejects.toThrow("away");
  isAway = false;
  const looking = backups.look();
  await begun.promise;
  await backups.stop();
  await expect(looking).rejects.toThrow("the server stops");
  // The database is free again.
  expect(await db.query("select 1 as one")).toEqual([{ one: 1 }]);
  await db.close();
});
