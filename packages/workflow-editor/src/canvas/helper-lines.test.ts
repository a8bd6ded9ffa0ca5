import { describe, expect, it } from "vitest";
import { snapToOthers } from "./helper-lines.ts";

const box = (x: number, y: number, width = 100, height = 40) => ({ position: { x, y }, width, height });

describe("helper lines", () => {
  it("pull a box onto the nearest edge or middle, each axis by itself", () => {
    expect(snapToOthers(box(4, 300), [box(0, 0)], 1)).toEqual({ position: { x: 0, y: 300 }, lines: { x: 0, y: null } });
    expect(snapToOthers(box(500, 23, 100, 40), [box(0, 0, 100, 80)], 1)).toEqual({
      position: { x: 500, y: 20 },
      lines: { x: null, y: 40 },
    });
    expect(snapToOthers(box(2, 0), [box(0, 0), box(3, 0)], 1).position.x).toBe(3);
  });

  it("reach as far as it looks: further from afar, less far from near by", () => {
    expect(snapToOthers(box(20, 300), [box(0, 0)], 0.25).position.x).toBe(0);
    expect(snapToOthers(box(4, 300), [box(0, 0)], 2).position.x).toBe(4);
  });

  it("leave a box alone that is near nothing", () => {
    expect(snapToOthers(box(50, 50), [box(0, 200, 30, 30)], 1)).toEqual({
      position: { x: 50, y: 50 },
      lines: { x: null, y: null },
    });
  });
});
