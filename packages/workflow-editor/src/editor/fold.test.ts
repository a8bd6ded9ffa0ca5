import type { JsonObject } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { readCollapsed } from "../document/operations/canvas-view.ts";
import { readPositions } from "../document/operations/positions.ts";
import { collapse } from "../graph/collapse.ts";
import { toGraph } from "../graph/to-graph.ts";
import { placeNodes } from "../layout/placement.ts";
import { foldAt, reveal } from "./fold.ts";
import type { Drawn } from "./gestures.ts";

const PLACED = {
  initial: "g",
  states: {
    g: { initial: "a", states: { a: { always: "b" }, b: { always: "out" } }, onDone: "out" },
    out: { type: "final" },
    below: { always: "out" },
  },
  meta: {
    positions: {
      g: { x: 0, y: 0 },
      a: { x: 20, y: 54 },
      b: { x: 400, y: 54 },
      out: { x: 320, y: 10 },
      below: { x: 10, y: 130 },
    },
  },
};

function draw(document: JsonObject): Drawn {
  const full = toGraph(document, undefined, { offer: true });
  const model = collapse(full, readCollapsed(document));
  return { document, full, model, placement: placeNodes(model, null) };
}

describe("folding a container", () => {
  const folded = foldAt(draw(PLACED), ["g"], true).document;

  it("makes one card of it, with what is inside counted and lines from inside led on", () => {
    const { model } = draw(folded);
    const card = model.nodes.find(({ id }) => id === "g");
    expect(card).toMatchObject({ shape: "state", summary: "2 states inside", inside: ["a", "b"] });
    expect(card?.handles.map(({ label }) => label)).toContain("b");
    expect(model.edges.map(({ source, target }) => `${source} ${target}`)).toEqual(
      expect.arrayContaining(["(start) g", "g out"]),
    );
    expect(model.nodes.map(({ id }) => id)).not.toContain("a");
  });

  it("opens it where it was, and what it would cover makes room", () => {
    const open = foldAt(draw(folded), ["g"], false).document;
    const { model, placement } = draw(open);
    const group = placement.get("g");
    const [out, below] = [placement.get("out"), placement.get("below")];
    expect(model.nodes.some(({ id }) => id === "a")).toBe(true);
    expect(out?.position.x).toBeGreaterThan((group?.position.x ?? 0) + (group?.width ?? 0));
    expect(below?.position.y).toBeGreaterThan((group?.position.y ?? 0) + (group?.height ?? 0));
    expect(readPositions(open).get("b")).toEqual({ x: 400, y: 54 });
  });

  it("opens whatever hides a state that is to be seen", () => {
    expect(reveal(draw(folded), "b")?.opened).toEqual(["g"]);
    expect(reveal(draw(folded), "out")).toBeNull();
  });
});
