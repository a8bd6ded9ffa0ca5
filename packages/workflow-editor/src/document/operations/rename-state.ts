import type { JsonObject } from "@oven/contract";
import { t } from "@oven/i18n";
import {
  childrenAddress,
  findState,
  getAt,
  indexStates,
  initialAddress,
  listTransitions,
  setAt,
  variablesOf,
} from "@oven/scope";
import type { Edit, Refusal } from "../edit.ts";
import { renameResults, renameRoots } from "../references.ts";
import { refuseStateId, takenIds } from "../state-ids.ts";
import { setTarget } from "../transitions.ts";
import { renameMember } from "./annotations.ts";
import { renameCollapsed } from "./canvas-view.ts";
import { renamePosition } from "./positions.ts";

/** Gives a state another id, and everything that names it with it: targets, `initial`, history, paths, templates and CEL. */
export function renameState(document: JsonObject, from: string, to: string): Edit | Refusal {
  const place = findState(document, from);
  if (place === undefined) return { reason: t("There is no state {{from}}", { from }) };
  if (from === to) return { document };
  const taken = takenIds(document);
  taken.delete(from);
  const reason = refuseStateId(to, taken);
  if (reason !== null) return { reason };
  return { document: renameStates(document, new Map([[from, to]])), select: [to] };
}

/** Renames states, each to an id that is free. */
export function renameStates(document: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  const variables = variablesOf(document);
  let renamed = document;
  for (const transition of listTransitions(document)) {
    const to = transition.target === null ? undefined : names.get(transition.target);
    if (to !== undefined) renamed = setTarget(renamed, transition.address, to);
  }
  const renames = [...names].map(([from, to]) => renameResults(from, to, variables));
  renamed = renameRoots(renamed, (key) => renames.map((rename) => rename(key)).find((name) => name !== undefined));
  renamed = renameConditionKeys(renamed, names);
  for (const place of indexStates(document).list) {
    const to = names.get(place.id);
    if (to !== undefined && place.initial) renamed = setAt(renamed, initialAddress(place.parent), to);
  }
  // From the inside out: an outer name is part of the inner one's address.
  for (const place of indexStates(document).list.toReversed()) {
    const to = names.get(place.id);
    if (to === undefined) continue;
    const address = childrenAddress(place.parent);
    const states = getAt(renamed, address);
    if (typeof states !== "object" || states === null || Array.isArray(states)) continue;
    const entries = Object.entries(states).map(([id, state]) => [id === place.id ? to : id, state]);
    renamed = setAt(renamed, address, Object.fromEntries(entries));
  }
  for (const [from, to] of names)
    renamed = renameCollapsed(renameMember(renamePosition(renamed, from, to), from, to), from, to);
  return renamed;
}

/** `core.condition` takes its key with or without `$.`. */
function renameConditionKeys(document: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  let renamed = document;
  for (const { state, address } of indexStates(document).list) {
    const invoke = getAt(state, ["invoke"]);
    const key = getAt(invoke, ["input", "key"]);
    if (getAt(invoke, ["src"]) !== "core.condition" || typeof key !== "string" || key.startsWith("$")) continue;
    const variables = variablesOf(document);
    const renames = [...names].map(([from, to]) => renameResults(from, to, variables));
    const next: string = renameRoots(`$.${key}`, (root) =>
      renames.map((rename) => rename(root)).find((name) => name !== undefined),
    );
    if (next !== `$.${key}`) renamed = setAt(renamed, [...address, "invoke", "input", "key"], next.slice(2));
  }
  return renamed;
}
