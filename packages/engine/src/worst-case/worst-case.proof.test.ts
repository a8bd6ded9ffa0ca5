import { describe, expect, it } from "vitest";
import { type Held, holdSeed } from "../testing/simulation/worst-case-held.ts";

/** The first of those that `pnpm simulate:worst-case` goes through. */
const SEEDS = 60;

describe("the worst case of random definitions", () => {
  it(`is not exceeded in ${SEEDS} random runs, and is reached in some`, async () => {
    const exceeded: unknown[] = [];
    const runs: Held[] = [];
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const held = await holdSeed(seed);
      runs.push(held);
      if (held.exceeded.length > 0) exceeded.push({ seed, ...held });
    }
    expect(exceeded).toEqual([]);
    // A bound that is far off says nothing: of each quantity some run needs all that it may, or nearly all of the time, in which
    // pauses between attempts are counted that the run had no need of.
    const comesTo = (name: string, share: number): number =>
      runs.filter(
        ({ needed, most }) => (needed[name] ?? 0) > 0 && (needed[name] ?? 0) >= share * (most[name] ?? Infinity),
      ).length;
    for (const name of ["calls", "tokens", "costMicros", "reviews"]) expect(comesTo(name, 1), name).toBeGreaterThan(0);
    expect(comesTo("time", 0.9), "time").toBeGreaterThan(0);
  });
});
