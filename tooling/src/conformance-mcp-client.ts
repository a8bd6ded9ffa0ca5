/*
 * `pnpm conformance:mcp-client [revision]`: what the revisions of the protocol require of a client, driven through our own
 * connection code. What is not required (extensions, scenarios younger than the revision) is run and told, and decides nothing.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");
const REVISIONS = { "2026-07-28": 32, "2025-11-25": 18 };

/** Why what is not required does not pass. */
const REASONS: Readonly<Record<string, string>> = {
  "auth/client-credentials-jwt": "client credentials are a secret here; assertions signed with a key are not offered",
  "auth/client-credentials-basic":
    "the driver signs a person in; connections with client credentials have a test of their own",
  "auth/enterprise-managed-authorization": "an extension; there is no identity provider to exchange tokens with",
  "auth/dpop": "an extension; tokens are bearer tokens",
  "auth/dpop-nonce": "an extension; tokens are bearer tokens",
  "auth/wif-jwt-bearer": "an extension; there is no workload identity",
  "json-schema-2020-12-preservation": "younger than the revisions",
};

/** What a client of ours does differently, with why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "elicitation-sep1034-client-defaults":
    "a person answers, so the open call is given up and made anew with the answer, which has the defaults; the suite also wants the first call answered",
};

const require = createRequire(import.meta.url);
const suite = join(require.resolve("@modelcontextprotocol/conformance/package.json"), "../dist/index.js");
const driver = join(ROOT, "tooling/src/mcp-conformance/client.ts");

function run(revision: string): { passed: string[]; failed: string[]; unscored: string[] } {
  const results = mkdtempSync(join(tmpdir(), "oven-mcp-conformance-"));
  try {
    const command = `${process.execPath} ${driver}`;
    const { stdout } = spawnSync(
      process.execPath,
      [suite, "client", "--command", command, "--requirements", revision, "--output-dir", results],
      { cwd: ROOT, encoding: "utf8", maxBuffer: 64 * 1_048_576 },
    );
    const summary = stdout.slice(stdout.lastIndexOf("SUITE SUMMARY"));
    const [scored = "", rest = ""] = summary.split("Not scored for");
    const unscored = new Set(namesIn(rest, /^\s+[✓✗] (\S+) \(/gm));
    const all = namesIn(scored, /^[✓✗] (\S+):/gm);
    const passed = namesIn(scored, /^✓ (\S+):/gm).filter((name) => !unscored.has(name));
    const failed = all.filter((name) => !passed.includes(name) && !unscored.has(name));
    return { passed, failed, unscored: namesIn(rest, /^\s+✗ (\S+) \(/gm) };
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
}

function namesIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].flatMap(([, name]) => name ?? []);
}

const [wanted] = process.argv.slice(2);
let isComplete = true;
for (const [revision, required] of Object.entries(REVISIONS)) {
  if (wanted !== undefined && wanted !== revision) continue;
  const { passed, failed, unscored } = run(revision);
  process.stdout.write(`${revision}: ${passed.length} of ${required} required client scenarios pass\n`);
  for (const name of failed) process.stdout.write(`  ✗ ${name}: ${EXCEPTIONS[name] ?? "no reason is known"}\n`);
  for (const name of unscored)
    process.stdout.write(`  not required: ${name}: ${REASONS[name] ?? "no reason is known"}\n`);
  const excepted = failed.filter((name) => name in EXCEPTIONS);
  if (failed.length > excepted.length || passed.length + excepted.length !== required) isComplete = false;
}
process.exitCode = isComplete ? 0 : 1;
