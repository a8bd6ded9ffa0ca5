import type { JsonObject } from "@oven/contract";
import { indexStates, listTransitions, variablesOf } from "@oven/scope";
import { renameResults, renameRoots } from "./references.ts";

/** In how many places a state is named: targets, where its parent begins, and each expression's use of its results. */
export function countReferences(document: JsonObject, id: string): number {
  const targets = listTransitions(document).filter(({ target }) => target === id).length;
  const begins = indexStates(document).list.some((place) => place.id === id && place.initial) ? 1 : 0;
  let uses = 0;
  const rename = renameResults(id, id, variablesOf(document));
  renameRoots(document, (key) => {
    if (rename(key) !== undefined) uses += 1;
    return undefined;
  });
  return targets + begins + uses;
}
