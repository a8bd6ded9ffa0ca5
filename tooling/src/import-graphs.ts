import { writeFileSync } from "node:fs";
import { loadGenerators } from "../../packages/module-workflow-formats/src/importing/testing/graph-generator.ts";
import { productCatalog } from "../../packages/module-workflow-formats/src/importing/testing/node-catalog.ts";
import { runGraphs } from "../../packages/module-workflow-formats/src/importing/testing/run-graphs.ts";

/*
 * `pnpm import-graphs [--count 20000] [--seed 1] [--product n8n] [--out FILE]`: generated documents of each product that is imported from.
 * None may lose a node or a connection, fail unexpectedly, or become a draft with problems beside its placeholders. Document n is that of
 * the seed `--seed` + n alone. Violations are made as small as possible and written to `--out` as JSON.
 */
const option = (name: string, otherwise: string): string => {
  const position = process.argv.indexOf(`--${name}`);
  return position === -1 ? otherwise : (process.argv[position + 1] ?? "");
};
const [count, seed] = [Number(option("count", "20000")), Number(option("seed", "1"))];
const [product, out] = [option("product", ""), option("out", "")];
const generators = (await loadGenerators()).filter((one) => product === "" || one.product === product);
if (!Number.isInteger(count) || !Number.isInteger(seed) || count < 1 || generators.length === 0) {
  console.error("Usage: pnpm import-graphs [--count COUNT] [--seed SEED] [--product PRODUCT] [--out FILE]");
  process.exit(2);
}
const catalog = await productCatalog();
const violations = [];
for (const [index, generator] of generators.entries()) {
  const own = Math.ceil((count - index) / generators.length);
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
}
if (out !== "") writeFileSync(out, `${JSON.stringify(violations, null, 1)}\n`);
process.exit(violations.length === 0 ? 0 : 1);
