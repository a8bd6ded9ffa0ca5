import { spawn } from "node:child_process";
import { join } from "node:path";

/*
 * `pnpm check`: format and lint, types, layers, words, unused code and requirement ids. The same here and in CI. Every step
 * runs, whatever an earlier one found; two run at a time, or one where tests run beside them.
 */
const root = join(import.meta.dirname, "../..");

interface Step {
  name: string;
  command: string;
  args: string[];
}

/** What `tsc` knows of files that have not changed since. It lists what it read, by content, and is ignored where it cannot be read. */
const KNOWN = join(root, "node_modules/.cache/oven-check");

/** Each checker of `tsc` looks at what all share once more; the other core has the other steps. */
const types = (project: string, name: string) => [
  ...["-p", project, "--checkers", "1"],
  ...["--incremental", "--tsBuildInfoFile", join(KNOWN, `${name}.tsbuildinfo`)],
];

/** The longest begins first, so that the others fit beside it. */
const STEPS: Step[] = [
  { name: "types (server)", command: "tsc", args: types("tsconfig.json", "server") },
  { name: "types (screens)", command: "tsc", args: types("apps/dashboard", "screens") },
  { name: "unused code", command: "knip", args: [] },
  { name: "format and lint", command: "biome", args: ["ci", "--error-on-warnings", "."] },
  { name: "layers", command: "node", args: ["tooling/src/layers/check-layers.ts"] },
  { name: "words", command: "node", args: ["tooling/src/words/check-words.ts"] },
  { name: "requirement ids", command: "node", args: ["tooling/src/requirements.ts", "--quiet"] },
];

export async function runChecks({ atATime }: { atATime: number }): Promise<{ passed: number; failed: number }> {
  const waiting = [...STEPS];
  let failed = 0;
  const work = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) if (!(await runStep(step))) failed++;
  };
  await Promise.all(Array.from({ length: atATime }, work));
  return { passed: STEPS.length - failed, failed };
}

/** Says how it went; what a step that failed has written follows. */
async function runStep({ name, command, args }: Step): Promise<boolean> {
  const startedAt = Date.now();
  const child = spawn(command, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  let written = "";
  const collect = (chunk: string) => {
    written += chunk;
  };
  child.stdout.setEncoding("utf8").on("data", collect);
  child.stderr.setEncoding("utf8").on("data", collect);
  const ok = await new Promise<boolean>((done) => {
    child.once("error", (error) => {
      collect(error.message);
      done(false);
    });
    child.once("close", (code) => done(code === 0));
  });
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
  process.stdout.write(`${ok ? "✓" : "✗"} ${name} (${seconds} s)\n${ok ? "" : `${written}\n`}`);
  return ok;
}

if (import.meta.main) {
  const { failed } = await runChecks({ atATime: 2 });
  process.exitCode = failed === 0 ? 0 : 1;
}
