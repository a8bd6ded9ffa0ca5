import type { Placed, Point } from "../layout/elk-layout.ts";

export interface HelperLines {
  /** Canvas coordinates of the lines that are shown; null: none. */
  x: number | null;
  y: number | null;
}

/** Pixels of the screen. */
const NEAR = 6;

/**
 * Moves a dragged box onto the edges and middles of others that it is close to, and says where the lines are. Close is what looks
 * close: `zoom` is the screen's pixels in one of the canvas.
 */
export function snapToOthers(
  box: Placed,
  others: readonly Placed[],
  zoom: number,
): { position: Point; lines: HelperLines } {
  const near = NEAR / zoom;
  const x = snapAxis(
    box.position.x,
    box.width,
    others.map((other) => [other.position.x, other.width]),
    near,
  );
  const y = snapAxis(
    box.position.y,
    box.height,
    others.map((other) => [other.position.y, other.height]),
    near,
  );
  return { position: { x: x.start, y: y.start }, lines: { x: x.line, y: y.line } };
}

function snapAxis(
  start: number,
  size: number,
  others: readonly [number, number][],
  near: number,
): { start: number; line: number | null } {
  let best: { distance: number; start: number; line: number } | null = null;
  for (const [otherStart, otherSize] of others) {
    for (const share of [0, 0.5, 1]) {
      const line = otherStart + otherSize * share;
      const distance = Math.abs(start + size * share - line);
      if (distance <= near && (best === null || distance < best.distance))
        best = { distance, start: line - size * share, line };
    }
  }
  return best === null ? { start, line: null } : { start: best.start, line: best.line };
}
