import { describe, expect, it } from "vitest";
import { PatternRun } from "./pattern-run.ts";

describe("what depends on the state", () => {
  it("16 deferred choice: all ways stand open, and what happens first decides", async () => {
    const run = await PatternRun.start("16-deferred-choice");
    expect([run.order, run.status]).toEqual([[], "paused"]);
    await run.send("declined");
    expect([run.order, run.status]).toEqual([["declined"], "completed"]);
    const late = await PatternRun.start("16-deferred-choice");
    await late.elapse(3_600_000);
    expect([late.order, late.status]).toEqual([["expired"], "completed"]);
  });

  it("17 interleaved parallel routing: one at a time, in any order in which b comes before c", async () => {
    const run = await PatternRun.start("17-interleaved-parallel-routing");
    await run.send("start.c");
    expect(run.open).toEqual([]);
    await run.send("start.b");
    await run.send("start.a");
    expect(run.open).toEqual(["b"]);
    await run.send("b");
    for (const step of ["c", "a"]) {
      await run.send(`start.${step}`);
      expect(run.open).toEqual([step]);
      await run.send(step);
    }
    expect([run.order, run.status]).toEqual([["b", "c", "a", "after"], "completed"]);
  });

  it("40 interleaved routing: one at a time, in any order, each once", async () => {
    const run = await PatternRun.start("40-interleaved-routing");
    for (const step of ["c", "a", "b"]) {
      await run.send(`start.${step}`);
      expect(run.open).toEqual([step]);
      if (step !== "c") await run.send("start.c");
      expect(run.open).toEqual([step]);
      await run.send(step);
    }
    expect([run.order, run.status]).toEqual([["c", "a", "b", "after"], "completed"]);
  });

  it("18 milestone: a step may begin only while the other branch stands at the milestone", async () => {
    const run = await PatternRun.start("18-milestone");
    await run.send("change");
    expect(run.started("b")).toBe(0);
    await run.send("a");
    await run.send("change");
    expect(run.open).toEqual(["b"]);
    await run.send("b");
    await run.send("depart");
    await run.send("change");
    expect(run.started("b")).toBe(1);
    await run.send("finish");
    expect(run.status).toBe("completed");
  });

  it("39 critical section: of two branches that want it at once one waits, also for one that wants it again", async () => {
    const run = await PatternRun.start("39-critical-section");
    expect(run.open).toEqual(["a"]);
    await run.send("a");
    expect(run.open).toEqual(["a_after", "b"]);
    await run.send("a.after", "again");
    expect(run.open).toEqual(["b"]);
    await run.send("b");
    expect(run.open).toEqual(["a"]);
    await run.send("a");
    await run.send("a.after");
    expect([run.order, run.status]).toEqual([["a", "a_after", "b", "a", "a_after"], "completed"]);
  });
});

describe("triggers", () => {
  it("23 transient trigger: one that comes too early is lost", async () => {
    const run = await PatternRun.start("23-transient-trigger");
    await run.send("paid");
    await run.send("a");
    expect(run.status).toBe("paused");
    await run.send("paid");
    expect(run.status).toBe("completed");
  });

  it("24 persistent trigger: one that comes early is there when it is wanted", async () => {
    const run = await PatternRun.start("24-persistent-trigger");
    await run.send("paid");
    expect(run.status).toBe("paused");
    await run.send("a");
    expect(run.status).toBe("completed");
    const late = await PatternRun.start("24-persistent-trigger");
    await late.send("a");
    expect(late.status).toBe("paused");
    await late.send("paid");
    expect(late.status).toBe("completed");
  });
});

describe("cancellation and termination", () => {
  it("19 cancel task: the step is withdrawn, and the run goes on", async () => {
    const run = await PatternRun.start("19-cancel-task");
    await run.send("withdraw");
    expect([run.statuses("a"), run.started("b"), run.status]).toEqual([["cancelled"], 1, "completed"]);
  });

  it("20 cancel case: everything of the run is withdrawn", async () => {
    const run = await PatternRun.start("20-cancel-case");
    await run.send("abort");
    expect([run.outcome, run.statuses("a"), run.statuses("b")]).toEqual(["aborted", ["cancelled"], ["cancelled"]]);
  });

  it("25 cancel region: what lies in it is withdrawn, what lies beside it goes on", async () => {
    const run = await PatternRun.start("25-cancel-region");
    await run.send("withdraw");
    expect([run.open, run.statuses("a"), run.statuses("b")]).toEqual([["c"], ["cancelled"], ["cancelled"]]);
    await run.send("c");
    expect(run.status).toBe("completed");
  });

  it("43 explicit termination: the run ends where it says so, whatever else is at work", async () => {
    const run = await PatternRun.start("43-explicit-termination");
    await run.send("a");
    expect([run.status, run.outcome, run.statuses("b")]).toEqual(["completed", "finished", ["cancelled"]]);
  });
});
