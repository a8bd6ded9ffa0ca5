import { expect } from "vitest";
import type { GraphGenerator } from "./graph-generator.ts";
import { productNodes } from "./node-catalog.ts";
import { runGraphs } from "./run-graphs.ts";

/** Five products come to more than 800. */
const COUNT = 170;

/**
 * Generated documents lose nothing, and become drafts with placeholders as their only problems.
 * @param found seeds of documents that did not, once
 */
export async function expectSoundGraphs(generator: GraphGenerator, found: readonly number[] = []): Promise<void> {
  const { product } = generator;
  const catalog = await productNodes();
  const report = await runGraphs({ generator, catalog, seed: 1, count: COUNT });
  const violations = [...report.violations];
  for (const seed of found) violations.push(...(await runGraphs({ generator, catalog, seed, count: 1 })).violations);
  const again = violations.map(
    ({ seed, kind, reason, document }) =>
      `${kind}, pnpm import-graphs --product ${product} --count 1 --seed ${seed}: ${reason}\n${JSON.stringify(document)}`,
  );
  expect(again).toEqual([]);
  expect(report.imported).toBeGreaterThan(COUNT / 2);
}
