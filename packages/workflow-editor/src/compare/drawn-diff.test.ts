import type { JsonObject } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { toDrawnDiff } from "./drawn-diff.ts";

const say = (message: string, onDone: string): JsonObject => ({
  invoke: { src: "core.log", input: { message }, onDone },
});

const before: JsonObject = {
  initial: "ask",
  states: {
    ask: say("one", "old"),
    old: say("gone", "check"),
    check: say("three", "done"),
    box: { initial: "inside", states: { inside: say("in", "end"), end: { type: "final" } }, onDone: "done" },
    done: { type: "final" },
  },
};
const after: JsonObject = {
  initial: "ask",
  states: {
    ask: say("two", "fresh"),
    fresh: say("new", "group"),
    group: { initial: "check", states: { check: say("three", "ready"), ready: { type: "final" } }, onDone: "done" },
    done: { type: "final" },
  },
};

describe("two definitions as one graph", () => {
  const { model, nodes, edges } = toDrawnDiff(before, after);
  const node = (id: string) => model.nodes.find((entry) => entry.id === id);

  it("marks what was added, removed, changed and moved", () => {
    expect(Object.fromEntries(nodes)).toEqual({
      ask: "changed",
      check: "moved",
      fresh: "added",
      group: "added",
      ready: "added",
      old: "removed",
      box: "removed",
      inside: "removed",
      end: "removed",
    });
  });

  it("draws what is gone where it stood, once, with parents before their children", () => {
    const ids = model.nodes.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(node("inside")?.parentId).toBe("box");
    expect(node("check")?.parentId).toBe("group");
    for (const { id, parentId } of model.nodes)
      if (parentId !== null) expect(ids.indexOf(parentId)).toBeLessThan(ids.indexOf(id));
  });

  it("draws lines that went from a handle that is still there, and every line between states that are drawn", () => {
    const line = (source: string, target: string) =>
      model.edges.find((edge) => edge.source === source && edge.target === target);
    expect(edges.get(line("ask", "old")?.id ?? "")).toBe("removed");
    expect(edges.get(line("ask", "fresh")?.id ?? "")).toBe("added");
    expect(edges.has(line("(start)", "ask")?.id ?? "")).toBe(false);
    for (const edge of model.edges) {
      expect(node(edge.source)?.handles.map(({ id }) => id)).toContain(edge.sourceHandle);
      expect(node(edge.target)).toBeDefined();
    }
  });

  it("keeps the handle of a line that went, where the state has no such way out any more", () => {
    const risky = (onError: object): JsonObject => ({
      initial: "ask",
      states: {
        ask: { invoke: { src: "core.log", onDone: "done", ...onError } },
        done: { type: "final" },
        failed: { type: "final" },
      },
    });
    const drawn = toDrawnDiff(risky({ onError: "failed" }), risky({}));
    const gone = drawn.model.edges.find(({ target }) => target === "failed");
    expect(drawn.edges.get(gone?.id ?? "")).toBe("removed");
    const handles = drawn.model.nodes.find(({ id }) => id === "ask")?.handles.map(({ id }) => id);
    expect(handles).toContain(gone?.sourceHandle);
  });

  it("keeps a ghost whose container is no container any more", () => {
    const flat: JsonObject = { ...before, states: { ...(before.states as JsonObject), box: say("flat", "done") } }; // cast: an object above
    const ghost = toDrawnDiff(before, flat).model.nodes.find(({ id }) => id === "inside");
    expect(ghost?.parentId).toBeNull();
  });

  it("stands where the author put it: the newer one's places, else the older one's, ghosts where nothing is now", () => {
    const placed = (definition: JsonObject, positions: JsonObject): JsonObject => ({
      ...definition,
      meta: { positions },
    });
    const places = { ask: { x: 0, y: 0 }, old: { x: 300, y: 0 }, done: { x: 900, y: 0 } };
    const at = (id: string, from: JsonObject, to: JsonObject) =>
      toDrawnDiff(from, to).model.nodes.find((entry) => entry.id === id)?.position;
    expect(at("ask", placed(before, places), after)).toEqual({ x: 0, y: 0 });
    expect(at("old", placed(before, places), after)).toEqual({ x: 300, y: 0 });
    const moved = placed(after, { ask: { x: 50, y: 50 }, fresh: { x: 320, y: 10 } });
    expect(at("ask", placed(before, places), moved)).toEqual({ x: 50, y: 50 });
    expect(at("done", placed(before, places), moved)).toBeNull();
    expect(at("old", placed(before, places), moved)).toBeNull();
    // What stands in another container now has no place there yet.
    expect(at("check", placed(before, { ...places, check: { x: 1, y: 2 } }), after)).toBeNull();
  });

  it("marks nothing between equal ones", () => {
    const same = toDrawnDiff(before, structuredClone(before));
    expect(same.nodes.size + same.edges.size).toBe(0);
  });
});
