import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { OvenError } from "@oven/contract";
import type { BackupHeader } from "@oven/contract/system";
import type { Database } from "../database.ts";
import { applyMigrations } from "../migrate.ts";
import { type MigrationSet, readMigrations } from "../migration-files.ts";

type Applied = BackupHeader["migrations"];

/**
 * Makes the tables as they were where a backup was made: of each module the migrations that it names, and no newer ones.
 * @throws OvenError BACKUP_NEWER when it names some that this code does not have
 */
export async function migrateUntil(db: Database, sets: readonly MigrationSet[], header: BackupHeader): Promise<void> {
  requireKnown(sets, header);
  const folder = mkdtempSync(join(tmpdir(), "oven-migrations-"));
  try {
    const needed = sets.flatMap((set) => {
      const applied = header.migrations.filter(({ module }) => module === set.name);
      return applied.length === 0 ? [] : [copyUntil(set, applied, join(folder, set.name))];
    });
    await applyMigrations(db, needed);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @throws OvenError BACKUP_NEWER */
export function requireKnown(sets: readonly MigrationSet[], { migrations, version }: BackupHeader): void {
  const known = new Map(sets.map((set) => [set.name, readMigrations(set)]));
  const unknown = migrations.filter(
    ({ module, hash, madeAt }) => !known.get(module)?.some((one) => one.hash === hash || one.madeAt === madeAt),
  );
  if (unknown.length === 0) return;
  const modules = [...new Set(unknown.map(({ module }) => module))].join(", ");
  throw new OvenError(
    "BACKUP_NEWER",
    `The backup has tables of OVEN ${version} that this OVEN does not know: ${modules}`,
    {
      fix: `Restore it with OVEN ${version} or newer.`,
    },
  );
}

/** The migrator takes whole folders. */
function copyUntil(set: MigrationSet, applied: Applied, folder: string): MigrationSet {
  const last = Math.max(...applied.map(({ madeAt }) => madeAt));
  const from = fileURLToPath(set.folder);
  // cast: as drizzle-kit writes it
  const journal = JSON.parse(readFileSync(join(from, "meta/_journal.json"), "utf8")) as {
    entries: { tag: string; when: number }[];
  };
  const entries = journal.entries.filter(({ when }) => when <= last);
  mkdirSync(join(folder, "meta"), { recursive: true });
  writeFileSync(join(folder, "meta/_journal.json"), JSON.stringify({ ...journal, entries }));
  for (const { tag } of entries) copyFileSync(join(from, `${tag}.sql`), join(folder, `${tag}.sql`));
  return { name: set.name, folder: pathToFileURL(folder) };
}
