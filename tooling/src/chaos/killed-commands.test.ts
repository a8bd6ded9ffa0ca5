import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { checkBackup } from "../../../packages/db/src/backup/index.ts";
import { connectDatabase, type Database } from "../../../packages/db/src/index.ts";
import { createTestPostgres, fillTestDataDir } from "../../../packages/db/src/testing.ts";
import { runCommand } from "./run-and-kill.ts";

/* `oven backup`, `oven restore` and `oven move` as processes that end by SIGKILL in the middle, and what the second call makes of that. */
const ENTRIES = 15_000;
/** Rows that a killed command has written: some batches of a thousand. */
const WRITTEN = 2_000;

let folder: string;
let dataDir: string;
let file: string;
const environment = (more: Record<string, string> = {}) => ({
  OVEN_SECRET: "a-secret-of-the-installation-0123456789",
  OVEN_DATA_DIR: dataDir,
  ...more,
});

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "oven-killed-"));
  dataDir = join(folder, "data");
  file = join(folder, "installation.backup");
  fillTestDataDir(dataDir);
  const db = await connectDatabase({ url: undefined, dataDir });
  await db.system.query(
    `insert into audit_log (tenant_id, action, outcome, actor_kind, user_agent)
     select 1, 'test', 'done', 'system', repeat(md5(n::text), 8) from generate_series(1, $1::int) n`,
    [ENTRIES],
  );
  await db.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

const partials = () => readdirSync(folder).filter((name) => name.endsWith(".partial"));

/** Transactions that wrote the audit log: rows that are written again have another one. */
async function writersOf(db: Database): Promise<Map<string, string>> {
  const rows = await db.system.query<{ id: string; writer: string }>(
    "select id::text, xmin::text as writer from audit_log",
  );
  return new Map(rows.map(({ id, writer }) => [id, writer]));
}

/** Runs the command until it has written some of the rows, kills it, and runs it again. */
async function killAndRepeat(url: string, run: (hasWritten?: () => Promise<boolean>) => ReturnType<typeof runCommand>) {
  const target = await connectDatabase({ url, dataDir: "unused" });
  const killed = await run(async () => {
    const [begun] = await target.system.query<{ there: boolean }>(
      "select to_regclass('audit_log') is not null as there",
    );
    if (begun?.there !== true) return false;
    const [row] = await target.system.query<{ rows: number }>("select count(*)::int as rows from audit_log");
    return (row?.rows ?? 0) >= WRITTEN;
  });
  expect(killed).toMatchObject({ code: null });
  const before = await writersOf(target);
  expect(before.size).toBeLessThan(ENTRIES);
  const again = await run();
  expect(again.code, again.errors).toBe(0);
  const after = await writersOf(target);
  expect(after.size).toBe(ENTRIES);
  for (const [id, writer] of before) expect(after.get(id)).toBe(writer);
  await target.close();
  return again;
}

it("a backup that was killed is no file, and the next one removes what is left and begins anew", async () => {
  const backup = (killWhen?: () => boolean) => runCommand(["backup", file, ""], environment(), killWhen);
  const hasBegun = () => partials().some((name) => statSync(join(folder, name)).size > 0);
  expect(await backup(hasBegun)).toMatchObject({ code: null });
  expect(existsSync(file)).toBe(false);
  const [left = ""] = partials();
  await expect(checkBackup(join(folder, left))).rejects.toMatchObject({ code: "BACKUP_DAMAGED" });
  // Of a process that lives: it is at work there.
  writeFileSync(`${file}.${process.pid}.partial`, "");
  const again = await backup();
  expect(again.code, again.errors).toBe(0);
  expect(again.output).toContain(`Removed ${join(folder, left)}`);
  expect(partials()).toEqual([`installation.backup.${process.pid}.partial`]);
  await expect(checkBackup(file)).resolves.toMatchObject({ total: { rows: expect.any(Number) } });
});

it("a restore that was killed goes on behind the rows that are there", async () => {
  const { url, drop } = await createTestPostgres(inject("postgresUrl"), { migrated: false });
  const target = { OVEN_DATA_DIR: join(folder, "restored"), DATABASE_URL: url };
  await killAndRepeat(url, (hasWritten) => runCommand(["restore", file], environment(target), hasWritten));
  await drop();
});

it("a move that was killed goes on behind the rows that are there", async () => {
  const { url, drop } = await createTestPostgres(inject("postgresUrl"), { migrated: false });
  const { output } = await killAndRepeat(url, (hasWritten) => runCommand(["move", url], environment(), hasWritten));
  expect(output).toContain("both databases have the same");
  await drop();
});
