import type { JsonObject } from "@oven/contract";
import { isObject } from "@oven/contract";
import { findState, getAt, indexStates, isContainer, removeAt, type StatePlace, setAt } from "@oven/scope";
import { clearPositions } from "./positions.ts";

/** Which way lines go: `meta.direction`. */
export type Direction = "right" | "down";

const DIRECTION = ["meta", "direction"] as const;
const COLLAPSED = ["meta", "collapsed"] as const;

export function readDirection(document: JsonObject): Direction {
  return getAt(document, DIRECTION) === "down" ? "down" : "right";
}

/** Turns the graph; where states stood makes no sense the other way, so they are laid out anew. */
export function setDirection(document: JsonObject, direction: Direction): JsonObject {
  const cleared = clearPositions(document);
  return direction === "down" ? setAt(cleared, DIRECTION, direction) : withoutMeta(cleared, DIRECTION);
}

function withoutMeta(document: JsonObject, address: readonly string[]): JsonObject {
  const removed = removeAt(document, address);
  return isObject(removed.meta) && Object.keys(removed.meta).length === 0 ? removeAt(removed, ["meta"]) : removed;
}

function listed(document: JsonObject): string[] {
  const value = getAt(document, COLLAPSED);
  return Array.isArray(value) ? value.filter((id) => typeof id === "string") : [];
}

/** Containers that are drawn as one card: `meta.collapsed`. Ids of anything else there do not count. */
export function readCollapsed(document: JsonObject): ReadonlySet<string> {
  return new Set(
    listed(document).filter((id) => {
      const place = findState(document, id);
      return place !== undefined && isContainer(place);
    }),
  );
}

function write(document: JsonObject, ids: readonly string[]): JsonObject {
  return ids.length === 0 ? withoutMeta(document, COLLAPSED) : setAt(document, COLLAPSED, [...ids]);
}

/** Folds containers into cards, or opens them again. */
export function setCollapsed(document: JsonObject, ids: readonly string[], collapsed: boolean): JsonObject {
  const rest = listed(document).filter((id) => !ids.includes(id));
  if (!collapsed && rest.length === listed(document).length) return document;
  return write(document, collapsed ? [...rest, ...ids] : rest);
}

/** The containers around a state that hide it, the outermost first. */
export function hiddenBy(document: JsonObject, id: string): string[] {
  const collapsed = readCollapsed(document);
  const found: string[] = [];
  for (let at: StatePlace | undefined = findState(document, id)?.parent; at; at = at.parent)
    if (collapsed.has(at.id)) found.unshift(at.id);
  return found;
}

export function renameCollapsed(document: JsonObject, from: string, to: string): JsonObject {
  const ids = listed(document);
  return ids.includes(from)
    ? write(
        document,
        ids.map((id) => (id === from ? to : id)),
      )
    : document;
}

/** Forgets containers that are gone. */
export function dropCollapsed(document: JsonObject, gone: ReadonlySet<string>): JsonObject {
  const ids = listed(document);
  const left = ids.filter((id) => !gone.has(id));
  return left.length === ids.length ? document : write(document, left);
}

/** Every container that can be folded. */
export function containersOf(document: JsonObject): string[] {
  return indexStates(document).list.flatMap((place) => (isContainer(place) ? [place.id] : []));
}
