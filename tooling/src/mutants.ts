import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "../postgres/start-postgres.ts";
import { copyTree } from "./mutants/copy-tree.ts";
import { ENGINE_MUTANTS } from "./mutants/engine-mutants.ts";
import type { Mutant } from "./mutants/mutant.ts";
import { PLATFORM_MUTANTS } from "./mutants/platform-mutants.ts";
import { runTests } from "./mutants/run-tests.ts";
import { WORST_CASE_MUTANTS } from "./mutants/worst-case-mutants.ts";

/*
 * `pnpm mutants [PART OF A NAME]`: makes one mistake at a time in a copy of the tree and runs the tests that must notice it.
 * A mistake that no test notices, or that is no longer in the source as written here, ends it with 1.
 */
const root = join(import.meta.dirname, "../..");
const wanted = process.argv[2] ?? "";
const mutants = [...ENGINE_MUTANTS, ...WORST_CASE_MUTANTS, ...PLATFORM_MUTANTS].filter(({ name }) =>
  name.includes(wanted),
);

/** What became of one: noticed, or why not. */
function judge(
  tree: string,
  { file, search, replace, tests }: Mutant,
  postgresUrl: string,
  red: readonly string[],
): string {
  const path = join(tree, file);
  const source = readFileSync(path, "utf8");
  const times = source.split(search).length - 1;
  if (times !== 1) return `the source has it ${times} times`;
  const present = tests.filter((test) => existsSync(join(tree, test)));
  try {
    writeFileSync(
      path,
      source.replace(search, () => replace),
    );
    const { failed, broken } = runTests(tree, present, postgresUrl, red.length === 0 ? 1 : 0);
    if (failed.some((name) => !red.includes(name))) return "noticed";
    return broken.length > 0 ? "does not run" : "SURVIVED";
  } finally {
    writeFileSync(path, source);
  }
}

const tree = mkdtempSync(join(tmpdir(), "oven-mutants-"));
copyTree(root, tree);
const postgres = await startPostgres();
let bad = 0;
try {
  const files = [...new Set(mutants.flatMap(({ tests }) => tests))].filter((test) => existsSync(join(tree, test)));
  const before = runTests(tree, files, postgres.url, 0);
  const red = [...before.failed, ...before.broken];
  if (red.length > 0) console.error(`Red without any mistake, so they prove nothing:\n  ${red.join("\n  ")}`);
  bad += red.length;
  for (const mutant of mutants) {
    const startedAt = Date.now();
    const verdict = judge(tree, mutant, postgres.url, red);
    if (verdict !== "noticed") bad += 1;
    const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
    process.stdout.write(`${verdict.padEnd(24)} ${seconds.padStart(6)} s  ${mutant.name}\n`);
  }
} finally {
  await postgres.stop();
  rmSync(tree, { recursive: true, force: true });
}
if (bad === 0) process.stdout.write(`${mutants.length} of ${mutants.length} mistakes noticed\n`);
process.exitCode = bad === 0 ? 0 : 1;
