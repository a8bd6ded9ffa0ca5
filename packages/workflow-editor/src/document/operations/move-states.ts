import type { JsonObject } from "@oven/contract";
import { t } from "@oven/i18n";
import {
  childrenAddress,
  childrenOf,
  findState,
  getAt,
  initialAddress,
  isContainer,
  isInside,
  isLoop,
  outermost,
  removeAt,
  type StatePlace,
  setAt,
} from "@oven/scope";
import type { Edit, Refusal } from "../edit.ts";
import { putState } from "./add-state.ts";
import { type Point, setPositions } from "./positions.ts";

/** Moves states into a container, or with null to the top; each keeps its id, so that what leads to it still does. */
export function moveStates(
  document: JsonObject,
  ids: readonly string[],
  containerId: string | null,
  positions: ReadonlyMap<string, Point> = new Map(),
): Edit | Refusal {
  const container = containerId === null ? undefined : findState(document, containerId);
  if (containerId !== null && (container === undefined || !isContainer(container)))
    return { reason: t("{{containerId}} cannot hold states", { containerId }) };
  const tops = outermost(document, ids).filter(({ parent }) => parent !== container);
  if (tops.length === 0) return { document: setPositions(document, positions) };
  for (const top of tops) {
    if (container !== undefined && isInside(container, top))
      return { reason: t("{{id}} cannot go into itself", { id: top.id }) };
    if (top.state.type === "history" && (container === undefined || isLoop(container)))
      return { reason: t("{{id}} remembers the group around it: it stays in a group", { id: top.id }) };
    if (top.state.outcome !== undefined && container !== undefined)
      return { reason: t("{{id}} says how the run ends, so it stays at the top", { id: top.id }) };
  }
  let moved = document;
  for (const top of tops) {
    moved = takeOut(moved, top, new Set(tops));
    const now = containerId === null ? undefined : findState(moved, containerId);
    moved = putState(moved, now, top.id, top.state);
  }
  return { document: setPositions(moved, positions), select: tops.map(({ id }) => id) };
}

function takeOut(document: JsonObject, top: StatePlace, leaving: ReadonlySet<StatePlace>): JsonObject {
  const here = findState(document, top.id);
  if (here === undefined) return document;
  const removed = removeAt(document, [...childrenAddress(here.parent), here.id]);
  if (!here.initial) return removed;
  const names = new Set([...leaving].map(({ id }) => id));
  const rest = childrenOf(document, here.parent).filter((place) => place !== here && place.state.type !== "history");
  const begin = rest.find(({ id }) => !names.has(id)) ?? rest[0];
  const address = initialAddress(here.parent);
  if (begin !== undefined) return setAt(removed, address, begin.id);
  return here.parent !== undefined && isLoop(here.parent) && getAt(removed, address) !== undefined
    ? removed
    : removeAt(removed, address);
}
