import { writeFileSync } from "node:fs";
import { compareRuns, plain } from "../../packages/module-workflow-formats/src/importing/testing/compare-runs.ts";
import { loadGenerators } from "../../packages/module-workflow-formats/src/importing/testing/graph-generator.ts";
import { productNodes } from "../../packages/module-workflow-formats/src/importing/testing/node-catalog.ts";
import { runGraphs } from "../../packages/module-workflow-formats/src/importing/testing/run-graphs.ts";

/*
 * `pnpm import-graphs [--count 20000] [--seed 1] [--product n8n] [--runs 180] [--out FILE]`: generated documents of each product that is imported from.
 * None may lose a node or a connection, fail unexpectedly, or become a draft with problems beside its placeholders. Document n is that of
 * the seed `--seed` + n alone. Violations are made as small as possible and written to `--out` as JSON. `--runs` also runs so many, and
 * compares each with what a small interpreter of the product's documented semantics makes of it.
 */
const option = (name: string, otherwise: string): string => {
  const position = process.argv.indexOf(`--${name}`);
  return position === -1 ? otherwise : (process.argv[position + 1] ?? "");
};
const [count, seed, runCount] = [
  Number(option("count", "20000")),
  Number(option("seed", "1")),
  Number(option("runs", "0")),
];
const [product, out] = [option("product", ""), option("out", "")];
const generators = (await loadGenerators()).filter(({ graphs }) => product === "" || graphs.product === product);
if (
  !Number.isInteger(count) ||
  !Number.isInteger(seed) ||
  count < 1 ||
  !Number.isInteger(runCount) ||
  generators.length === 0
) {
  console.error(
    "Usage: pnpm import-graphs [--count COUNT] [--seed SEED] [--product PRODUCT] [--runs COUNT] [--out FILE]",
  );
  process.exit(2);
}
const catalog = await productNodes();
const violations: unknown[] = [];
const share = (all: number, index: number): number => Math.max(0, Math.ceil((all - index) / generators.length));
for (const [index, { graphs: generator, runs }] of generators.entries()) {
  const own = share(count, index);
  const report = await runGraphs({ generator, catalog, seed, count: own });
  const seconds = (report.took / 1_000).toFixed(1);
  process.stdout.write(
    `${report.product}: ${own} documents from seed ${seed}, ${report.imported} imported (${report.whole} without a placeholder), ${report.violations.length} violations; ${seconds} s, the slowest ${report.slowest.toFixed(0)} ms\n`,
  );
  for (const [why, times] of Object.entries(report.refused)) process.stdout.write(`  refused ${times}: ${why}\n`);
  for (const [kind, list] of Map.groupBy(report.violations, (one) => one.kind)) {
    const seeds = list.map((one) => one.seed).slice(0, 20);
    console.error(`  ${list.length} × ${kind}, seeds ${seeds.join(", ")}: ${list[0]?.reason.slice(0, 400)}`);
  }
  violations.push(...report.violations);
  if (share(runCount, index) === 0) continue;
  const ran = await compareRuns(runs, seed, share(runCount, index));
  process.stdout.write(
    `${ran.product}: ${ran.compared} of ${share(runCount, index)} documents ran here and there, ${ran.steps} steps, ${ran.differences.length} differences\n`,
  );
  for (const [why, times] of Object.entries(ran.left)) process.stdout.write(`  not compared ${times}: ${why}\n`);
  for (const difference of ran.differences.slice(0, 10))
    console.error(`  seed ${difference.seed}: ${JSON.stringify(difference, plain).slice(0, 2_000)}`);
  violations.push(...ran.differences);
}
if (out !== "") writeFileSync(out, `${JSON.stringify(violations, plain, 1)}\n`);
process.exit(violations.length === 0 ? 0 : 1);
