import type { JsonObject } from "@oven/contract";
import { isObject } from "@oven/contract";
import {
  type Address,
  getAt,
  listTransitions,
  objectAt,
  removeAt,
  sameAddress,
  setAt,
  slotAddress,
  type TransitionPlace,
} from "@oven/scope";

/** Leads a transition elsewhere and keeps all else about it. */
export function setTarget(document: JsonObject, address: Address, target: string): JsonObject {
  const entry = getAt(document, address);
  return setAt(document, address, isObject(entry) ? { ...entry, target } : target);
}

/**
 * Takes a transition away. One that an event or a timer sets off and that also acts keeps its actions; a list goes with its last
 * entry.
 */
export function removeTransition(document: JsonObject, transition: TransitionPlace): JsonObject {
  const { address, owner, slot, key, of } = transition;
  const entry = getAt(document, address);
  if (entry === undefined) return document;
  const isOfEvent = slot === "on" || slot === "after";
  if (isOfEvent && isObject(entry) && Array.isArray(entry.actions) && entry.actions.length > 0)
    return removeAt(document, [...address, "target"]);
  if (of > 1) return removeAt(document, address);
  const removed = removeAt(document, slotAddress(owner, slot, key));
  const map = slotAddress(owner, slot, null);
  // `on: {}` and `after: {}` say nothing.
  return isOfEvent && Object.keys(objectAt(removed, map)).length === 0 ? removeAt(removed, map) : removed;
}

/** Several transitions away at once. */
export function removeTransitions(document: JsonObject, transitions: readonly TransitionPlace[]): JsonObject {
  let left = document;
  // From the end of each list, so that the places of the others stay true.
  for (const { address } of [...transitions].sort((one, other) => other.index - one.index)) {
    const current = listTransitions(left).find((entry) => sameAddress(entry.address, address));
    if (current !== undefined) left = removeTransition(left, current);
  }
  return left;
}
