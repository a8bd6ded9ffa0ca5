import { findState, WORKFLOW } from "@oven/scope";
import { type Edit, isRefused, type Refusal } from "../document/edit.ts";
import { changeNote, readFrames } from "../document/operations/annotations.ts";
import { moveStates } from "../document/operations/move-states.ts";
import { setPositions } from "../document/operations/positions.ts";
import type { Point } from "../layout/elk-layout.ts";
import { containerAt, nodesById, toAbsolute } from "../layout/placement.ts";
import { type Drawn, pinned, relativeTo } from "./gestures.ts";
import { FRAME, NOTE } from "./selected.ts";

/** Where dragged nodes were left, by id: in the container they stand in. */
export interface Dropped {
  id: string;
  position: Point;
  /** Where it was taken. */
  before: Point;
}

/** Moves what was dragged, and into the container under the pointer when that is another one. */
function dropStates(drawn: Drawn, dropped: readonly Dropped[], pointer: Point): Edit | Refusal {
  const byId = nodesById(drawn.model);
  const states = dropped.filter(
    ({ id }) => (id === WORKFLOW || findState(drawn.document, id) !== undefined) && byId.has(id),
  );
  const ids = new Set(states.map(({ id }) => id));
  const target = containerAt(pointer, drawn.model, drawn.placement, ids);
  const placed = setPositions(
    pinned(drawn),
    states.map(({ id, position }) => [id, position] as const),
  );
  const leaving = states.filter(({ id }) => id !== WORKFLOW && (byId.get(id)?.parentId ?? null) !== target);
  if (leaving.length === 0 || leaving.length < states.length) return { document: placed };
  const points = states.map(({ id, position }): [string, Point] => {
    const parent = byId.get(id)?.parentId ?? null;
    const origin = parent === null ? { x: 0, y: 0 } : toAbsolute(parent, drawn.model, drawn.placement);
    return [id, relativeTo(target, { x: origin.x + position.x, y: origin.y + position.y }, drawn)];
  });
  return moveStates(placed, [...ids], target, new Map(points));
}

/** States, notes and frames; a frame takes its members along. */
export function dropAll(drawn: Drawn, dropped: readonly Dropped[], pointer: Point): Edit | Refusal {
  const members = dropped.flatMap(({ id, position, before }) => {
    const frame = readFrames(drawn.document).find((entry) => `${FRAME}${entry.id}` === id);
    const moved = (frame?.members ?? []).filter((member) => !dropped.some((other) => other.id === member));
    return moved.flatMap((member): [string, Point][] => {
      const placed = drawn.placement.get(member);
      if (placed === undefined) return [];
      const { x, y } = placed.position;
      return [[member, { x: x + position.x - before.x, y: y + position.y - before.y }]];
    });
  });
  const result = dropStates(drawn, dropped, pointer);
  if (isRefused(result)) return result;
  let { document } = result;
  if (members.length > 0) document = setPositions(document, members);
  for (const { id, position } of dropped)
    if (id.startsWith(NOTE))
      document = changeNote(document, id.slice(NOTE.length), { x: Math.round(position.x), y: Math.round(position.y) });
  return { ...result, document };
}
