import type { JsonObject } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { toGraph } from "../graph/to-graph.ts";
import { type RunStep, toTakenEdges } from "./taken-edges.ts";

const say = (onDone: string, more: JsonObject = {}): JsonObject => ({
  invoke: { src: "core.log", input: { message: "m" }, onDone, ...more },
});

function path(definition: JsonObject, steps: (string | [id: string, failed: true])[], ends: string[]): string[] {
  const model = toGraph(definition);
  const made = steps.map((step, index): RunStep => {
    const [stateId, failed] = typeof step === "string" ? [step, false] : step;
    return { stateId, start: index * 10, failed };
  });
  const taken = toTakenEdges(model, made, ends);
  return model.edges.filter(({ id }) => taken.has(id)).map(({ source, target }) => `${source}→${target}`);
}

describe("the lines a run took", () => {
  const branching: JsonObject = {
    initial: "ask",
    states: {
      ask: say("choose", { onError: "failed" }),
      choose: { always: [{ target: "left" }, { target: "right" }] },
      left: say("done"),
      right: say("done"),
      done: { type: "final" },
      failed: { type: "final", outcome: "failed" },
    },
  };

  it("lead through states that leave no record, and not along branches that were not taken", () => {
    expect(path(branching, ["ask", "right"], ["done"])).toEqual([
      "(start)→ask",
      "ask→choose",
      "choose→right",
      "right→done",
    ]);
  });

  it("are those of errors only after an error", () => {
    expect(path(branching, [["ask", true]], ["failed"])).toEqual(["(start)→ask", "ask→failed"]);
    const both: JsonObject = {
      initial: "a",
      states: { a: say("b", { onError: "b" }), b: say("done"), done: { type: "final" } },
    };
    const model = toGraph(both);
    const taken = toTakenEdges(
      model,
      [
        { stateId: "a", start: 0, failed: false },
        { stateId: "b", start: 1, failed: false },
      ],
      [],
    );
    expect(model.edges.filter(({ tone }) => tone === "error").some(({ id }) => taken.has(id))).toBe(false);
  });

  it("tell a failure from a success where both lead to the same state", () => {
    const model = toGraph({
      initial: "ask",
      states: { ask: say("next", { onError: "next" }), next: say("done"), done: { type: "final" } },
    });
    const toneOf = (failed: boolean) => {
      const steps = [
        { stateId: "ask", start: 0, failed },
        { stateId: "next", start: 1, failed: false },
      ];
      const taken = toTakenEdges(model, steps, []);
      return model.edges.filter(({ id, source }) => source === "ask" && taken.has(id)).map(({ tone }) => tone);
    };
    expect(toneOf(false)).toEqual(["done"]);
    expect(toneOf(true)).toEqual(["error"]);
  });

  it("come from the newest visit, in a cycle", () => {
    const cycle: JsonObject = {
      initial: "draft",
      states: {
        draft: say("review"),
        review: { invoke: { src: "core.log", onDone: [{ target: "draft", guard: "again" }, { target: "done" }] } },
        done: { type: "final" },
      },
    };
    expect(path(cycle, ["draft", "review"], [])).toEqual(["(start)→draft", "draft→review"]);
    expect(path(cycle, ["draft", "review", "draft", "review"], ["done"])).toEqual([
      "(start)→draft",
      "draft→review",
      "review→draft",
      "review→done",
    ]);
  });

  it("lead into a group, through it and out of it", () => {
    const grouped: JsonObject = {
      initial: "before",
      states: {
        before: say("group"),
        group: {
          initial: "one",
          states: { one: say("two"), two: say("end"), end: { type: "final" } },
          onDone: "after",
        },
        after: say("done"),
        done: { type: "final" },
      },
    };
    expect(path(grouped, ["before", "one", "two", "after"], ["done"])).toEqual([
      "(start)→before",
      "before→group",
      "group→after",
      "one→two",
      "after→done",
    ]);
  });
});
