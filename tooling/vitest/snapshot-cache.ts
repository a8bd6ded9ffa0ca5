import { existsSync, globSync, mkdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { contentHash } from "./content-hash.ts";

const root = join(import.meta.dirname, "../..");
const CACHE = join(root, "node_modules/.cache/oven-tests");
const DAY_MS = 86_400_000;

/** Everything that the tables of a test database come from: migrations, what applies them, and the versions of all packages. */
const SOURCES = [
  "packages/*/migrations/**/*.{sql,json}",
  "packages/db/src/*.ts",
  "packages/contract/package.json",
  "packages/contract/src/**/*version*.ts",
  "packages/installation/src/modules.ts",
  "packages/module-workflows/src/runtime/boss-queue.ts",
  "tooling/vitest/*.ts",
  "pnpm-lock.yaml",
];

/** Where the embedded database with the tables of all modules lies, named by the content of what it is made from. */
export function findSnapshot(): { file: string; exists: boolean } {
  mkdirSync(CACHE, { recursive: true });
  const file = join(CACHE, `migrated-${contentHash(SOURCES)}.tar`);
  const exists = existsSync(file);
  if (exists) utimesSync(file, new Date(), new Date());
  return { file, exists };
}

/** Those of other contents which no run has used for a day. */
export function removeOldSnapshots(): void {
  for (const file of globSync("migrated-*.tar", { cwd: CACHE }).map((name) => join(CACHE, name))) {
    if (Date.now() - statSync(file).mtimeMs > DAY_MS) rmSync(file, { force: true });
  }
}
