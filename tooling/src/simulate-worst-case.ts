import { holdSeed } from "../../packages/engine/src/testing/simulation/worst-case-held.ts";

/*
 * `pnpm simulate:worst-case --seeds 10000 [--from 1]`: random definitions on the simulated engine, one run a seed; what each run needs
 * is compared with the worst case that was computed of its definition. Stops at the first run that needs more.
 */
const option = (name: string, otherwise: number): number => {
  const position = process.argv.indexOf(`--${name}`);
  return position === -1 ? otherwise : Number(process.argv[position + 1]);
};
const seeds = option("seeds", 10_000);
const from = option("from", 1);
if (!Number.isInteger(seeds) || !Number.isInteger(from) || seeds < 1) {
  console.error("Usage: pnpm simulate:worst-case [--seeds COUNT] [--from SEED]");
  process.exit(2);
}
const startedAt = Date.now();
const bounded = new Map<string, number>();
const reached = new Map<string, number>();
const count = (counts: Map<string, number>, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
for (let seed = from; seed < from + seeds; seed += 1) {
  const held = await holdSeed(seed);
  if (held.exceeded.length > 0) {
    console.error(`seed ${seed} needed more ${held.exceeded.join(", ")} than its worst case`);
    console.error(JSON.stringify(held));
    process.exit(1);
  }
  for (const [name, most] of Object.entries(held.most)) {
    if (most === null) continue;
    count(bounded, name);
    if ((held.needed[name] ?? 0) > 0 && held.needed[name] === most) count(reached, name);
  }
  const done = seed - from + 1;
  if (done % 1_000 === 0) process.stdout.write(`${done} of ${seeds} seeds\n`);
}
const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
process.stdout.write(`${seeds} seeds from ${from}: none exceeded in ${seconds} s\n`);
for (const [name, runs] of bounded)
  process.stdout.write(`${name}: bounded in ${runs}, reached exactly in ${reached.get(name) ?? 0}\n`);
