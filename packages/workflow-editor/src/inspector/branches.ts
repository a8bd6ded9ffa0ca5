import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/contract";
import { t } from "@oven/i18n";
import {
  type Address,
  findState,
  getAt,
  removeAt,
  type StatePlace,
  setAt,
  slotAddress,
  transitionsOf,
} from "@oven/scope";
import type { Outlet as LineOutlet } from "../document/operations/connect.ts";
import type { After } from "./variables.ts";

/** A list of transitions under one outcome of a state, tried in order. */
export interface Outlet {
  /** Where it stands in the state: `["invoke", "onDone"]`. */
  at: Address;
  title: string;
  branches: JsonObject[];
}

const TITLES: readonly [path: string, title: string][] = [
  ["invoke.onDone", t("When it is done")],
  ["loop.onDone", t("When the loop is done")],
  ["onDone", t("When its states are done")],
  ["always", t("At once")],
  ["invoke.onError", t("On an error")],
  ["loop.onError", t("On an error in a round")],
  ["onError", t("On an error inside")],
];

/** A transition in any of its forms as a list of objects. */
function toList(value: Json | undefined): JsonObject[] {
  if (value === undefined) return [];
  const list = Array.isArray(value) ? value : [value];
  return list.map((entry) => (isObject(entry) ? entry : { target: entry }));
}

/** The outcomes of a state that lead somewhere, and those that can. */
export function outletsOf({ state }: StatePlace): Outlet[] {
  const fixed = TITLES.flatMap(([path, title]): Outlet[] => {
    const at = path.split(".");
    const value = getAt(state, at);
    return value === undefined && !isOffered(state, path) ? [] : [{ at, title, branches: toList(value) }];
  });
  const keyed = (["after", "on"] as const).flatMap((slot) =>
    Object.entries(isObject(state[slot]) ? state[slot] : {}).map(
      ([key, value]): Outlet => ({
        at: [slot, key],
        title:
          slot === "after"
            ? t("After {{time}}", { time: /^\d+$/.test(key) ? `${key} ms` : key })
            : t("On {{key}}", { key }),
        branches: toList(value),
      }),
    ),
  );
  return [...fixed, ...keyed];
}

function isOffered(state: JsonObject, path: string): boolean {
  if (state.type === "final" || state.type === "history") return false;
  const [owner] = path.split(".");
  if (owner === "invoke" || owner === "loop") return isObject(state[owner]);
  if (path === "always") return !isObject(state.invoke) && !isObject(state.loop) && !isObject(state.states);
  return isObject(state.states);
}

/** What the branches of an outcome follow. */
export function afterOf(at: Address): After | null {
  const last = at.at(-1);
  if (at[0] === "on") return "event";
  return last === "onDone" ? "done" : last === "onError" ? "error" : null;
}

/** One branch of a state. */
export interface BranchPlace {
  stateId: string;
  /** Of its outcome, as in `Outlet`. */
  at: Address;
  index: number;
}

/** What a line of a branch begins at; undefined when the branch is gone. */
export function outletOfBranch(document: JsonObject, { stateId, at, index }: BranchPlace): LineOutlet | undefined {
  const place = findState(document, stateId);
  if (place === undefined) return undefined;
  const address = [...place.address, ...at].join("\n");
  const transition = transitionsOf(place).find(
    (entry) => entry.index === index && [...slotAddress(place, entry.slot, entry.key)].join("\n") === address,
  );
  if (transition === undefined)
    return at[0] === "undo" ? { from: stateId, slot: "undo", key: null, transition: null } : undefined;
  return { from: stateId, slot: transition.slot, key: transition.key, transition };
}

/** Writes the branches of an outcome in their shortest form; none take the outcome away. */
export function writeBranches(
  document: JsonObject,
  place: StatePlace,
  at: Address,
  branches: readonly JsonObject[],
): JsonObject {
  const address = [...place.address, ...at];
  const short = branches.map((branch) =>
    Object.keys(branch).join() === "target" && typeof branch.target === "string" ? branch.target : branch,
  );
  const [only] = short;
  if (only === undefined) {
    const removed = removeAt(document, address);
    const slot = address.slice(0, -1);
    const left = getAt(removed, slot);
    const isEmptyMap = (at[0] === "on" || at[0] === "after") && isObject(left) && Object.keys(left).length === 0;
    return isEmptyMap ? removeAt(removed, slot) : removed;
  }
  return setAt(document, address, short.length === 1 ? only : short);
}

/** The list with an entry one place earlier. */
export function moveUp<Entry>(list: readonly Entry[], index: number): Entry[] {
  const entry = list[index];
  if (entry === undefined || index === 0) return [...list];
  const rest = list.filter((_, at) => at !== index);
  return [...rest.slice(0, index - 1), entry, ...rest.slice(index - 1)];
}
