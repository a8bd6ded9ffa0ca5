import { describe, expect, it } from "vitest";
import { EngineHarness } from "../testing/engine-harness.ts";
import type { ScriptedNode } from "../testing/scripted-nodes.ts";

const waits: ScriptedNode = {
  run: ({ node }) => ({
    type: "wait",
    for: "event",
    request: { event: `next ${node.nodeId}`, correlation: null, dueAt: null },
  }),
  resume: () => ({ type: "done", output: {} }),
};
const step = (onDone: string) => ({ invoke: { src: "waits", onDone } });

function editing(history: object) {
  return {
    initial: "edit",
    states: {
      edit: {
        initial: "one",
        on: { interrupt: "away" },
        onDone: "done",
        states: {
          one: step("group"),
          group: {
            initial: "two",
            onDone: "end",
            states: { two: step("three"), three: step("ge"), ge: { type: "final" } },
          },
          end: { type: "final" },
          back: { type: "history", ...history },
        },
      },
      away: { on: { resume: "back" } },
      done: { type: "final" },
    },
  };
}

async function interrupted(history: object): Promise<{ harness: EngineHarness; id: number }> {
  const harness = new EngineHarness(editing(history), { waits });
  const id = await harness.execute();
  await harness.send(id, "next one");
  await harness.send(id, "next two");
  expect(harness.columns(id).currentState).toBe("three");
  await harness.send(id, "interrupt");
  expect(harness.columns(id).currentState).toBe("away");
  harness.restart();
  await harness.send(id, "resume");
  return { harness, id };
}

describe("a history state", () => {
  it("deep, goes back to the very step, across a restart; its node runs anew, the finished ones do not", async () => {
    const { harness, id } = await interrupted({ history: "deep" });
    expect(harness.columns(id)).toMatchObject({ status: "paused", currentState: "three" });
    expect(harness.rows(id)).toEqual(["one#1 completed", "two#1 completed", "three#1 cancelled", "three#2 paused"]);
    await harness.send(id, "next three");
    expect(harness.columns(id).status).toBe("completed");
  });

  it("shallow, goes back to the group, which begins again", async () => {
    const { harness, id } = await interrupted({});
    expect(harness.columns(id)).toMatchObject({ currentState: "two" });
    expect(harness.rows(id).at(-1)).toBe("two#2 paused");
  });

  it("entered before there is anything to remember goes to its target, else to the initial state", async () => {
    const first = (target: object) => {
      const definition = editing(target);
      return new EngineHarness({ ...definition, initial: "away" }, { waits });
    };
    const plain = first({});
    const id = await plain.execute();
    await plain.send(id, "resume");
    expect(plain.columns(id).currentState).toBe("one");
    const aimed = first({ target: "group" });
    const other = await aimed.execute();
    await aimed.send(other, "resume");
    expect(aimed.columns(other).currentState).toBe("two");
  });

  it("remembers every region of a parallel state", async () => {
    const region = (id: string) => ({
      initial: `${id}1`,
      states: { [`${id}1`]: step(`${id}2`), [`${id}2`]: step(`${id}e`), [`${id}e`]: { type: "final" } },
    });
    const harness = new EngineHarness(
      {
        initial: "both",
        states: {
          both: {
            type: "parallel",
            on: { interrupt: "away" },
            onDone: "done",
            states: { l: region("l"), r: region("r"), back: { type: "history", history: "deep" } },
          },
          away: { on: { resume: "back" } },
          done: { type: "final" },
        },
      },
      { waits },
    );
    const id = await harness.execute();
    await harness.send(id, "next r1");
    await harness.send(id, "interrupt");
    await harness.send(id, "resume");
    expect(harness.columns(id).activeStates).toEqual(["l1", "r2"]);
  });

  it("deep, aimed at from a region inside its group, leaves one timer of each state behind", async () => {
    const harness = new EngineHarness(
      {
        initial: "g",
        states: {
          g: {
            initial: "p",
            states: {
              p: {
                type: "parallel",
                after: { 1000: "done" },
                states: {
                  l: { initial: "l1", states: { l1: { on: { again: "back" } } } },
                  r: { initial: "r1", states: { r1: {} } },
                },
              },
              back: { type: "history", history: "deep" },
            },
          },
          done: { type: "final" },
        },
      },
      {},
    );
    const id = await harness.execute();
    await harness.elapse(600);
    await harness.send(id, "again");
    expect(harness.store.run(id).state?.timers).toMatchObject([{ stateId: "p", key: "1000" }]);
    expect(harness.columns(id).activeStates).toEqual(["l1", "r1"]);
  });

  it("aimed at by the very step it leads back to runs that step anew", async () => {
    const definition = editing({});
    Object.assign(definition.states.edit.states.one, { on: { again: "back" } });
    const harness = new EngineHarness(definition, { waits });
    const id = await harness.execute();
    await harness.send(id, "again");
    expect(harness.rows(id)).toEqual(["one#1 cancelled", "one#2 paused"]);
    expect(harness.columns(id).checkpoint?.waiting).toHaveLength(1);
  });

  it("deep, begins a composite or a loop again instead of returning into its middle", async () => {
    const composite: ScriptedNode = {
      expand: () => ({
        initial: "first",
        states: {
          first: { invoke: { src: "waits", onDone: "second" } },
          second: { invoke: { src: "waits", onDone: "end" } },
          end: { type: "final" },
        },
        output: {},
      }),
    };
    const harness = new EngineHarness(
      {
        initial: "group",
        states: {
          group: {
            initial: "c",
            on: { interrupt: "away" },
            onDone: "done",
            states: {
              c: { invoke: { src: "composite", onDone: "each" } },
              each: {
                loop: {
                  type: "forEach",
                  collection: ["x", "y"],
                  bodyInitial: "b1",
                  bodyStates: { b1: step("b2"), b2: step("be"), be: { type: "final" } },
                  onDone: "ge",
                },
              },
              ge: { type: "final" },
              back: { type: "history", history: "deep" },
            },
          },
          away: { on: { resume: "back" } },
          done: { type: "final" },
        },
      },
      { composite, waits },
    );
    const id = await harness.execute();
    await harness.send(id, "next c.first");
    expect(harness.columns(id).currentState).toBe("c.second");
    await harness.send(id, "interrupt");
    await harness.send(id, "resume");
    expect(harness.columns(id).currentState).toBe("c.first");
    await harness.send(id, "next c.first");
    await harness.send(id, "next c.second");
    await harness.send(id, "next b1");
    expect(harness.columns(id).currentState).toBe("b2");
    await harness.send(id, "interrupt");
    await harness.send(id, "resume");
    expect(harness.columns(id).currentState).toBe("b1");
    expect(harness.rows(id).filter((row) => row.startsWith("each"))).toEqual(["each#1 cancelled", "each#2 running"]);
    for (const event of ["next b1", "next b2", "next b1", "next b2"]) await harness.send(id, event);
    expect(harness.columns(id).status).toBe("completed");
  });
});
