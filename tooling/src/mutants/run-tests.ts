import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

export interface TestRun {
  passed: number;
  /** Full names. */
  failed: string[];
  /** Files that could not be loaded: a mutant that does not even start proves nothing. */
  broken: string[];
}

/** Runs test files in a copy of the tree. */
export function runTests(tree: string, files: readonly string[], postgresUrl: string, bail = 1): TestRun {
  const report = join(tree, ".mutant-report.json");
  rmSync(report, { force: true });
  const args = [
    "node_modules/vitest/vitest.mjs",
    "run",
    ...files,
    `--bail=${bail}`,
    "--reporter=json",
    `--outputFile=${report}`,
  ];
  spawnSync(process.execPath, args, {
    cwd: tree,
    encoding: "utf8",
    timeout: 300_000,
    env: { ...process.env, OVEN_TEST_POSTGRES_URL: postgresUrl },
  });
  if (!existsSync(report)) return { passed: 0, failed: [], broken: ["the test run itself"] };
  // cast: vitest's JSON report
  const found = JSON.parse(readFileSync(report, "utf8")) as {
    numPassedTests: number;
    testResults: { name: string; status: string; assertionResults: { status: string; fullName: string }[] }[];
  };
  const failed = found.testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === "failed").map(({ fullName }) => fullName),
  );
  const broken = found.testResults
    .filter(({ status, assertionResults }) => status === "failed" && assertionResults.length === 0)
    .map(({ name }) => name);
  return { passed: found.numPassedTests, failed, broken };
}
