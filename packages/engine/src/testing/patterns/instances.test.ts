import { describe, expect, it } from "vitest";
import { PatternRun } from "./pattern-run.ts";

const items = ["x", "y", "z"];
const three = ["work", "work", "work"];

describe("multiple instances", () => {
  it("12 without synchronization: the rest goes on while they work", async () => {
    const run = await PatternRun.start("12-multiple-instances-without-synchronization", { items });
    expect(run.open).toEqual(["after", ...three]);
    await run.send("after");
    expect([run.started("after"), run.open]).toEqual([1, three]);
    for (const instance of [2, 0, 1]) await run.sendTo(instance, "work");
    expect(run.status).toBe("completed");
  });

  it.each(["13-multiple-instances-known-at-design-time", "14-multiple-instances-known-at-run-time"])(
    "%s: all are at work at once, and what follows waits for all",
    async (name) => {
      const run = await PatternRun.start(name, { items });
      expect(run.open).toEqual(three);
      await run.sendTo(1, "work");
      await run.sendTo(0, "work");
      expect([run.open, run.started("after")]).toEqual([["work"], 0]);
      await run.sendTo(2, "work");
      expect([run.started("after"), run.status]).toEqual([1, "completed"]);
    },
  );

  it("14 known at run time: as many as the input has", async () => {
    const two = await PatternRun.start("14-multiple-instances-known-at-run-time", { items: ["x", "y"] });
    expect(two.open).toHaveLength(2);
    const none = await PatternRun.start("14-multiple-instances-known-at-run-time", { items: [] });
    expect([none.started("after"), none.status]).toEqual([1, "completed"]);
  });

  it("15 not known beforehand: more may come while others work, in rounds, until nothing more can come", async () => {
    const run = await PatternRun.start("15-multiple-instances-not-known-beforehand");
    await run.send("more", "x");
    expect(run.open).toEqual(["work"]);
    // These wait for the round at work.
    await run.send("more", "y");
    await run.send("more", "z");
    expect(run.open).toEqual(["work"]);
    await run.sendTo(0, "work");
    expect(run.open).toEqual(["work", "work"]);
    await run.send("close");
    await run.sendTo(1, "work");
    expect(run.started("after")).toBe(0);
    await run.sendTo(2, "work");
    expect([run.started("after"), run.started("work"), run.status]).toEqual([1, 3, "completed"]);
  });

  it("26 cancel: those at work are cancelled, those that are done stay done", async () => {
    const run = await PatternRun.start("26-cancel-multiple-instances", { items });
    await run.sendTo(1, "work");
    await run.send("withdraw");
    expect([run.status, run.outcome]).toEqual(["completed", "withdrawn"]);
    expect([run.open, run.instances]).toEqual([[], ["cancelled", "completed", "cancelled"]]);
  });

  it("27 complete: those at work are given up, and the run goes on as if all were done", async () => {
    const run = await PatternRun.start("27-complete-multiple-instances", { items });
    await run.sendTo(0, "work");
    await run.send("enough");
    expect([run.started("after"), run.status, run.outcome]).toEqual([1, "completed", null]);
    expect(run.instances).toEqual(["completed", "cancelled", "cancelled"]);
  });

  it("34 static partial join: what follows begins with the second of three, and the third still ends", async () => {
    const run = await PatternRun.start("34-static-partial-join-of-instances", { items });
    expect(run.open).toEqual(["instance_1", "instance_2", "instance_3"]);
    await run.send("instance_2");
    expect(run.started("after")).toBe(0);
    await run.send("instance_1");
    expect([run.started("after"), run.open]).toEqual([1, ["after", "instance_3"]]);
    await run.send("after");
    expect(run.status).not.toBe("completed");
    await run.send("instance_3");
    expect([run.started("after"), run.status]).toEqual([1, "completed"]);
    const two = await PatternRun.start("34-static-partial-join-of-instances", { items: ["x", "y"] });
    expect(two.open).toEqual(["instance_1", "instance_2"]);
  });

  it("35 cancelling partial join: with the second of three the third is cancelled", async () => {
    const run = await PatternRun.start("35-cancelling-partial-join-of-instances", { items });
    await run.send("instance_3");
    expect(run.started("after")).toBe(0);
    await run.send("instance_1");
    expect([run.started("after"), run.status]).toEqual([1, "completed"]);
    expect(run.statuses("instance_2")).toEqual(["cancelled"]);
  });

  it("41 thread merge: several threads of one branch become one", async () => {
    const run = await PatternRun.start("41-thread-merge");
    for (const instance of [0, 1]) await run.sendTo(instance, "work");
    expect(run.started("after")).toBe(0);
    await run.sendTo(2, "work");
    expect(run.started("after")).toBe(1);
  });

  it("42 thread split: one thread becomes several in the same branch", async () => {
    const run = await PatternRun.start("42-thread-split");
    expect(["a", "b", "c"].map((id) => run.started(id))).toEqual([1, 3, 3]);
  });
});
