import type { JsonObject } from "@oven/contract";
import { findState, getAt } from "@oven/scope";
import { describe, expect, it } from "vitest";
import { type Edit, isRefused, type Refusal } from "../document/edit.ts";
import { toPalette } from "../document/new-states.ts";
import { addFrame, addNote, readNotes } from "../document/operations/annotations.ts";
import { readPositions } from "../document/operations/positions.ts";
import { toGraph } from "../graph/to-graph.ts";
import { placeNodes } from "../layout/placement.ts";
import { dropAll } from "./drop.ts";
import { addAfter, addAt, type Drawn, dropItem, insertOn, isPlaced, unwrapAt, wrapAt } from "./gestures.ts";
import { markProblems, nodeAtPath } from "./problem-marks.ts";

const PLACED: JsonObject = {
  initial: "a",
  states: {
    a: { always: "b" },
    b: { always: "done" },
    g: { initial: "i", states: { i: {} } },
    done: { type: "final" },
  },
  meta: {
    positions: {
      a: { x: 0, y: 0 },
      b: { x: 300, y: 0 },
      g: { x: 0, y: 400 },
      i: { x: 30, y: 60 },
      done: { x: 600, y: 0 },
    },
  },
};

function draw(document: JsonObject): Drawn {
  const model = toGraph(document, undefined, { offer: true });
  return { document, model, full: model, placement: placeNodes(model, null) };
}
function made(result: Edit | Refusal): JsonObject {
  if (isRefused(result)) throw new Error(result.reason);
  return result.document;
}
const at = (document: JsonObject, id: string) => readPositions(document).get(id);
const item = (id: string) => {
  const found = toPalette([]).find((entry) => entry.id === id);
  if (found === undefined) throw new Error(`no item ${id}`);
  return found;
};

describe("gestures on a drawn graph", () => {
  it("a state put on a line makes what is behind it move on", () => {
    const drawn = draw(PLACED);
    const edge = drawn.model.edges.find(({ source }) => source === "a");
    if (edge === undefined) throw new Error("no line");
    const document = made(insertOn(drawn, edge, item("choice")));
    expect(getAt(document, ["states", "choice", "always"])).toBe("b");
    expect(at(document, "choice")).toEqual({ x: 308, y: 0 });
    expect([at(document, "b")?.x, at(document, "done")?.x]).toEqual([616, 916]);
    expect(at(document, "g")).toEqual({ x: 0, y: 400 });
  });

  it("what is dropped on a line goes in between; an end, which nothing leads on from, stands where it was dropped", () => {
    const drawn = draw(PLACED);
    const edge = drawn.model.edges.find(({ source }) => source === "a");
    const between = made(dropItem(drawn, item("choice"), { x: 260, y: 20 }, edge?.id ?? ""));
    expect(getAt(between, ["states", "a", "always"])).toBe("choice");
    expect(getAt(between, ["states", "choice", "always"])).toBe("b");
    const beside = made(dropItem(drawn, item("failed"), { x: 260, y: 20 }, edge?.id ?? ""));
    expect(getAt(beside, ["states", "a", "always"])).toBe("b");
    expect(at(beside, "failed")).toEqual({ x: 260, y: 20 });
  });

  it("a state dropped into a container stands in it, and pins what the layout had placed", () => {
    const unplaced = { ...PLACED, meta: {} };
    expect(isPlaced(unplaced)).toBe(false);
    const drawn = draw(PLACED);
    const document = made(addAt(drawn, item("choice"), { x: 60, y: 480 }, null));
    expect(findState(document, "choice")?.parent?.id).toBe("g");
    expect(at(document, "choice")).toEqual({ x: 60, y: 80 });
    expect(readPositions(made(addAt(draw(unplaced), item("choice"), { x: 5, y: 900 }, null))).size).toBe(6);
  });

  it("a state added behind another one joins it where nothing stands", () => {
    const document = made(addAfter(draw(PLACED), item("final"), "i"));
    expect(getAt(document, ["states", "g", "states", "i", "always"])).toBe("done_2");
    expect(made(addAfter(draw({ states: {} }), item("final"), null))).toMatchObject({ initial: "done" });
  });

  it("what is dragged over a container goes into it, out of it, and stays under the pointer", () => {
    const into = made(
      dropAll(draw(PLACED), [{ id: "b", position: { x: 50, y: 470 }, before: { x: 300, y: 0 } }], { x: 60, y: 480 }),
    );
    expect(findState(into, "b")?.parent?.id).toBe("g");
    expect(at(into, "b")).toEqual({ x: 50, y: 70 });
    const out = made(
      dropAll(draw(PLACED), [{ id: "i", position: { x: 900, y: 0 }, before: { x: 30, y: 60 } }], { x: 910, y: 410 }),
    );
    expect(findState(out, "i")?.parent).toBeUndefined();
    expect(at(out, "i")).toEqual({ x: 900, y: 400 });
    const inside = made(
      dropAll(draw(PLACED), [{ id: "i", position: { x: 40, y: 70 }, before: { x: 30, y: 60 } }], { x: 60, y: 480 }),
    );
    expect([findState(inside, "i")?.parent?.id, at(inside, "i")]).toEqual(["g", { x: 40, y: 70 }]);
  });

  it("a frame takes its members along, a note only itself", () => {
    const noted = addNote(addFrame(PLACED, ["a", "b"]).document, { x: 0, y: -200 });
    const document = made(
      dropAll(
        draw(noted.document),
        [
          { id: "frame:frame1", position: { x: 100, y: 20 }, before: { x: 0, y: 0 } },
          { id: "note:note1", position: { x: 7.4, y: -300 }, before: { x: 0, y: -200 } },
        ],
        { x: 2_000, y: 2_000 },
      ),
    );
    expect([at(document, "a"), at(document, "b"), at(document, "done")]).toEqual([
      { x: 100, y: 20 },
      { x: 400, y: 20 },
      { x: 600, y: 0 },
    ]);
    expect(readNotes(document)[0]).toMatchObject({ x: 7, y: -300 });
  });

  it("a container put around states, and taken apart again, leaves them where they are drawn", () => {
    const wrapped = made(wrapAt(draw(PLACED), ["a", "b"], "compound"));
    expect([at(wrapped, "group"), at(wrapped, "b")]).toEqual([
      { x: -20, y: -54 },
      { x: 320, y: 54 },
    ]);
    const open = made(unwrapAt(draw(wrapped), "group"));
    expect([at(open, "a"), at(open, "b"), at(open, "group")]).toEqual([{ x: 0, y: 0 }, { x: 300, y: 0 }, undefined]);
  });
});

describe("what is drawn again", () => {
  it("is what changed, and nothing else", () => {
    const before = toGraph(PLACED, undefined, { offer: true });
    const moved = toGraph(
      made(
        dropAll(draw(PLACED), [{ id: "b", position: { x: 310, y: 0 }, before: { x: 300, y: 0 } }], { x: 310, y: 0 }),
      ),
      undefined,
      { offer: true },
    );
    const same = (id: string) =>
      before.nodes.find((node) => node.id === id) === moved.nodes.find((node) => node.id === id);
    expect(["a", "b", "g", "i", "done"].map(same)).toEqual([true, false, true, true, true]);
    expect(moved.nodes.find(({ id }) => id === "b")?.position).toEqual({ x: 310, y: 0 });
    expect(moved.edges.every((edge, index) => edge.tone === "start" || edge === before.edges[index])).toBe(true);
  });

  it("is everything when other node types are known, or without handles to draw from", () => {
    const plain = toGraph(PLACED);
    expect(plain.nodes.some((node) => node.handles.some(({ offered }) => offered))).toBe(false);
    expect(toGraph(PLACED, []).nodes.find(({ id }) => id === "a")).not.toBe(plain.nodes.find(({ id }) => id === "a"));
  });
});

describe("problems on the canvas", () => {
  it("belong to the innermost state around their place, the worst one first", () => {
    const model = toGraph(PLACED);
    expect(nodeAtPath("$.states.g.states.i.always", model)).toBe("i");
    expect(nodeAtPath("$.states.g.initial", model)).toBe("g");
    expect(nodeAtPath("$.payloadSchema", model)).toBeNull();
    expect(nodeAtPath("$.states.ab", model)).toBeNull();
    const problem = (path: string, severity: "error" | "warning") => ({
      path,
      severity,
      rule: "r",
      message: "m",
      fix: "f",
    });
    const marks = markProblems(
      [problem("$.states.a", "error"), problem("$.states.a.always", "warning"), problem("$.states.b", "warning")],
      model,
    );
    expect([...marks]).toEqual([
      ["a", "error"],
      ["b", "warning"],
    ]);
  });
});
