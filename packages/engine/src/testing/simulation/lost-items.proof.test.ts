import { describe, expect, it } from "vitest";
import { EngineHarness } from "../engine-harness.ts";
import type { ScriptedNode } from "../scripted-nodes.ts";

const definition = {
  initial: "each",
  states: {
    each: { invoke: { src: "each", onDone: "done" } },
    done: { type: "final", output: "$.each_output" },
  },
};

describe("an at-most-once node that was interrupted while it went on with its items", () => {
  it("still has the results of its items when a person has it called again", async () => {
    let calls = 0;
    const each: ScriptedNode = {
      effect: "at-most-once",
      run: () => ({ type: "wait", for: "items", request: { items: [{ key: "a", input: 1 }], concurrency: 1 } }),
      runItem: () => ({ type: "done", output: "A" }),
      resume: (_call, signal) => {
        calls += 1;
        if (calls === 1) return new Promise(() => undefined);
        return { type: "done", output: signal.type === "items" ? signal.items.map(({ output }) => output) : null };
      },
    };
    const harness = new EngineHarness(definition, { each });
    const id = await harness.create();
    void harness.engine.advance(id);
    await harness.clock.advance(0);
    expect(calls).toBe(1);
    harness.restart();
    await harness.store.voidLeases();
    await harness.engine.advance(id);
    const [lost] = [...harness.store.reviews.values()].filter(({ status }) => status === "open");
    await harness.decide(lost?.id ?? 0, "rerun");
    expect(harness.columns(id)).toMatchObject({ status: "completed", output: ["A"] });
  });
});
