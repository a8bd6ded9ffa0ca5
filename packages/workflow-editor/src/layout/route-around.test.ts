import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Box, type LineEnd, routeAround, runsUnder, steppedLine } from "./route-around.ts";

const from: LineEnd = { x: 0, y: 0, side: "right" };
const to: LineEnd = { x: 600, y: 0, side: "left" };

describe("a line between two cards", () => {
  it("stays the stepped one where nothing stands in the way", () => {
    expect(routeAround(from, to, [{ x: 200, y: 50, width: 200, height: 80 }])).toBeNull();
  });

  it("goes around a card in between, at right angles and with few turns", () => {
    const boxes = [{ x: 200, y: -40, width: 200, height: 100 }];
    const route = routeAround(from, to, boxes);
    expect(route?.[0]).toEqual({ x: 0, y: 0 });
    expect(route?.at(-1)).toEqual({ x: 600, y: 0 });
    expect(runsUnder(route ?? [], boxes)).toBe(false);
    expect(route?.length).toBeLessThanOrEqual(6);
  });

  it("goes back around the cards that it joins", () => {
    const back: LineEnd = { x: 236, y: 27, side: "right" };
    const first: LineEnd = { x: 0, y: 30, side: "left" };
    const card = { x: 0, y: 0, width: 236, height: 110 };
    const route = routeAround(back, first, [card]);
    expect(runsUnder(steppedLine(back, first), [card])).toBe(true);
    expect(runsUnder(route ?? [], [card])).toBe(false);
  });

  it("is left as it is when an end stands inside of another card", () => {
    expect(routeAround(from, to, [{ x: -50, y: -50, width: 700, height: 100 }])).toBeNull();
  });

  it("never passes under a card when it is led around", () => {
    const box = fc.record({
      x: fc.integer({ min: 40, max: 460 }),
      y: fc.integer({ min: -200, max: 200 }),
      width: fc.integer({ min: 20, max: 90 }),
      height: fc.integer({ min: 20, max: 120 }),
    });
    fc.assert(
      fc.property(fc.array(box, { maxLength: 12 }), fc.integer({ min: -200, max: 200 }), (boxes: Box[], y) => {
        const route = routeAround(from, { ...to, y }, boxes);
        if (route === null) return;
        expect(runsUnder(route, boxes)).toBe(false);
        for (const [index, point] of route.entries()) {
          const next = route[index + 1];
          if (next !== undefined) expect(point.x === next.x || point.y === next.y).toBe(true);
        }
      }),
    );
  });
});
