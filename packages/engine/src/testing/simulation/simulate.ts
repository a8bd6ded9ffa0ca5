import type { JsonObject } from "@oven/contract";
import fc from "fast-check";
import { isSameJson } from "../../index.ts";
import { brokenPromises } from "./invariants.ts";
import { outcomeOf, withoutFrozenViews } from "./outcome.ts";
import { type Case, cases } from "./shape.ts";
import { SimulatedWorld } from "./simulated-world.ts";
import { toDefinition } from "./to-definition.ts";
import { Violation } from "./violation.ts";

export interface SimulationFailure {
  seed: number;
  /** What did not hold in the smallest case found. */
  reason: string;
  case: Case;
  definition: unknown;
}

/** @throws Violation naming what did not hold */
async function simulateCase(given: Case): Promise<SimulatedWorld> {
  const world = new SimulatedWorld(given);
  await world.run();
  const broken = await brokenPromises(world);
  if (broken.length > 0) throw new Violation(broken.join("; "));
  if (!given.calm) return world;
  const undisturbed = new SimulatedWorld({ ...given, faults: [], order: [], workers: 1 });
  await undisturbed.run();
  const comparable = world.drawn.isParallel ? withoutFrozenViews : (outcome: JsonObject) => outcome;
  const [found, expected] = [comparable(await outcomeOf(world)), comparable(await outcomeOf(undisturbed))];
  const keys = new Set([...Object.keys(expected), ...Object.keys(found)]);
  const different = [...keys].filter((key) => !isSameJson(found[key] ?? null, expected[key] ?? null));
  if (different.length > 0) {
    const pairs = different.map(
      (key) => `${key}: ${JSON.stringify(found[key])}\n  without faults: ${JSON.stringify(expected[key])}`,
    );
    throw new Violation(`it came out differently:\n${pairs.join("\n")}`);
  }
  return world;
}

const SHRINK_MS = 20_000;

/** The case of one seed; a failure is shrunk to the smallest that still fails. */
export async function simulateSeed(seed: number): Promise<SimulationFailure | undefined> {
  const [drawn] = fc.sample(cases, { seed, numRuns: 1 });
  if (!drawn) throw new Error("no case was drawn");
  try {
    await simulateCase(drawn);
    return undefined;
  } catch (cause) {
    const first = { seed, reason: reasonOf(cause), case: drawn, definition: toDefinition(drawn).definition };
    return (await shrink(seed)) ?? first;
  }
}

async function shrink(seed: number): Promise<SimulationFailure | undefined> {
  const property = fc.asyncProperty(cases, async (given) => void (await simulateCase(given)));
  const details = await fc.check(property, { seed, numRuns: 1, interruptAfterTimeLimit: SHRINK_MS });
  const smallest = details.counterexample?.[0];
  if (!details.failed || !smallest) return undefined;
  const { definition } = toDefinition(smallest);
  return { seed, reason: reasonOf(details.errorInstance), case: smallest, definition };
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}

/** The seed that failed, the smallest case, and the command that runs it again. */
export function toReport({ seed, reason, case: given, definition }: SimulationFailure): string {
  return [
    `seed ${seed} failed: ${reason}`,
    `case: ${JSON.stringify(given)}`,
    `definition: ${JSON.stringify(definition)}`,
    `again: pnpm simulate --seeds 1 --from ${seed}`,
  ].join("\n");
}
