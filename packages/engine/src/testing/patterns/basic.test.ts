import { describe, expect, it } from "vitest";
import { PatternRun } from "./pattern-run.ts";

describe("basic control flow", () => {
  it("01 sequence: a step begins once the one before it has ended", async () => {
    const run = await PatternRun.start("01-sequence");
    expect(run.open).toEqual(["a"]);
    await run.send("a");
    expect(run.open).toEqual(["b"]);
    await run.send("b");
    expect([run.order, run.status]).toEqual([["a", "b"], "completed"]);
  });

  it("02 parallel split: several branches are at work at once", async () => {
    const run = await PatternRun.start("02-parallel-split");
    expect(run.open).toEqual(["first"]);
    await run.send("first");
    expect(run.open).toEqual(["a", "b"]);
  });

  it("03 synchronization: what follows begins once, when all branches have ended", async () => {
    const run = await PatternRun.start("03-synchronization");
    await run.send("b");
    expect([run.open, run.started("after")]).toEqual([["a"], 0]);
    await run.send("a");
    expect([run.open, run.started("after")]).toEqual([["after"], 1]);
  });

  it.each([
    [500, "large", "small"],
    [5, "small", "large"],
  ])("04 exclusive choice: of an amount of %s exactly the way %s is taken", async (amount, taken, other) => {
    const run = await PatternRun.start("04-exclusive-choice", { amount });
    expect([run.open, run.started(other)]).toEqual([[taken], 0]);
    await run.send(taken);
    expect(run.status).toBe("completed");
  });

  it.each([
    [500, "large"],
    [5, "small"],
  ])(
    "05 simple merge: after the way for %s the same step follows, without waiting for another",
    async (amount, taken) => {
      const run = await PatternRun.start("05-simple-merge", { amount });
      await run.send(taken);
      expect([run.order, run.status]).toEqual([["a", taken, "after"], "completed"]);
    },
  );
});

describe("branching and joining", () => {
  it("06 multi-choice: each branch that is wanted is taken, none to all", async () => {
    expect((await PatternRun.start("06-multi-choice", { wanted: ["car", "flight"] })).open).toEqual(["car", "flight"]);
    expect((await PatternRun.start("06-multi-choice", { wanted: ["car", "flight", "hotel"] })).open).toHaveLength(3);
    expect((await PatternRun.start("06-multi-choice", { wanted: [] })).status).toBe("completed");
  });

  it("07 structured synchronizing merge: it waits for the branches that were taken, and for no others", async () => {
    const run = await PatternRun.start("07-structured-synchronizing-merge", { wanted: ["car", "hotel"] });
    await run.send("hotel");
    expect([run.open, run.started("after")]).toEqual([["car"], 0]);
    await run.send("car");
    expect([run.open, run.started("after"), run.started("flight")]).toEqual([["after"], 1, 0]);
    expect((await PatternRun.start("07-structured-synchronizing-merge", { wanted: [] })).open).toEqual(["after"]);
  });

  it("08 multi-merge: what follows runs once for each branch that comes", async () => {
    const run = await PatternRun.start("08-multi-merge");
    expect(run.open).toEqual(["a", "b"]);
    await run.sendTo(1, "b");
    expect([run.started("after"), run.open]).toEqual([1, ["a"]]);
    await run.sendTo(0, "a");
    expect([run.started("after"), run.status]).toEqual([2, "completed"]);
  });

  it("09 structured discriminator: the first branch starts what follows, later ones have no effect", async () => {
    const run = await PatternRun.start("09-structured-discriminator");
    expect(run.started("after")).toBe(0);
    await run.send("b");
    expect([run.started("after"), run.open]).toEqual([1, ["a", "after"]]);
    await run.send("after");
    expect(run.status).not.toBe("completed");
    await run.send("a");
    expect([run.started("after"), run.status]).toEqual([1, "completed"]);
  });

  it("10 arbitrary cycles: a cycle with two ways in and two ways out", async () => {
    const run = await PatternRun.start("10-arbitrary-cycles");
    await run.send("a", "skip");
    expect(run.open).toEqual(["c"]);
    await run.send("c", "from b");
    await run.send("b");
    await run.send("c", "from a");
    await run.send("a");
    await run.send("b");
    await run.send("c");
    expect([run.order, run.status]).toEqual([["a", "c", "b", "c", "a", "b", "c"], "completed"]);
  });

  it("11 implicit termination: the run ends when nothing is left to do, wherever that is", async () => {
    const run = await PatternRun.start("11-implicit-termination");
    await run.send("a");
    expect([run.status, run.open]).toEqual(["paused", ["b"]]);
    await run.send("b");
    expect(run.status).toBe("completed");
  });
});

describe("iteration", () => {
  it("21 structured loop: the body runs while the condition holds, and not at all when it never does", async () => {
    const run = await PatternRun.start("21-structured-loop", { times: 3 });
    expect([run.started("work"), run.output]).toEqual([3, 3]);
    expect((await PatternRun.start("21-structured-loop", { times: 0 })).started("work")).toBe(0);
  });

  it("22 recursion: a workflow calls itself, at most five deep", async () => {
    expect((await PatternRun.start("22-recursion", { n: 5 })).output).toBe(120);
    expect((await PatternRun.start("22-recursion", { n: 8 })).status).toBe("failed");
  });
});
