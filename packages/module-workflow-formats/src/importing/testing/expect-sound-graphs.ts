import { expect } from "vitest";
import type { GraphGenerator } from "./graph-generator.ts";
import { productNodes } from "./node-catalog.ts";
import { runGraphs } from "./run-graphs.ts";

/** Five products come to more than 800. */
const COUNT = 170;

/** Generated documents lose nothing, and become drafts with placeholders as their only problems. */
export async function expectSoundGraphs(generator: GraphGenerator): Promise<void> {
  const { product } = generator;
  const report = await runGraphs({ generator, catalog: await productNodes(), seed: 1, count: COUNT });
  const again = report.violations.map(
    ({ seed, kind, reason, document }) =>
      `${kind}, pnpm import-graphs --product ${product} --count 1 --seed ${seed}: ${reason}\n${JSON.stringify(document)}`,
  );
  expect(again).toEqual([]);
  expect(report.imported).toBeGreaterThan(COUNT / 2);
}
