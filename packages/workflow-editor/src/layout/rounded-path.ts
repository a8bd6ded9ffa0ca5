import type { Point } from "./elk-layout.ts";

/** An SVG path through the corners, each rounded by at most `radius`. */
export function toRoundedPath(points: readonly Point[], radius = 8): string {
  const [first, ...rest] = points;
  if (first === undefined) return "";
  const parts = [`M ${first.x} ${first.y}`];
  rest.forEach((point, index) => {
    const before = index === 0 ? first : rest[index - 1];
    const after = rest[index + 1];
    if (before === undefined || after === undefined) {
      parts.push(`L ${point.x} ${point.y}`);
      return;
    }
    const enter = towards(point, before, radius);
    const leave = towards(point, after, radius);
    parts.push(`L ${enter.x} ${enter.y}`, `Q ${point.x} ${point.y} ${leave.x} ${leave.y}`);
  });
  return parts.join(" ");
}

function towards(from: Point, to: Point, radius: number): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  if (length === 0) return from;
  const share = Math.min(radius, length / 2) / length;
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}
