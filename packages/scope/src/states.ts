import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/contract";
import type { StatePosition } from "@oven/contract/workflow";
import type { Address } from "./address.ts";

/** One state of a definition and where it stands. Tolerant: the definition may be half made. */
export interface StatePlace extends StatePosition {
  state: JsonObject;
  address: Address;
  /** The state it stands in; of a state of a loop's body: the loop. */
  parent: StatePlace | undefined;
  loop: StatePlace | undefined;
  children: StatePlace[];
  /** Where its parent, or the definition, begins. */
  initial: boolean;
}

export interface StateIndex {
  /** Parents before their children, in the order of the definition. */
  list: readonly StatePlace[];
  /** The first of each id. */
  byId: ReadonlyMap<string, StatePlace>;
}

const indexes = new WeakMap<JsonObject, StateIndex>();

/** The states of a definition. Definitions are never changed in place, so each is walked once. */
export function indexStates(document: JsonObject): StateIndex {
  const known = indexes.get(document);
  if (known !== undefined) return known;
  const list: StatePlace[] = [];
  const byId = new Map<string, StatePlace>();
  const walk = (
    states: Json | undefined,
    address: Address,
    initial: Json | undefined,
    parent: StatePlace | undefined,
    loop: StatePlace | undefined,
  ): void => {
    if (!isObject(states)) return;
    for (const [id, value] of Object.entries(states)) {
      const state = isObject(value) ? value : {};
      const at: Address = [...address, id];
      const place: StatePlace = { id, state, address: at, parent, loop, children: [], initial: id === initial };
      parent?.children.push(place);
      list.push(place);
      if (!byId.has(id)) byId.set(id, place);
      walk(state.states, [...at, "states"], state.initial, place, loop);
      if (isObject(state.loop))
        walk(state.loop.bodyStates, [...at, "loop", "bodyStates"], state.loop.bodyInitial, place, place);
    }
  };
  walk(document.states, ["states"], document.initial, undefined, undefined);
  const index = { list, byId };
  indexes.set(document, index);
  return index;
}

/** The state with this id, wherever it is nested; undefined when there is none. */
export function findState(document: JsonObject, id: string): StatePlace | undefined {
  return indexStates(document).byId.get(id);
}

/** Whether a state repeats the states of its body. */
export function isLoop({ state }: StatePlace): boolean {
  return isObject(state.loop);
}

/** Whether states can stand in it. */
export function isContainer(place: StatePlace): boolean {
  return isLoop(place) || isObject(place.state.states);
}

/** Whether all states of a container, or of the definition, run side by side. */
export function isParallel(document: JsonObject, container: StatePlace | undefined): boolean {
  return container === undefined
    ? document.type === "parallel"
    : container.state.type === "parallel" && !isLoop(container);
}

/** Where the states of a container stand; of the definition itself without one. */
export function childrenAddress(container: StatePlace | undefined): Address {
  if (container === undefined) return ["states"];
  return isLoop(container) ? [...container.address, "loop", "bodyStates"] : [...container.address, "states"];
}

/** Where a container, or the definition, says which of its states it begins with. */
export function initialAddress(container: StatePlace | undefined): Address {
  if (container === undefined) return ["initial"];
  return isLoop(container) ? [...container.address, "loop", "bodyInitial"] : [...container.address, "initial"];
}

/** The states of a container; without one, those that stand in no other. */
export function childrenOf(document: JsonObject, container: StatePlace | undefined): readonly StatePlace[] {
  return container?.children ?? indexStates(document).list.filter((place) => place.parent === undefined);
}

/** It and everything in it. */
export function familyOf(place: StatePlace): StatePlace[] {
  return [place, ...place.children.flatMap(familyOf)];
}

/** Whether a state is another one, or stands in it at any depth. */
export function isInside(place: StatePlace | undefined, outer: StatePlace): boolean {
  for (let at = place; at; at = at.parent) if (at === outer) return true;
  return false;
}

/** The states that are not inside another of the given states, in the order of the definition. */
export function outermost(document: JsonObject, ids: readonly string[]): StatePlace[] {
  const wanted = new Set(ids);
  return indexStates(document).list.filter((place) => {
    if (!wanted.has(place.id)) return false;
    for (let at = place.parent; at; at = at.parent) if (wanted.has(at.id)) return false;
    return true;
  });
}
