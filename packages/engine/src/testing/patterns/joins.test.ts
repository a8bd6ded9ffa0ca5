import { describe, expect, it } from "vitest";
import { PatternRun } from "./pattern-run.ts";

describe("joins of some of the branches", () => {
  it("28 blocking discriminator: a branch that came waits until all have come", async () => {
    const run = await PatternRun.start("28-blocking-discriminator");
    await run.send("a");
    expect(run.open).toEqual(["after", "b"]);
    // The branch that came is blocked.
    await run.send("a");
    expect(run.started("a")).toBe(1);
    await run.send("after");
    expect(run.open).toEqual(["b"]);
    await run.send("b");
    expect([run.open, run.started("after")]).toEqual([["a", "b"], 1]);
    await run.send("b");
    expect([run.open, run.started("after")]).toEqual([["a", "after"], 2]);
    await run.send("stop");
    expect(run.status).toBe("completed");
  });

  it("29 cancelling discriminator: the first branch starts what follows, and the others are cancelled", async () => {
    const run = await PatternRun.start("29-cancelling-discriminator");
    await run.send("b");
    expect([run.started("after"), run.statuses("a"), run.status]).toEqual([1, ["cancelled"], "completed"]);
  });

  it("30 structured partial join: two of three start what follows, the third has no effect", async () => {
    const run = await PatternRun.start("30-structured-partial-join");
    await run.send("c");
    expect(run.started("after")).toBe(0);
    await run.send("a");
    expect([run.started("after"), run.open]).toEqual([1, ["after", "b"]]);
    await run.send("b");
    await run.send("after");
    expect([run.started("after"), run.status]).toEqual([1, "completed"]);
  });

  it("31 blocking partial join: two of three start what follows, and those that came wait for the third", async () => {
    const run = await PatternRun.start("31-blocking-partial-join");
    await run.send("a");
    expect([run.open, run.started("after")]).toEqual([["b", "c"], 0]);
    await run.send("c");
    expect([run.open, run.started("after")]).toEqual([["after", "b"], 1]);
    await run.send("after");
    await run.send("b");
    expect([run.open, run.started("after")]).toEqual([["a", "b", "c"], 1]);
  });

  it("32 cancelling partial join: two of three start what follows, and the third is cancelled", async () => {
    const run = await PatternRun.start("32-cancelling-partial-join");
    await run.send("a");
    expect([run.open, run.started("after")]).toEqual([["b", "c"], 0]);
    await run.send("c");
    expect([run.started("after"), run.statuses("b"), run.status]).toEqual([1, ["cancelled"], "completed"]);
  });

  it("33 generalised AND-join: what a branch brings more than once is kept for the other one", async () => {
    const run = await PatternRun.start("33-generalised-and-join");
    await run.send("a");
    await run.send("a");
    expect([run.started("after"), run.open]).toEqual([0, ["a", "b"]]);
    await run.send("b");
    expect(run.started("after")).toBe(1);
    await run.send("b");
    expect(run.started("after")).toBe(2);
    await run.send("b");
    expect(run.started("after")).toBe(2);
    await run.send("stop");
    expect(run.status).toBe("completed");
  });

  it("37 local synchronizing merge: a branch that another one decides on is waited for only when it comes", async () => {
    const without = await PatternRun.start("37-local-synchronizing-merge");
    await without.send("b");
    expect(without.started("after")).toBe(0);
    await without.send("a");
    expect([without.started("after"), without.started("c"), without.status]).toEqual([1, 0, "completed"]);
    const more = await PatternRun.start("37-local-synchronizing-merge");
    await more.send("a", "more");
    await more.send("b");
    expect([more.open, more.started("after")]).toEqual([["c"], 0]);
    await more.send("c");
    expect([more.started("after"), more.status]).toEqual([1, "completed"]);
  });
});
