import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { createTestPostgres } from "@oven/db/testing";
import { startPostgres } from "../postgres/start-postgres.ts";

/*
 * `pnpm bench`: OVEN and its peers under one workload on one PostgreSQL, one after the other, each in a database of its own.
 * The peers have a workspace of their own (bench/), installed at the first run. `--write` updates docs/benchmarks.md.
 */
const root = join(import.meta.dirname, "../..");

interface Report {
  system: string;
  sequentialMs: number;
  nodesPerSecond: number;
  loopMs: number | null;
}

function runSubject(script: string, args: string[]): Report | undefined {
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(root, script), ...args], {
    cwd: root,
    encoding: "utf8",
    timeout: 300_000,
    env: { ...process.env, NODE_ENV: "production" },
  });
  const line = stdout.split("\n").find((entry) => entry.startsWith("REPORT "));
  if (line !== undefined) return JSON.parse(line.slice("REPORT ".length)) as Report; // cast: written by bench/src/measure.ts
  process.stderr.write(
    `${script} ended with ${status} and no report:\n${stdout.slice(-2_000)}${stderr.slice(-2_000)}\n`,
  );
  return undefined;
}

/** OVEN beside the floor and beside the best of its peers, figure by figure: above 1 is better than they are. */
function toRatios(reports: Report[]): string {
  const find = (start: string) => reports.find(({ system }) => system.startsWith(start));
  const [ours, floor] = [find("OVEN, PostgreSQL"), find("floor")];
  const peers = reports.filter(({ system }) => !/^(OVEN|floor)/.test(system));
  if (ours === undefined || floor === undefined || peers.length === 0) return "";
  const figures: { name: string; of(report: Report): number | null }[] = [
    { name: "a node, one run at a time", of: ({ sequentialMs }) => 1 / sequentialMs },
    { name: "nodes, 50 runs at once", of: ({ nodesPerSecond }) => nodesPerSecond },
    { name: "loop of 1,000 steps", of: ({ loopMs }) => (loopMs === null ? null : 1 / loopMs) },
  ];
  const rows = figures.map(({ name, of }) => {
    const own = of(ours) ?? Number.NaN;
    const best = peers.reduce((one, other) => ((of(other) ?? 0) > (of(one) ?? 0) ? other : one));
    const [beside, least] = [own / (of(best) ?? Number.NaN), own / (of(floor) ?? Number.NaN)];
    return `| ${name} | ${least.toFixed(2)} × | ${beside.toFixed(2)} × (${best.system}) |`;
  });
  return ["| OVEN on PostgreSQL | beside the floor | beside the best peer |", "| --- | --: | --: |", ...rows].join(
    "\n",
  );
}

function toTable(reports: Report[]): string {
  const ours = reports.find(({ system }) => system === "OVEN, PostgreSQL");
  const ratio = (theirs: number, own: number | undefined) =>
    own === undefined ? "" : ` (${(theirs / own).toFixed(1)} ×)`;
  const rows = reports.map(({ system, sequentialMs, nodesPerSecond, loopMs }) => {
    const loop = loopMs === null ? "–" : `${(loopMs / 1_000).toFixed(2)} s${ratio(loopMs, ours?.loopMs ?? undefined)}`;
    const sequential = `${sequentialMs.toFixed(2)} ms${ratio(sequentialMs, ours?.sequentialMs)}`;
    return `| ${system} | ${sequential} | ${Math.round(nodesPerSecond)}/s${ratio(nodesPerSecond, ours?.nodesPerSecond)} | ${loop} |`;
  });
  return [
    "| system | a node, one run at a time | nodes, 50 runs at once | loop of 1,000 steps, 1 KiB each |",
    "| --- | --: | --: | --: |",
    ...rows,
  ].join("\n");
}

const install = spawnSync("npx", ["-y", "pnpm@12.21.0", "install", "--frozen-lockfile"], {
  cwd: join(root, "bench"),
  stdio: "inherit",
});
if (install.status !== 0) process.exit(1);
const postgres = await startPostgres();
const reports: Report[] = [];
const subjects = [
  ["bench/src/floor.ts"],
  ["bench/src/oven.ts"],
  ["bench/src/oven.ts", "computing"],
  ["bench/src/dbos.ts"],
  ["bench/src/langgraph.ts"],
  ["bench/src/mastra.ts"],
  ["bench/src/restate.ts"],
] as const;
for (const [script, ...how] of subjects) {
  const { url, drop } = await createTestPostgres(postgres.url);
  const report = runSubject(script, [url, ...how]);
  await drop();
  if (report === undefined) continue;
  reports.push(report);
  process.stdout.write(`${JSON.stringify(report)}\n`);
}
for (const how of [[], ["computing"]]) {
  const embedded = runSubject("bench/src/oven.ts", ["", mkdtempSync(join(tmpdir(), "oven-bench-")), ...how]);
  if (embedded !== undefined) reports.push(embedded);
}
await postgres.stop();

const table = `${toTable(reports)}\n\n${toRatios(reports)}`;
process.stdout.write(`\n${table}\n`);
if (process.argv.includes("--write")) {
  const intro = [
    "# Benchmarks",
    "",
    "`pnpm bench --write` runs OVEN and its peers one after the other on one PostgreSQL (18, default settings, from npm), each in a",
    `database and process of its own, and writes this page. Last run: ${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores, Node ${process.versions.node}.`,
    "Each figure is the best of three tries. In brackets: the figure divided by OVEN's on PostgreSQL. Read the ratios; absolute",
    "figures differ from machine to machine.",
    "",
    "OVEN is measured through its REST handler, queue and worker included; the peers through their own start call in-process.",
    "Restate is called over HTTP, as it is used, and keeps its own log on disk instead of PostgreSQL.",
    "The floor is one inserted row and one commit per node. Steps count as calls to the outside, each written before the next begins;",
    "those that only compute need not wait for that ([why](decisions/0036-pure-steps-run-speculatively.md)), which other systems cannot know.",
    "",
  ];
  writeFileSync(join(root, "docs/benchmarks.md"), `${intro.join("\n")}\n${table}\n`);
}
