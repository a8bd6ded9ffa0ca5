import { tryNames } from "../../packages/installation/src/borders/testing/names.ts";
import { runBorders } from "../../packages/installation/src/borders/testing/run-borders.ts";

/*
 * `pnpm borders [--count 20000] [--seed 1]`: generated numbers, texts in many charsets, names, dates and schemas go in by every way, and
 * what a run has and hands on is compared with what was sent. Equal or refused with a reason; nothing may be different without a word.
 * Names that programs trip over stand in every place of a definition, too.
 */
const option = (name: string, otherwise: number): number => {
  const position = process.argv.indexOf(`--${name}`);
  return position === -1 ? otherwise : Number(process.argv[position + 1]);
};
const count = option("count", 20_000);
const seed = option("seed", 1);
if (!Number.isInteger(count) || !Number.isInteger(seed) || count < 1) {
  console.error("Usage: pnpm borders [--count COUNT] [--seed SEED]");
  process.exit(2);
}
const startedAt = Date.now();
const { sent, ways, failures } = await runBorders(count, seed);
for (const [way, outcomes] of Object.entries(ways))
  process.stdout.write(
    `${way.padEnd(24)}${Object.entries(outcomes)
      .map(([what, times]) => `${what} ${times}`)
      .join(", ")}\n`,
  );
for (const failure of failures.slice(0, 50)) console.error(failure.slice(0, 600));
const names = await tryNames();
const wrong = names.filter(({ outcome }) => outcome !== "works" && outcome !== "refused");
for (const { place, name, outcome } of wrong)
  console.error(`${JSON.stringify(name)} as ${place} ${outcome}`.slice(0, 600));
process.stdout.write(`${names.length} names in places of a definition: ${wrong.length} neither work nor are refused\n`);
const seconds = ((Date.now() - startedAt) / 1_000).toFixed(0);
process.stdout.write(
  `${sent} values from seed ${seed}: ${failures.length} different or refused without a reason, in ${seconds} s\n`,
);
process.exit(failures.length + wrong.length === 0 ? 0 : 1);
