import { type Json, OvenError } from "@oven/contract";
import { describe, expect, it } from "vitest";
import type { RunCommit } from "../store.ts";
import { EngineHarness } from "../testing/engine-harness.ts";
import type { ScriptedNode } from "../testing/scripted-nodes.ts";
import { settle } from "../testing/simulated-clock.ts";
import { withCommit } from "../testing/with-commit.ts";

const adds: ScriptedNode = { isLocal: true, run: ({ input }) => ({ type: "done", output: { sum: sumOf(input) } }) };
const sends: ScriptedNode = {
  effect: "at-least-once",
  run: ({ input }) => ({ type: "done", output: { sum: sumOf(input) } }),
};

function sumOf(input: unknown): number {
  const { a, b } = input as { a: number; b: number }; // cast: the definitions below
  return a + b;
}

/** Adds one at each of its steps; the one called `sends` has an effect. */
function chain(...kinds: ("adds" | "sends")[]): object {
  const states: Record<string, object> = { done: { type: "final", output: `$.s${kinds.length}_output.sum` } };
  for (const [index, src] of kinds.entries()) {
    const a: Json = index === 0 ? 0 : `$.s${index}_output.sum`;
    const onDone = index === kinds.length - 1 ? "done" : `s${index + 2}`;
    states[`s${index + 1}`] = { invoke: { src, input: { a, b: 1 }, onDone } };
  }
  return { initial: "s1", states };
}

/** A store whose commits are written when they are let through, in their order. */
function held(harness: EngineHarness) {
  const waiting: (() => void)[] = [];
  const commits: RunCommit[] = [];
  let refused: ((commit: RunCommit) => unknown) | undefined;
  const store = withCommit(harness, async (commit) => {
    commits.push(commit);
    await new Promise<void>((resolve) => waiting.push(resolve));
    const cause = refused?.(commit);
    if (cause !== undefined) throw cause;
    return harness.store.commit(commit);
  });
  return {
    store,
    commits,
    refuse: (when: (commit: RunCommit) => unknown) => {
      refused = when;
    },
    async letThrough(count = Number.POSITIVE_INFINITY) {
      for (let left = count; left > 0 && waiting.length > 0; left -= 1) {
        waiting.shift()?.();
        await settle();
      }
    },
  };
}

describe("a node that only computes", () => {
  it("runs before what led to it is written, and one with an effect after it", async () => {
    const harness = new EngineHarness(chain("adds", "adds", "sends", "adds"), { adds, sends });
    const { store, commits, letThrough } = held(harness);
    harness.restart(store);
    const id = await harness.create();
    const work = harness.engine.advance(id);
    await settle();
    // Begin, s1 and s2 are on their way; s3 waits for all of them.
    expect([harness.nodes.calls, commits.length]).toEqual([["run s1#1", "run s2#1"], 3]);
    expect(harness.store.run(id).columns).toBeNull();
    await letThrough(2);
    expect(harness.nodes.calls).toHaveLength(2);
    expect(harness.rows(id)).toEqual(["s1#1 completed", "s2#1 running"]);
    await letThrough(1);
    // What s4 computes from need not be written, either.
    expect(harness.nodes.calls).toEqual(["run s1#1", "run s2#1", "run s3#1", "run s4#1"]);
    expect(harness.rows(id).at(-1)).toBe("s3#1 running");
    await letThrough();
    await work;
    expect(harness.columns(id)).toMatchObject({ status: "completed", output: 4 });
    // Each step is a commit of its own, in order.
    expect(commits.map(({ seq }) => seq)).toEqual([...commits.map(({ seq }) => seq)].sort((a, b) => a - b));
    expect(commits).toHaveLength(5);
  });

  it("is not told of before it is written", async () => {
    const harness = new EngineHarness(chain("adds", "adds"), { adds });
    const { store, letThrough } = held(harness);
    harness.restart(store);
    const id = await harness.create();
    let hasEnded = false;
    const work = harness.engine.advance(id).then(() => {
      hasEnded = true;
    });
    await settle();
    expect([hasEnded, harness.store.run(id).columns]).toEqual([false, null]);
    await letThrough();
    await work;
    expect(harness.columns(id).status).toBe("completed");
  });

  it("counts for nothing after a commit that another worker has overtaken", async () => {
    const harness = new EngineHarness(chain("adds", "adds", "sends"), { adds, sends });
    const { store, letThrough } = held(harness);
    harness.restart(store);
    const id = await harness.create();
    const work = harness.engine.advance(id);
    await settle();
    await harness.store.voidLeases();
    await harness.restart().advance(id);
    expect(harness.columns(id)).toMatchObject({ status: "completed", output: 3 });
    await letThrough();
    await work;
    // The first worker computed, but sent nothing.
    expect(harness.nodes.calls).toEqual(["run s1#1", "run s2#1", "run s1#1", "run s2#1", "run s3#1"]);
    expect(harness.rows(id)).toEqual(["s1#1 completed", "s2#1 completed", "s3#1 completed"]);
  });

  it("that a refused commit led to ends with its run, which stands where it was written", async () => {
    const harness = new EngineHarness(chain("adds", "adds", "adds", "sends"), { adds, sends });
    const { store, refuse, letThrough } = held(harness);
    refuse(({ rows }) =>
      rows.some((row) => row.nodeId === "s2" && row.type === "finish" && row.status === "completed")
        ? new OvenError("COMMIT_REFUSED", "too deep")
        : undefined,
    );
    harness.restart(store);
    const id = await harness.create();
    const work = harness.engine.advance(id);
    await settle();
    await letThrough();
    await work;
    expect(harness.columns(id)).toMatchObject({ status: "failed", errorInfo: { code: "COMMIT_REFUSED" } });
    expect(harness.rows(id)).toEqual(["s1#1 completed", "s2#1 cancelled"]);
    expect(harness.nodes.calls).not.toContain("run s4#1");
  });

  it("does not run without end before something is written", async () => {
    const count = 100;
    const harness = new EngineHarness(chain(...Array.from({ length: count }, () => "adds" as const)), { adds });
    const { store, commits, letThrough } = held(harness);
    harness.restart(store);
    const id = await harness.create();
    const work = harness.engine.advance(id);
    await settle();
    expect(commits.length).toBeGreaterThan(1);
    expect(commits.length).toBeLessThan(count / 2);
    while (harness.store.run(id).columns?.status !== "completed") await letThrough();
    await work;
    expect(harness.columns(id).output).toBe(count);
  });
});
