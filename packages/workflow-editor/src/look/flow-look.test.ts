import { describe, expect, it } from "vitest";
import { toPalette } from "../document/new-states.ts";
import { toGraph } from "../graph/to-graph.ts";
import { FLOW_LOOKS, lookOfNode } from "./flow-look.ts";

describe("the look of states that steer a run", () => {
  it("is a symbol of its own for each kind", () => {
    const drawings = Object.values(FLOW_LOOKS).map(({ drawing }) => drawing);
    expect(new Set(drawings).size).toBe(drawings.length);
  });

  it("is told by what the state does, also before the node types have arrived", () => {
    const model = toGraph({
      initial: "choice",
      states: {
        choice: { always: [{ target: "each", guard: { type: "cel", params: { expression: "true" } } }, "side"] },
        each: { loop: { type: "forEach", collection: "$.trigger.items", bodyInitial: "w", bodyStates: { w: {} } } },
        side: { type: "parallel", states: { one: { initial: "x", states: { x: {} } } } },
        wait: { invoke: { src: "core.delay" }, onDone: "bad" },
        timer: { after: { PT1H: "bad" } },
        model: { invoke: { src: "agent.llm" } },
        bad: { type: "final", outcome: "failed" },
        good: { type: "final" },
      },
    });
    const look = (id: string) => model.nodes.find((node) => node.id === id)?.look;
    expect(["choice", "each", "side", "one", "wait", "timer", "model", "bad", "good"].map(look)).toEqual([
      "choice",
      "loop",
      "parallel",
      "group",
      "delay",
      "wait-until",
      null,
      "failed-end",
      "end",
    ]);
  });

  it("is the same in the palette", () => {
    const looks = toPalette([]).map(({ id, look }) => [id, look]);
    expect(Object.fromEntries(looks)).toEqual({
      final: "end",
      failed: "failed-end",
      choice: "choice",
      compound: "group",
      parallel: "parallel",
      loop: "loop",
    });
  });

  it("belongs to nodes of the kind flow only", () => {
    expect(lookOfNode("flow", "core.log")).toBe("log");
    expect(lookOfNode("tool", "core.log")).toBeNull();
    expect(lookOfNode("flow", "mine.other")).toBeNull();
  });
});
