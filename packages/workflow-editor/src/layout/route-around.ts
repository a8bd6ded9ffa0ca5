import type { Point } from "./elk-layout.ts";

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Where a line begins or ends, and which way it goes on from there. */
export interface LineEnd extends Point {
  side: "left" | "right" | "top" | "bottom";
}

/** How far a line goes straight out of a card before it turns. */
const STUB = 20;
/** How near a line comes to a card that it passes. */
const MARGIN = 12;
/** A corner is worth so many pixels of way. */
const BEND = 60;
/** Cards further away than this from the way between both ends are not in it. */
const REACH = 420;
/** The search grows with the square of the number of cards. */
const MOST_BOXES = 60;

/** How far the end of a route may be from the handle it was drawn to: a line ends at the middle of a handle, the layout's at the card. */
const NEAR = 7;

/** Whether a line through these corners still joins two points: cards may have been moved since it was found. */
export function endsAt(route: readonly Point[], from: Point, to: Point): boolean {
  const [first] = route;
  const last = route.at(-1);
  const isNear = (one: Point | undefined, other: Point): boolean =>
    one !== undefined && Math.hypot(one.x - other.x, one.y - other.y) <= NEAR;
  return isNear(first, from) && isNear(last, to);
}

const WAYS = {
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
  top: { x: 0, y: -1 },
  bottom: { x: 0, y: 1 },
} as const;

function stubOf({ x, y, side }: LineEnd): Point {
  return { x: x + WAYS[side].x * STUB, y: y + WAYS[side].y * STUB };
}

/** Whether a straight piece of a line passes through a box; one along its border does not. */
function crosses(from: Point, to: Point, { x, y, width, height }: Box): boolean {
  return (
    Math.max(from.x, to.x) > x &&
    Math.min(from.x, to.x) < x + width &&
    Math.max(from.y, to.y) > y &&
    Math.min(from.y, to.y) < y + height
  );
}

const grown = ({ x, y, width, height }: Box, by: number): Box => ({
  x: x - by,
  y: y - by,
  width: width + by * 2,
  height: height + by * 2,
});

/** Whether a line through these corners passes under one of the boxes. */
export function runsUnder(points: readonly Point[], boxes: readonly Box[]): boolean {
  return points.some((point, index) => {
    const next = points[index + 1];
    return next !== undefined && boxes.some((box) => crosses(point, next, box));
  });
}

/** The corners of the stepped line that is drawn where nothing stands in the way. */
export function steppedLine(from: LineEnd, to: LineEnd): Point[] {
  const [start, end] = [stubOf(from), stubOf(to)];
  const isAcross = from.side === "left" || from.side === "right";
  const ahead = isAcross ? (end.x - start.x) * WAYS[from.side].x >= 0 : (end.y - start.y) * WAYS[from.side].y >= 0;
  const middle = { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 };
  // Ahead, the line turns halfway; back, it turns at once and crosses over halfway between both.
  const corners =
    isAcross === ahead
      ? [
          { x: middle.x, y: start.y },
          { x: middle.x, y: end.y },
        ]
      : [
          { x: start.x, y: middle.y },
          { x: end.x, y: middle.y },
        ];
  return [from, start, ...corners, end, to].map(({ x, y }) => ({ x, y }));
}

/**
 * The corners of a line that passes no box, with as few turns as its length allows. Null: the stepped line is free, or no way was
 * found.
 */
export function routeAround(from: LineEnd, to: LineEnd, boxes: readonly Box[]): Point[] | null {
  if (!runsUnder(steppedLine(from, to), boxes)) return null;
  const [start, end] = [stubOf(from), stubOf(to)];
  const view = grown(
    {
      x: Math.min(start.x, end.x),
      y: Math.min(start.y, end.y),
      width: Math.abs(start.x - end.x),
      height: Math.abs(start.y - end.y),
    },
    REACH,
  );
  const middle = { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 };
  const away = (box: Box): number => Math.hypot(box.x + box.width / 2 - middle.x, box.y + box.height / 2 - middle.y);
  const near = boxes
    .filter(
      (box) =>
        box.x < view.x + view.width &&
        box.x + box.width > view.x &&
        box.y < view.y + view.height &&
        box.y + box.height > view.y,
    )
    .sort((one, other) => away(one) - away(other))
    .slice(0, MOST_BOXES)
    .map((box) => grown(box, MARGIN));
  const found = search(start, end, near, from.side);
  return found === null ? null : straight([from, ...found, to]);
}

function search(start: Point, end: Point, boxes: readonly Box[], side: LineEnd["side"]): Point[] | null {
  const unique = (values: number[]): number[] => [...new Set(values)].sort((one, other) => one - other);
  const xs = unique([start.x, end.x, ...boxes.flatMap(({ x, width }) => [x, x + width])]);
  const ys = unique([start.y, end.y, ...boxes.flatMap(({ y, height }) => [y, y + height])]);
  const [width, goal] = [xs.length, ys.indexOf(end.y) * xs.length + xs.indexOf(end.x)];
  // Two states for each crossing: the line came along, or across.
  const cost = new Float64Array(width * ys.length * 2).fill(Number.POSITIVE_INFINITY);
  const came = new Int32Array(cost.length).fill(-1);
  const first = (ys.indexOf(start.y) * width + xs.indexOf(start.x)) * 2 + Number(WAYS[side].y !== 0);
  cost[first] = 0;
  const open = new Heap();
  open.push(0, first);
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const cell = at >> 1;
    if (cell === goal) return trace(at, came, (index) => pointAt(index >> 1));
    const here = pointAt(cell);
    for (const [dx, dy] of STEPS) {
      const [column, row] = [(cell % width) + dx, Math.floor(cell / width) + dy];
      if (column < 0 || row < 0 || column >= width || row >= ys.length) continue;
      const next = (row * width + column) * 2 + Number(dy !== 0);
      const there = pointAt(next >> 1);
      const turned = (at & 1) === (next & 1) ? 0 : BEND;
      const total = (cost[at] ?? 0) + Math.abs(there.x - here.x) + Math.abs(there.y - here.y) + turned;
      if (total >= (cost[next] ?? 0) || boxes.some((box) => crosses(here, there, box))) continue;
      cost[next] = total;
      came[next] = at;
      open.push(total + Math.abs(end.x - there.x) + Math.abs(end.y - there.y), next);
    }
  }
  return null;

  function pointAt(cell: number): Point {
    return { x: xs[cell % width] ?? 0, y: ys[Math.floor(cell / width)] ?? 0 };
  }
}

const STEPS = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
] as const;

function trace(last: number, came: Int32Array, pointOf: (index: number) => Point): Point[] {
  const points: Point[] = [];
  for (let at = last; at >= 0; at = came[at] ?? -1) points.unshift(pointOf(at));
  return points;
}

/** Without the points at which a line does not turn. */
function straight(points: readonly Point[]): Point[] {
  const plain = points.map(({ x, y }) => ({ x, y }));
  return plain.filter((point, index) => {
    const [before, after] = [plain[index - 1], plain[index + 1]];
    if (before === undefined || after === undefined) return true;
    return !(
      (before.x === point.x && point.x === after.x) ||
      (before.y === point.y && point.y === after.y) ||
      (before.x === point.x && before.y === point.y)
    );
  });
}

/** The entry with the least weight first. */
class Heap {
  readonly #weights: number[] = [];
  readonly #values: number[] = [];

  push(weight: number, value: number): void {
    let at = this.#weights.length;
    this.#weights.push(weight);
    this.#values.push(value);
    for (let up = (at - 1) >> 1; at > 0 && (this.#weights[up] ?? 0) > weight; up = (at - 1) >> 1) {
      this.#swap(at, up);
      at = up;
    }
  }

  pop(): number | undefined {
    const value = this.#values[0];
    const [weight, last] = [this.#weights.pop(), this.#values.pop()];
    if (weight === undefined || last === undefined || this.#values.length === 0) return value;
    this.#weights[0] = weight;
    this.#values[0] = last;
    for (let at = 0; ; ) {
      const [left, right] = [at * 2 + 1, at * 2 + 2];
      let least = at;
      if (left < this.#weights.length && (this.#weights[left] ?? 0) < (this.#weights[least] ?? 0)) least = left;
      if (right < this.#weights.length && (this.#weights[right] ?? 0) < (this.#weights[least] ?? 0)) least = right;
      if (least === at) return value;
      this.#swap(at, least);
      at = least;
    }
  }

  #swap(one: number, other: number): void {
    const [weight = 0, value = 0] = [this.#weights[one], this.#values[one]];
    this.#weights[one] = this.#weights[other] ?? 0;
    this.#values[one] = this.#values[other] ?? 0;
    this.#weights[other] = weight;
    this.#values[other] = value;
  }
}
