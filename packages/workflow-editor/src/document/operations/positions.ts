import type { JsonObject } from "@oven/contract";
import { isObject } from "@oven/contract";
import { getAt, removeAt, setAt } from "@oven/scope";

/** In canvas units, from the top left of the container a state stands in. */
export interface Point {
  x: number;
  y: number;
}

const POSITIONS = ["meta", "positions"] as const;

/** Where the author placed the states, by id: `meta.positions`, as other editors of this format write it. */
export function readPositions(document: JsonObject): ReadonlyMap<string, Point> {
  const stored = getAt(document, POSITIONS);
  const points = new Map<string, Point>();
  for (const [id, value] of Object.entries(isObject(stored) ? stored : {})) {
    if (isObject(value) && Number.isFinite(value.x) && Number.isFinite(value.y))
      points.set(id, { x: Number(value.x), y: Number(value.y) });
  }
  return points;
}

/** What else another editor wrote at a position is kept. */
export function setPosition(document: JsonObject, id: string, { x, y }: Point): JsonObject {
  const address = [...POSITIONS, id];
  const before = getAt(document, address);
  return setAt(document, address, { ...(isObject(before) ? before : {}), x: Math.round(x), y: Math.round(y) });
}

export function setPositions(document: JsonObject, points: Iterable<readonly [string, Point]>): JsonObject {
  const stored = getAt(document, POSITIONS);
  const next = new Map(Object.entries(isObject(stored) ? stored : {}));
  for (const [id, { x, y }] of points) {
    const before = next.get(id);
    next.set(id, { ...(isObject(before) ? before : {}), x: Math.round(x), y: Math.round(y) });
  }
  return setAt(document, POSITIONS, Object.fromEntries(next));
}

/** Back to the automatic layout. */
export function clearPositions(document: JsonObject): JsonObject {
  const removed = removeAt(document, POSITIONS);
  return isObject(removed.meta) && Object.keys(removed.meta).length === 0 ? removeAt(removed, ["meta"]) : removed;
}

export function renamePosition(document: JsonObject, from: string, to: string): JsonObject {
  const stored = getAt(document, POSITIONS);
  if (!isObject(stored) || !Object.hasOwn(stored, from)) return document;
  return setAt(
    document,
    POSITIONS,
    Object.fromEntries(Object.entries(stored).map(([id, value]) => [id === from ? to : id, value])),
  );
}

export function dropPositions(document: JsonObject, ids: ReadonlySet<string>): JsonObject {
  const stored = getAt(document, POSITIONS);
  if (!isObject(stored) || !Object.keys(stored).some((id) => ids.has(id))) return document;
  const left = Object.entries(stored).filter(([id]) => !ids.has(id));
  return left.length === 0 ? clearPositions(document) : setAt(document, POSITIONS, Object.fromEntries(left));
}
