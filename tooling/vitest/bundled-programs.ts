import { existsSync, globSync, mkdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { programName } from "../../packages/testing/src/program-file.ts";
import { contentHash } from "./content-hash.ts";

const root = join(import.meta.dirname, "../..");
/** What tests and campaigns start as processes of their own, some sixty times in a run, and what makes their databases. */
const PROGRAMS = [
  "apps/worker/src/main.ts",
  ...globSync("tooling/src/chaos/*-process.ts", { cwd: root }),
  "tooling/vitest/migrated-databases.ts",
];
/** Below `apps/cli`, where the libraries are found that are not bundled. */
const CACHE = join(root, "apps/cli/node_modules/.cache/oven-tests");
const SOURCES = [
  "packages/*/src/**/*.{ts,tsx}",
  "packages/*/package.json",
  "packages/module-*/i18n/*.json",
  "apps/*/package.json",
  "apps/{cli,worker}/src/**/*.ts",
  "apps/dashboard/server/**/*.ts",
  "tooling/src/{chaos,release}/*.ts",
  "tooling/vitest/*.ts",
  "pnpm-lock.yaml",
];
const DAY_MS = 86_400_000;

/**
 * The programs as bundles, made once for each content of the source: a process that loads one starts in a fraction of the time.
 * @returns the folder, for `OVEN_TEST_PROGRAMS`
 */
export async function bundledPrograms(): Promise<string> {
  const folder = join(CACHE, `programs-${contentHash(SOURCES)}`);
  if (existsSync(folder)) utimesSync(folder, new Date(), new Date());
  else {
    await bundle(folder);
    removeOld();
  }
  return folder;
}

/** Written beside and renamed: another test run may begin at the same time. */
async function bundle(folder: string): Promise<void> {
  const draft = `${folder}.${process.pid}`;
  mkdirSync(CACHE, { recursive: true });
  const { bundlePrograms } = await import("../src/release/bundle-programs.ts");
  await bundlePrograms(Object.fromEntries(PROGRAMS.map((path) => [programName(path), join(root, path)])), draft);
  if (existsSync(folder)) rmSync(draft, { recursive: true });
  else renameSync(draft, folder);
}

/** Those of other contents which no run has used for a day. */
function removeOld(): void {
  for (const path of globSync("programs-*", { cwd: CACHE }).map((name) => join(CACHE, name))) {
    if (Date.now() - statSync(path).mtimeMs > DAY_MS) rmSync(path, { recursive: true, force: true });
  }
}
