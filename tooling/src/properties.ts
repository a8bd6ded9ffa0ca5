import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/*
 * `pnpm properties [--seeds 100] [--from 2]`: the property tests with cases drawn from other seeds than the one that `pnpm test`
 * uses, and as many of the dearest as were once found to be worth it. Stops at the first that fails. OVEN_PROPERTY_RUNS: another number.
 */
const root = join(import.meta.dirname, "../..");
/** Cases of the proofs that read OVEN_PROPERTY_RUNS; `pnpm test` draws a third. */
const RUNS = process.env.OVEN_PROPERTY_RUNS ?? "300";
const option = (name: string, otherwise: number): number => {
  const position = process.argv.indexOf(`--${name}`);
  return position === -1 ? otherwise : Number(process.argv[position + 1]);
};
const seeds = option("seeds", 100);
const from = option("from", 2);
if (!Number.isInteger(seeds) || !Number.isInteger(from) || seeds < 1) {
  console.error("Usage: pnpm properties [--seeds COUNT] [--from SEED]");
  process.exit(2);
}
const files = globSync("{packages,apps}/*/src/**/*.test.ts", { cwd: root }).filter((file) =>
  readFileSync(join(root, file), "utf8").includes('from "fast-check"'),
);
for (let seed = from; seed < from + seeds; seed += 1) {
  const { status } = spawnSync("vitest", ["run", "--reporter=dot", ...files], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, OVEN_PROPERTY_SEED: String(seed), OVEN_PROPERTY_RUNS: RUNS },
  });
  if (status !== 0) {
    console.error(`seed ${seed} failed; again: pnpm properties --seeds 1 --from ${seed}`);
    process.exit(1);
  }
}
process.stdout.write(`${seeds} seeds from ${from}, ${files.length} files: no failure\n`);
