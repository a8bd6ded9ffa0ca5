import type { JsonObject } from "@oven/contract";
import { isObject } from "@oven/contract";
import { findState, indexStates, isParallel, removeAt, type StatePlace, setAt } from "@oven/scope";
import { type NewState, putState } from "../document/operations/add-state.ts";
import { freeStateId, takenIds } from "../document/state-ids.ts";

/** Whether a state does something that can be undone. */
export function canBeUndone(document: JsonObject, place: StatePlace): boolean {
  return isWork(place) && !isParallel(document, undefined);
}

/** Ids of the steps that can undo another one: those at the top level that call something. */
export function undoStepsFor(document: JsonObject, { id }: StatePlace): string[] {
  return indexStates(document).list.flatMap((place) =>
    place.parent === undefined && place.id !== id && isWork(place) ? [place.id] : [],
  );
}

/** @param to null: nothing undoes it */
export function setUndo(document: JsonObject, id: string, to: string | null): JsonObject {
  const place = findState(document, id);
  if (place === undefined) return document;
  const address = [...place.address, "undo"];
  return to === null ? removeAt(document, address) : setAt(document, address, to);
}

/** The document with an end at the top level for what undoes steps, and the end's id. */
export function withUndoEnd(document: JsonObject): { document: JsonObject; end: string } {
  const end = indexStates(document).list.find(
    ({ parent, state }) =>
      parent === undefined && state.type === "final" && state.outcome === undefined && state.output === undefined,
  );
  if (end !== undefined) return { document, end: end.id };
  const id = freeStateId("undone", takenIds(document));
  return { document: putState(document, undefined, id, { type: "final" }), end: id };
}

/** A new step that leads to an end when it is done. */
export function endingIn({ wish, state }: NewState, end: string): NewState {
  const key = isObject(state.invoke) ? "invoke" : "loop";
  const work = state[key];
  return { wish, state: isObject(work) ? { ...state, [key]: { ...work, onDone: end } } : state };
}

function isWork({ state }: StatePlace): boolean {
  return isObject(state.invoke) || isObject(state.loop);
}
