import { capacity, type Installation, simulate } from "./scale/capacity.ts";
import { measureCosts } from "./scale/measure-costs.ts";

/*
 * `pnpm scale:costs [--runs 500]`: what one node run costs on this machine, and what the model of docs/scale.md makes of it for more
 * workers and larger databases, with the simulation beside it.
 */
const at = process.argv.indexOf("--runs");
const costs = await measureCosts(at === -1 ? 500 : Number(process.argv[at + 1]));
const line = (name: string, value: string): void => void process.stdout.write(`${name.padEnd(34)}${value}\n`);
line("node runs measured", String(costs.nodes));
line("worker, core time a node", `${costs.workerMs.toFixed(3)} ms`);
line("database, core time a node", `${costs.databaseMs.toFixed(3)} ms`);
line("a node in a run alone", `${costs.latencyMs.toFixed(2)} ms`);
line("commits a node", costs.commitsPerNode.toFixed(2));
line("write-ahead log a node", `${(costs.walBytes / 1_024).toFixed(2)} KiB`);
line("stored a node, indexes included", `${(costs.storedBytes / 1_024).toFixed(2)} KiB`);
line("connections of one process", String(costs.connections));
const { workerMs, databaseMs, latencyMs } = costs;
const base = { runsPerWorker: 50, workerMs, databaseMs, waitMs: Math.max(0, latencyMs - workerMs - databaseMs) };
process.stdout.write("\nworkers  database cores    formula  simulated  limit\n");
for (const [workers, databaseCores] of [
  [1, 4],
  [3, 4],
  [10, 16],
  [30, 64],
  [100, 64],
] as const) {
  const installation: Installation = { ...base, workers, databaseCores };
  const { perSecond, bottleneck } = capacity(installation);
  const simulated = simulate(installation, 500);
  process.stdout.write(
    `${String(workers).padStart(7)}${String(databaseCores).padStart(16)}${`${Math.round(perSecond)}/s`.padStart(11)}${`${Math.round(simulated)}/s`.padStart(11)}  ${bottleneck}\n`,
  );
}
