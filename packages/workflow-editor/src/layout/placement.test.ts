import { describe, expect, it } from "vitest";
import { toGraph } from "../graph/to-graph.ts";
import { containerAt, freeSpot, placeNodes, toAbsolute } from "./placement.ts";

const DEFINITION = {
  initial: "a",
  states: {
    a: { always: "g" },
    g: { initial: "i", states: { i: { always: "j" }, j: {} }, onDone: "end" },
    end: { type: "final" },
  },
  meta: { positions: { a: { x: 0, y: 0 }, g: { x: 400, y: 100 }, i: { x: 30, y: 60 } } },
};

describe("where nodes are drawn", () => {
  const model = toGraph(DEFINITION);
  const placement = placeNodes(model, null);
  const at = (id: string) => placement.get(id);

  it("is where the author put them, and beside what leads to them for others", () => {
    expect(at("a")?.position).toEqual({ x: 0, y: 0 });
    expect(at("j")?.position).toEqual({ x: 30 + 236 + 72, y: 60 });
    expect(at("end")?.position.x).toBeGreaterThan(400 + (at("g")?.width ?? 0));
  });

  it("is one after another for several new ones, in whatever order they were written", () => {
    const states = { z: { type: "final" }, y: { always: "z" }, x: { always: "y" }, a: { always: "x" } };
    const placed = placeNodes(toGraph({ initial: "a", states, meta: { positions: { a: { x: 0, y: 0 } } } }), null);
    const along = ["a", "x", "y", "z"].map((id) => placed.get(id)?.position ?? { x: Number.NaN, y: 0 });
    expect(along.map(({ y }) => y)).toEqual([0, 0, 0, 0]);
    expect(along.map(({ x }) => x)).toEqual(along.map(({ x }) => x).toSorted((one, other) => one - other));
    expect(new Set(along.map(({ x }) => x)).size).toBe(4);
  });

  it("makes a container as large as what it holds, and the start stand before the first", () => {
    const inner = at("j");
    const outer = at("g");
    expect((inner?.position.x ?? 0) + (inner?.width ?? 0)).toBeLessThan(outer?.width ?? 0);
    expect(at("(start)")?.position.x).toBe(-70);
    expect(toAbsolute("i", model, placement)).toEqual({ x: 430, y: 160 });
  });

  it("takes the layout's places where the author gave none, level by level", () => {
    const plain = toGraph({ ...DEFINITION, meta: { positions: { i: { x: 7, y: 70 } } } });
    const laidOut = new Map([
      ["a", { position: { x: 9, y: 9 }, width: 1, height: 1 }],
      ["i", { position: { x: 1, y: 1 }, width: 1, height: 1 }],
    ]);
    const placed = placeNodes(plain, laidOut);
    expect(placed.get("a")?.position).toEqual({ x: 9, y: 9 });
    expect(placed.get("i")?.position).toEqual({ x: 7, y: 70 });
  });

  it("finds the innermost container under a point, but not one that is being moved", () => {
    expect(containerAt({ x: 430, y: 160 }, model, placement)).toBe("g");
    expect(containerAt({ x: 430, y: 160 }, model, placement, new Set(["g"]))).toBeNull();
    expect(containerAt({ x: 10, y: 10 }, model, placement)).toBeNull();
  });

  it("moves down until nothing is in the way", () => {
    const box = { position: { x: 0, y: 0 }, width: 100, height: 50 };
    const below = { position: { x: 0, y: 80 }, width: 100, height: 50 };
    expect(freeSpot({ x: 10, y: 10 }, { width: 50, height: 20 }, [box, below])).toEqual({ x: 10, y: 162 });
    expect(freeSpot({ x: 200, y: 10 }, { width: 50, height: 20 }, [box])).toEqual({ x: 200, y: 10 });
  });
});
