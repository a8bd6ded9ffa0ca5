import { existsSync, lstatSync, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectDatabase } from "@oven/db";
import { createTestPostgres } from "@oven/db/testing";
import { getGlobalRuntime } from "@oven/module-registry/global";
import { expect, inject, it } from "vitest";
import { readEnvironment } from "./environment.ts";
import { openOven } from "./open-oven.ts";

const START_KEY = 7_358_120_012;
const environment = (more: Record<string, string>) =>
  readEnvironment({ OVEN_SECRET: "s".repeat(32), OVEN_DEMO: "0", OVEN_DRAIN_SECONDS: "1", ...more }, false);

it("makes and seeds what is missing only when no other process does", async () => {
  const { url, drop } = await createTestPostgres(inject("postgresUrl"), { migrated: false });
  const db = await connectDatabase({ url, dataDir: "unused" });
  const opening = await db.transaction(async (tx) => {
    await tx.query("select pg_advisory_xact_lock($1)", [START_KEY]);
    const other = openOven(environment({ DATABASE_URL: url }));
    const waiting =
      "select 1 from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())";
    await expect.poll(async () => (await db.query(waiting)).length).toBe(1);
    expect(await db.query("select to_regclass('workflows') as made")).toEqual([{ made: null }]);
    return { other };
  });
  const oven = await opening.other;
  expect(await oven.isReady()).toBe(true);
  expect(getGlobalRuntime()).toBe(oven.runtime);
  await oven.close();
  expect(getGlobalRuntime()).toBeUndefined();
  await db.close();
  await drop();
});

it("makes a data directory private, and lets go of it when a module cannot start", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "oven-installation-"));
  const folder = join(dataDir, "pglite");
  mkdirSync(folder, { mode: 0o755 });
  const broken = environment({ OVEN_DATA_DIR: dataDir });
  await expect(openOven({ ...broken, publicUrl: "not a URL" })).rejects.toThrow();
  expect(lstatSync(folder).mode & 0o777).toBe(0o700);
  await (await connectDatabase({ url: undefined, dataDir })).close();
});

it("refuses a wrong value of a variable that a module declares, in one line, before anything is made", async () => {
  const dataDir = join(mkdtempSync(join(tmpdir(), "oven-installation-")), "data");
  const wrong = environment({ OVEN_DATA_DIR: dataDir, OPENAI_BASE_URL: "localhost:11434" });
  await expect(openOven(wrong)).rejects.toMatchObject({
    code: "INVALID_ENVIRONMENT",
    message: expect.stringMatching(/^OPENAI_BASE_URL: .+$/),
  });
  expect(existsSync(dataDir)).toBe(false);
});
