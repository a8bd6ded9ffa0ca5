import type { JsonObject } from "@oven/contract";
import { isObject } from "@oven/contract";
import {
  childrenAddress,
  childrenOf,
  familyOf,
  getAt,
  initialAddress,
  listTransitions,
  outermost,
  removeAt,
  type Slot,
  type StatePlace,
  setAt,
  type TransitionPlace,
  transitionsOf,
} from "@oven/scope";
import { canConnect } from "../can-connect.ts";
import type { Edit } from "../edit.ts";
import { removeTransitions, setTarget } from "../transitions.ts";
import { withoutMembers } from "./annotations.ts";
import { dropCollapsed } from "./canvas-view.ts";
import { dropPositions } from "./positions.ts";

const MAIN: ReadonlySet<Slot> = new Set(["invoke.onDone", "loop.onDone", "onDone", "always", "on", "after"]);

/** Where a state leads when all goes well: the branch that takes everything else, or the first one. */
function mainTarget(place: StatePlace): string | null {
  const ways = transitionsOf(place).filter(({ slot, target }) => MAIN.has(slot) && target !== null);
  const first = ways[0];
  const open = ways.findLast(({ slot, guard }) => slot === first?.slot && guard === undefined);
  return (open ?? first)?.target ?? null;
}

/** Takes states away, with what is in them. What led to one leads on to where it led, when that is allowed; else it goes. */
export function deleteStates(document: JsonObject, ids: readonly string[]): Edit {
  const tops = outermost(document, ids);
  if (tops.length === 0) return { document };
  const gone = new Map(tops.flatMap((top) => familyOf(top).map((place) => [place.id, top] as const)));
  const isGone = (place: StatePlace | undefined): boolean => place !== undefined && gone.get(place.id) !== undefined;

  const after = (id: string): string | null => {
    const seen = new Set<string>();
    let at: string | null = id;
    while (at !== null && gone.has(at)) {
      if (seen.has(at)) return null;
      seen.add(at);
      const top = gone.get(at);
      at = top === undefined ? null : mainTarget(top);
    }
    return at;
  };

  let left = document;
  const removed: TransitionPlace[] = [];
  for (const transition of listTransitions(document)) {
    const { target, owner, slot } = transition;
    if (target === null || !gone.has(target) || isGone(owner)) continue;
    const next = after(target);
    const allowed =
      next !== null &&
      next !== owner?.id &&
      slot !== "target" &&
      // What follows the step that undid it does not.
      slot !== "undo" &&
      (owner === undefined || canConnect(document, owner.id, next).ok);
    if (allowed) left = setTarget(left, transition.address, next);
    else removed.push(transition);
  }
  left = removeTransitions(left, removed);
  for (const top of tops) {
    if (top.initial) left = beginElsewhere(document, left, top, after(top.id), isGone);
    left = removeAt(left, [...childrenAddress(top.parent), top.id]);
  }
  const names = new Set(gone.keys());
  return { document: withoutMembers(dropCollapsed(dropPositions(left, names), names), names), select: [] };
}

/** Where a container begins when its first state goes: where that led, if it stands there, else with the first that is left. */
function beginElsewhere(
  document: JsonObject,
  left: JsonObject,
  top: StatePlace,
  next: string | null,
  isGone: (place: StatePlace) => boolean,
): JsonObject {
  const others = childrenOf(document, top.parent).filter((place) => !isGone(place) && place.state.type !== "history");
  const begin = others.find(({ id }) => id === next) ?? others[0];
  const address = initialAddress(top.parent);
  if (begin !== undefined) return setAt(left, address, begin.id);
  // A loop's shape asks for the name of its first state, even while there is none.
  return isObject(getAt(left, (top.parent?.address ?? []).concat("loop"))) && top.parent !== undefined
    ? left
    : removeAt(left, address);
}
