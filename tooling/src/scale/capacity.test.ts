import { describe, expect, it } from "vitest";
import { type Bottleneck, capacity, type Installation, simulate } from "./capacity.ts";

const one: Installation = {
  workers: 1,
  runsPerWorker: 50,
  workerMs: 0.3,
  databaseMs: 0.35,
  databaseCores: 4,
  waitMs: 0.3,
};

describe("the capacity model", () => {
  it.each<[string, Partial<Installation>, Bottleneck]>([
    ["one worker", {}, "workers"],
    ["ten workers on a small database", { workers: 10 }, "database"],
    ["ten workers on a large database", { workers: 10, databaseCores: 64 }, "workers"],
    ["one run at a time", { runsPerWorker: 1 }, "runs"],
    ["a far away database", { runsPerWorker: 10, waitMs: 30 }, "runs"],
  ])("agrees with the simulation for %s", (_what, change, bottleneck) => {
    const installation = { ...one, ...change };
    const formula = capacity(installation);
    expect(formula.bottleneck).toBe(bottleneck);
    const simulated = simulate(installation, 2_000);
    // Queues cost a little; they never add anything.
    expect(simulated).toBeLessThanOrEqual(formula.perSecond * 1.02);
    expect(simulated).toBeGreaterThan(formula.perSecond * 0.9);
  });

  it("gives three workers three times one, until the database is the limit", () => {
    const three = simulate({ ...one, workers: 3, databaseCores: 16 }, 2_000);
    expect(three / simulate({ ...one, databaseCores: 16 }, 2_000)).toBeGreaterThan(2.9);
    expect(simulate({ ...one, workers: 30 }, 1_000)).toBeLessThan(capacity({ ...one, workers: 30 }).perSecond * 1.02);
  });
});
