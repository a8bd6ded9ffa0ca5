import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readMigrationFiles } from "drizzle-orm/migrator";

export interface MigrationSet {
  /** Module name; its applied migrations are listed in `oven_migrations_<name>`. */
  name: string;
  folder: URL;
}

/** A migration that this code has. */
export interface MigrationFile {
  /** Such as `0003_drafts`. */
  tag: string;
  /** SHA-256 of its SQL. */
  hash: string;
  /** Milliseconds: when it was generated. The migrator goes by it. */
  madeAt: number;
}

/** In the order in which they are applied. */
export function readMigrations({ folder }: MigrationSet): MigrationFile[] {
  const path = fileURLToPath(folder);
  const { entries } = JSON.parse(readFileSync(`${path}/meta/_journal.json`, "utf8")) as { entries: { tag: string }[] }; // cast: as drizzle-kit writes it
  return readMigrationFiles({ migrationsFolder: path }).map(({ hash, folderMillis }, index) => ({
    tag: entries[index]?.tag ?? "",
    hash,
    madeAt: folderMillis,
  }));
}

/** Where the migrator lists what it has applied of a set. */
export function migrationsTableOf({ name }: MigrationSet): string {
  return `oven_migrations_${name.replaceAll("-", "_")}`;
}

/** The module whose table this is: names of modules have hyphens, and none an underscore. */
export function moduleOf(table: string): string {
  return table.slice("oven_migrations_".length).replaceAll("_", "-");
}
