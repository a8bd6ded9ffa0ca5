import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { programName } from "../../packages/testing/src/program-file.ts";
import { contentHash } from "./content-hash.ts";

const root = join(import.meta.dirname, "../..");
/** What tests start as processes of their own, some sixty times in a run, and what makes their databases. */
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
const IMPORTED = /from "(\.[^"]+\.ts)"/g;

/** Bundles the programs when one of the run's files starts one, once for each content of the source. */
export default async function setup(project: TestProject): Promise<void> {
  if (!startsPrograms(project)) return;
  const folder = join(CACHE, `programs-${contentHash(SOURCES)}`);
  if (existsSync(folder)) utimesSync(folder, new Date(), new Date());
  else {
    await bundle(folder);
    removeOld();
  }
  process.env.OVEN_TEST_PROGRAMS = folder;
}

/** Whether a file of the run, or what it imports by its place, asks for a program's file. While it watches, a later run has other files. */
function startsPrograms({ vitest }: TestProject): boolean {
  if (vitest.config.watch) return true;
  const seen = new Set(vitest.state.getPaths());
  // What is added while it goes through them comes later.
  for (const path of seen) {
    const text = readFileSync(path, "utf8");
    if (text.includes("programFile(") && !path.endsWith("program-file.ts")) return true;
    for (const [, place = ""] of text.matchAll(IMPORTED)) {
      const imported = resolve(dirname(path), place);
      if (existsSync(imported)) seen.add(imported);
    }
  }
  return false;
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
