import { availableParallelism } from "node:os";
import { startPostgres } from "../postgres/start-postgres.ts";
import { measureWorkers, type WorkersResult } from "./scale/many-workers.ts";

/*
 * `pnpm scale:workers [--runs 600] [--call-ms 50] [--at-once 5]`: nodes a second of one, two and three processes on one PostgreSQL of its own, with steps that wait, and
 * what holds them up. Ends with 1 when three do less than 2.2 times as much as one.
 */
const option = (name: string, otherwise: number): number => {
  const position = process.argv.indexOf(`--${name}`);
  return position === -1 ? otherwise : Number(process.argv[position + 1]);
};
const runs = option("runs", 600);
const callMs = option("call-ms", 50);
const atOnce = option("at-once", 5);
const MIN_GAIN = 2.2;
/** From this share of what there is, it is what holds them up. */
const FULL = 0.85;

function limitOf(workers: number, { nodesPerSecond, busiestCores, machineCores }: WorkersResult): string {
  if (machineCores >= FULL * availableParallelism()) return "the machine's cores";
  if (busiestCores >= FULL) return "the one thread of a worker";
  if (nodesPerSecond >= (FULL * workers * atOnce * 1_000) / callMs)
    return "runs at once and the time that a step waits";
  return "waiting: for the database, and between the steps";
}

const postgres = await startPostgres();
const rates: number[] = [];
try {
  for (const workers of [1, 2, 3]) {
    const result = await measureWorkers(postgres.url, workers, runs, callMs, atOnce);
    rates.push(result.nodesPerSecond);
    const { nodesPerSecond, busiestCores, machineCores } = result;
    const used = `${busiestCores.toFixed(2)} cores for the busiest worker, ${machineCores.toFixed(2)} of ${availableParallelism()} in all`;
    process.stdout.write(
      `${workers} workers: ${nodesPerSecond.toFixed(0)} nodes/s, ${used}; the limit: ${limitOf(workers, result)}\n`,
    );
  }
} finally {
  await postgres.stop();
}
const gain = (rates[2] ?? 0) / (rates[0] ?? Number.NaN);
process.stdout.write(
  `${gain >= MIN_GAIN ? "held  " : "MISSED"} three beside one: ${gain.toFixed(2)} times (limit ${MIN_GAIN})\n`,
);
process.exitCode = gain >= MIN_GAIN ? 0 : 1;
