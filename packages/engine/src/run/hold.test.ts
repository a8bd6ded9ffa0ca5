import type { JsonObject } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { EngineHarness } from "../testing/engine-harness.ts";
import type { ScriptedNode } from "../testing/scripted-nodes.ts";
import { settle } from "../testing/simulated-clock.ts";

const STEPS = 4;
const HEARTBEAT_MS = 10_000;

/** A call that goes on until it is let through. */
class Held {
  readonly begun: string[] = [];
  #release: (() => void) | undefined;
  readonly node: ScriptedNode = {
    effect: "at-most-once",
    run: ({ node, input }) => {
      this.begun.push(node.nodeId);
      return new Promise((resolve) => {
        this.#release = () => resolve({ type: "done", output: { n: Number((input as JsonObject).n) + 1 } });
      });
    },
  };

  async letThrough(): Promise<void> {
    this.#release?.();
    await settle();
  }
}

function chain(): object {
  const states: Record<string, object> = { done: { type: "final", output: `$.s${STEPS}_output.n` } };
  for (let step = 1; step <= STEPS; step += 1) {
    const n = step === 1 ? 0 : `$.s${step - 1}_output.n`;
    states[`s${step}`] = { invoke: { src: "call", input: { n }, onDone: step === STEPS ? "done" : `s${step + 1}` } };
  }
  return { initial: "s1", states };
}

describe("a run that is held", () => {
  it("records the call that is under way and begins no other, wherever it stands, and loses and repeats nothing", async () => {
    for (let at = 1; at <= STEPS; at += 1) {
      const call = new Held();
      const harness = new EngineHarness(chain(), { call: call.node });
      const id = await harness.create();
      const working = harness.engine.advance(id);
      await settle();
      for (let step = 1; step < at; step += 1) await call.letThrough();
      harness.store.held.add(id);
      harness.engine.hold(id);
      await call.letThrough();
      await working;
      expect(call.begun).toHaveLength(at);
      expect(harness.rows(id).filter((row) => row.endsWith("completed"))).toHaveLength(at);
      // Neither a wake-up nor a new process begins a step.
      await harness.engine.advance(id);
      await harness.restart().advance(id);
      expect(call.begun).toHaveLength(at);
      harness.store.held.delete(id);
      const going = harness.engine.advance(id);
      for (let step = at; step < STEPS; step += 1) {
        await settle();
        await call.letThrough();
      }
      await going;
      expect(harness.columns(id)).toMatchObject({ status: "completed", output: STEPS });
      expect(call.begun).toEqual(["s1", "s2", "s3", "s4"]);
    }
  });

  it("does not count the time for which it was held", async () => {
    const call = new Held();
    const harness = new EngineHarness({ ...chain(), timeoutMs: 60_000 }, { call: call.node });
    const id = await harness.create();
    const working = harness.engine.advance(id);
    await settle();
    harness.store.held.add(id);
    harness.engine.hold(id);
    await call.letThrough();
    await working;
    await harness.clock.advance(48 * 3_600_000);
    harness.store.held.delete(id);
    const going = harness.engine.advance(id);
    for (let step = 1; step < STEPS; step += 1) {
      await settle();
      await call.letThrough();
    }
    await going;
    expect(harness.columns(id)).toMatchObject({ status: "completed", output: STEPS });
  });

  it("finds out by its heartbeat where no word came", async () => {
    const call = new Held();
    const harness = new EngineHarness(chain(), { call: call.node });
    const id = await harness.create();
    const working = harness.engine.advance(id);
    await settle();
    harness.store.held.add(id);
    await harness.clock.advance(HEARTBEAT_MS);
    await settle();
    await call.letThrough();
    await working;
    expect(call.begun).toEqual(["s1"]);
    expect(harness.columns(id).status).toBe("running");
  });
});
