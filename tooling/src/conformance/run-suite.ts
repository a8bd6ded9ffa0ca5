import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify, stripVTControlCharacters } from "node:util";

/** Revisions whose requirements the servers here fulfil. */
export const REVISIONS = ["2026-07-28", "2025-11-25"] as const;

export interface SuiteResult {
  /** Scenarios that the revision requires of servers, with what became of each. */
  required: { scenario: string; passed: number; failed: number }[];
  /** What the suite printed. */
  output: string;
}

const suite = dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json"));
const run = promisify(execFile);

/** Runs every scenario that a revision requires of servers. One that the suite did not run counts as failed. */
export async function runSuite(revision: string, url: string): Promise<SuiteResult> {
  const args = [join(suite, "dist/index.js"), "server", "--url", url, "--requirements", revision];
  const output = stripVTControlCharacters(await outputOf(args));
  const [, summary = ""] = output.split("=== SUMMARY ===");
  const counted = new Map(
    [...summary.matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed/gm)].map(([, name, passed, failed]) => [
      name,
      { passed: Number(passed), failed: Number(failed) },
    ]),
  );
  const required = requiredOf(revision).map((scenario) => ({
    scenario,
    ...(counted.get(scenario) ?? { passed: 0, failed: 1 }),
  }));
  return { required, output };
}

/** It ends with an error where scenarios fail that are not required, too. */
async function outputOf(args: string[]): Promise<string> {
  try {
    return (await run(process.execPath, args, { maxBuffer: 67_108_864 })).stdout;
  } catch (error) {
    const { stdout } = error as { stdout?: string }; // cast: execFile's error
    if (stdout === undefined || stdout === "") throw error;
    return stdout;
  }
}

/** As the suite froze it when the revision was released. */
function requiredOf(revision: string): string[] {
  const text = readFileSync(join(suite, "requirements", `${revision}.yaml`), "utf8");
  const [, servers = ""] = /^server:\n((?: {2}- .+\n)+)/m.exec(text) ?? [];
  return [...servers.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name ?? "");
}
