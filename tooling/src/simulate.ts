import { simulateSeed, toReport } from "../../packages/engine/src/testing/simulation/simulate.ts";

/*
 * `pnpm simulate --seeds 100000 [--from 1]`: random definitions with random faults, one case a seed, checked against the
 * same run without faults. Stops at the first failure, with the smallest case that still fails.
 */
const option = (name: string, otherwise: number): number => {
  const position = process.argv.indexOf(`--${name}`);
  return position === -1 ? otherwise : Number(process.argv[position + 1]);
};
const seeds = option("seeds", 100_000);
const from = option("from", 1);
if (!Number.isInteger(seeds) || !Number.isInteger(from) || seeds < 1) {
  console.error("Usage: pnpm simulate [--seeds COUNT] [--from SEED]");
  process.exit(2);
}
const startedAt = Date.now();
for (let seed = from; seed < from + seeds; seed += 1) {
  const failure = await simulateSeed(seed);
  if (failure) {
    console.error(toReport(failure));
    process.exit(1);
  }
  const done = seed - from + 1;
  if (done % 5_000 === 0) process.stdout.write(`${done} of ${seeds} seeds\n`);
}
const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
process.stdout.write(`${seeds} seeds from ${from}: no failure in ${seconds} s\n`);
