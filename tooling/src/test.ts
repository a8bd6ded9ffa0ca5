import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { runChecks } from "./check.ts";

/*
 * `pnpm test`: every unit and database test (PGlite and a real PostgreSQL), with the checks and the build beside them, then the
 * built product in a real browser and with real MCP clients. Its last line counts them all.
 */
const root = join(import.meta.dirname, "../..");
/** For reports, and for all that tests leave behind: servers that are killed cannot tidy up. */
const scratch = mkdtempSync(join(tmpdir(), "oven-test-"));
// Run as root, PostgreSQL gets a user of its own, who must be able to enter.
chmodSync(scratch, 0o755);
process.env.TMPDIR = scratch;
// The servers and workers that tests start, some hundred processes, load the same files: they are compiled once.
process.env.NODE_COMPILE_CACHE = join(scratch, "compiled");

interface Counts {
  passed: number;
  failed: number;
}

/** What is read of vitest's JSON report. */
interface Report {
  numPassedTests?: number;
  numFailedTests?: number;
  numFailedTestSuites?: number;
  testResults?: {
    name: string;
    status: string;
    message?: string;
    assertionResults: { fullName: string; status: string; failureMessages?: string[] }[];
  }[];
}

/** What failed, told once more before the closing line: the end of a long log is what is read first. */
const failures: string[] = [];

const firstLines = (text: string) => text.split("\n").slice(0, 6).join("\n    ");

function noteFailures({ testResults = [] }: Report): void {
  for (const { name, status, message, assertionResults } of testResults) {
    const file = relative(root, name);
    const failed = assertionResults.filter((test) => test.status === "failed");
    if (failed.length === 0 && status === "failed") failures.push(`${file}\n    ${firstLines(message ?? "")}`);
    for (const { fullName, failureMessages = [] } of failed) {
      failures.push(`${file} > ${fullName}\n    ${firstLines(failureMessages.join("\n"))}`);
    }
  }
}

/** Runs it to its end and answers whether it succeeded. A command that cannot be started is reported and has failed. */
async function run(command: string, args: string[], env: Record<string, string>): Promise<boolean> {
  try {
    const [code] = await once(
      spawn(command, args, { cwd: root, stdio: "inherit", env: { ...process.env, ...env } }),
      "close",
    );
    return code === 0;
  } catch (error) {
    failures.push(`${command}: ${error}`);
    return false;
  }
}

async function runVitest(name: string, args: string[]): Promise<Counts> {
  const report = join(scratch, `${name}.json`);
  const succeeded = await run(
    "vitest",
    ["run", ...args, "--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
    // No snapshot is written by the way: one that is missing is a failure.
    { CI: "true" },
  );
  if (!existsSync(report)) return { passed: 0, failed: 1 };
  // cast: vitest's JSON report
  const outcome = JSON.parse(readFileSync(report, "utf8")) as Report;
  noteFailures(outcome);
  const { numPassedTests, numFailedTests, numFailedTestSuites } = outcome;
  const failed = numFailedTests ?? 0;
  // A file that could not be loaded, or an error outside a test, counts as one failure.
  const broken = failed === 0 && (!succeeded || (numFailedTestSuites ?? 0) > 0) ? 1 : 0;
  return { passed: numPassedTests ?? 0, failed: failed + broken };
}

async function build(): Promise<Counts> {
  const built = await run("turbo", ["run", "build", "--output-logs=errors-only"], {
    NODE_ENV: "production",
    TURBO_TELEMETRY_DISABLED: "1",
    DO_NOT_TRACK: "1",
  });
  return built ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

async function checkAndBuild(): Promise<Counts> {
  const checked = await runChecks({ atATime: 1 });
  if (checked.failed > 0) failures.push("checks\n    those above that begin with ✗");
  const built = await build();
  if (built.failed > 0) failures.push("build");
  return add(checked, built);
}

function add(a: Counts, b: Counts): Counts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed };
}

// Unit tests need no build, and leave part of two cores idle: they wait for leases, timers and other processes.
const [unit, built] = await Promise.all([runVitest("unit", []), checkAndBuild()]);
const e2e = await runVitest("e2e", ["--config", "vitest.e2e.config.ts"]);
const total = add(add(unit, built), e2e);
rmSync(scratch, { recursive: true, force: true });
for (const failure of failures) process.stdout.write(`FAILED ${failure}\n`);
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed === 0 ? 0 : 1;
