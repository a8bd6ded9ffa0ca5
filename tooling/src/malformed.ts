import { runGenerated } from "../../packages/engine/src/testing/malformed/run-generated.ts";

/*
 * `pnpm malformed [--count 100000] [--seed 1]`: generated definitions, most of them wrong. None may crash the validator, take
 * over a second, or be refused without a place; what validates must compile and start.
 */
const option = (name: string, otherwise: number): number => {
  const position = process.argv.indexOf(`--${name}`);
  return position === -1 ? otherwise : Number(process.argv[position + 1]);
};
const count = option("count", 100_000);
const seed = option("seed", 1);
if (!Number.isInteger(count) || !Number.isInteger(seed) || count < 1) {
  console.error("Usage: pnpm malformed [--count COUNT] [--seed SEED]");
  process.exit(2);
}
const startedAt = Date.now();
const { valid, failure } = runGenerated(seed, count);
if (failure) {
  console.error(`${failure.reason}\ndefinition: ${JSON.stringify(failure.definition)}`);
  console.error(`again: pnpm malformed --count ${count} --seed ${seed}`);
  process.exit(1);
}
const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
process.stdout.write(`${count} definitions from seed ${seed}: ${valid} valid, no failure, in ${seconds} s\n`);
