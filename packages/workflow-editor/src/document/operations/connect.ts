import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/contract";
import { t } from "@oven/i18n";
import {
  findState,
  getAt,
  initialAddress,
  type Slot,
  setAt,
  slotAddress,
  type TransitionPlace,
  WORKFLOW,
} from "@oven/scope";
import { isFirstGuard } from "../../inspector/guard-kinds.ts";
import { canConnect, canStart } from "../can-connect.ts";
import type { Edit, Refusal } from "../edit.ts";
import { removeTransition, setTarget } from "../transitions.ts";

/** What a line begins at: a transition that is there, or one that is only offered. */
export interface Outlet {
  /** Id of the state, or `WORKFLOW`; null for the start of the definition. */
  from: string | null;
  slot: Slot;
  key: string | null;
  /** The transition that has its target changed; null: a new one. */
  transition: TransitionPlace | null;
  /** The guard of a new transition. */
  guard?: Json | undefined;
}

/** Leads an outlet to a state. */
export function connect(document: JsonObject, outlet: Outlet, to: string): Edit | Refusal {
  const verdict = canConnect(document, outlet.slot === "undo" ? WORKFLOW : outlet.from, to);
  if (!verdict.ok) return verdict;
  if (outlet.from === null) return { document: setAt(document, ["initial"], to) };
  if (outlet.transition !== null) return { document: setTarget(document, outlet.transition.address, to) };
  const added = addTransition(document, outlet, to);
  // Its condition is still to be said, where the branches stand.
  return isFirstGuard(outlet.guard) ? { document: added, select: [outlet.from] } : { document: added };
}

/** A new branch: guarded ones go before the one that takes everything else. `to` null: it leads nowhere yet. */
export function addTransition(
  document: JsonObject,
  outlet: Outlet,
  to: string | null,
  more: JsonObject = {},
): JsonObject {
  const owner = outlet.from === null ? undefined : findState(document, outlet.from);
  const address = slotAddress(owner, outlet.slot, outlet.key);
  const entry: Json =
    outlet.guard === undefined && Object.keys(more).length === 0 && to !== null
      ? to
      : {
          ...(to === null ? {} : { target: to }),
          ...(outlet.guard === undefined ? {} : { guard: outlet.guard }),
          ...more,
        };
  const before = getAt(document, address);
  if (before === undefined) return setAt(document, address, outlet.guard === undefined ? entry : [entry]);
  const list = Array.isArray(before) ? before : [before];
  const last = list.at(-1);
  const endsOpen = typeof last === "string" || (isObject(last) && last.guard === undefined);
  const at = outlet.guard !== undefined && endsOpen ? list.length - 1 : list.length;
  return setAt(document, address, list.toSpliced(at, 0, entry));
}

/** Leads the end of a line to another state. */
export function reconnectTarget(document: JsonObject, transition: TransitionPlace | null, to: string): Edit | Refusal {
  const from = transition === null ? null : transition.slot === "undo" ? WORKFLOW : (transition.owner?.id ?? WORKFLOW);
  const verdict = canConnect(document, from, to);
  if (!verdict.ok) return verdict;
  return {
    document: transition === null ? setAt(document, ["initial"], to) : setTarget(document, transition.address, to),
  };
}

/** Moves the beginning of a line to another outlet; what it does on its way comes along. */
export function reconnectSource(document: JsonObject, transition: TransitionPlace, outlet: Outlet): Edit | Refusal {
  const { target, address } = transition;
  if (target === null) return { reason: t("This line leads nowhere") };
  const verdict = canConnect(document, outlet.from, target);
  if (!verdict.ok) return verdict;
  const { target: _target, guard: _guard, ...more } = toObject(getAt(document, address));
  const removed = removeTransition(document, transition);
  if (outlet.from === null) return { document: setAt(removed, ["initial"], target) };
  if (outlet.transition === null) return { document: addTransition(removed, outlet, target, more) };
  return { reason: t("Something leads on from there already") };
}

function toObject(entry: Json | undefined): JsonObject {
  return isObject(entry) ? entry : {};
}

/** Lets a container, or the definition, begin with a state. */
export function setInitial(document: JsonObject, id: string): Edit | Refusal {
  const place = findState(document, id);
  if (place === undefined) return { reason: t("There is no state {{id}}", { id }) };
  const verdict = canStart(document, place.parent, place);
  if (!verdict.ok) return verdict;
  return { document: setAt(document, initialAddress(place.parent), id) };
}
