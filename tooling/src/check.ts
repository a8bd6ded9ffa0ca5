import { spawnSync } from "node:child_process";
import { join } from "node:path";

/*
 * `pnpm check`: format and lint, types, layers, unused code and requirement ids. The same here and in CI. Every step
 * runs, whatever an earlier one found.
 */
const root = join(import.meta.dirname, "../..");

const STEPS: { name: string; command: string; args: string[] }[] = [
  { name: "format and lint", command: "biome", args: ["ci", "--error-on-warnings", "."] },
  { name: "types (server)", command: "tsc", args: ["-p", "tsconfig.json"] },
  { name: "types (graph)", command: "tsc", args: ["-p", "packages/workflow-editor"] },
  { name: "types (dashboard)", command: "tsc", args: ["-p", "apps/dashboard"] },
  { name: "layers", command: "node", args: ["tooling/src/layers/check-layers.ts"] },
  { name: "unused code", command: "knip", args: [] },
  { name: "requirement ids", command: "node", args: ["tooling/src/requirements.ts", "--quiet"] },
];

export function runChecks(): { passed: number; failed: number } {
  let failed = 0;
  for (const { name, command, args } of STEPS) {
    const startedAt = Date.now();
    const result = spawnSync(command, args, { cwd: root, encoding: "utf8" });
    const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
    const ok = result.status === 0;
    process.stdout.write(`${ok ? "✓" : "✗"} ${name} (${seconds} s)\n`);
    if (ok) continue;
    failed++;
    process.stdout.write(`${result.stdout ?? ""}${result.stderr ?? ""}${result.error?.message ?? ""}\n`);
  }
  return { passed: STEPS.length - failed, failed };
}

if (import.meta.main) {
  const { failed } = runChecks();
  process.exitCode = failed === 0 ? 0 : 1;
}
