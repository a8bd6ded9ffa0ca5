import type { Json } from "@oven/contract";
import fc from "fast-check";
import { simulatedCatalog } from "../simulation/simulated-nodes.ts";
import { whatBreaks } from "./check-definition.ts";
import { malformed } from "./generated.ts";

export interface GeneratedResult {
  /** How many stayed valid, and were compiled and started. */
  valid: number;
  failure: { seed: number; reason: string; definition: Json } | undefined;
}

/** Generated definitions from one seed on; the first that is not dealt with as promised is shrunk. */
export function runGenerated(seed: number, count: number): GeneratedResult {
  const catalog = simulatedCatalog();
  let valid = 0;
  const property = fc.property(malformed, (definition) => {
    const broken = whatBreaks(definition, catalog, () => {
      valid += 1;
    });
    if (broken !== undefined) throw new Error(broken);
  });
  const details = fc.check(property, { seed, numRuns: count });
  const definition = details.counterexample?.[0];
  if (!details.failed || definition === undefined) return { valid, failure: undefined };
  const reason = details.errorInstance instanceof Error ? details.errorInstance.message : "unknown";
  return { valid, failure: { seed, reason, definition } };
}
