import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/contract";
import { type Address, getAt } from "./address.ts";
import { indexStates, type StatePlace } from "./states.ts";

/** Where in a state its transitions stand. */
export type Slot =
  | "invoke.onDone"
  | "loop.onDone"
  | "onDone"
  | "always"
  | "on"
  | "after"
  | "invoke.onError"
  | "loop.onError"
  | "onError"
  | "undo"
  | "target";

export interface TransitionPlace {
  /** Undefined: a transition of the definition itself. */
  owner: StatePlace | undefined;
  slot: Slot;
  /** The event, or the time. */
  key: string | null;
  /** The address of this transition; of an entry of a list, with its index. */
  address: Address;
  index: number;
  /** How many stand in the same list. */
  of: number;
  /** The state's id, as written without a leading `#`; null where it leads nowhere. */
  target: string | null;
  guard: Json | undefined;
}

const SLOTS: readonly Slot[] = [
  "invoke.onDone",
  "loop.onDone",
  "onDone",
  "always",
  "on",
  "after",
  "invoke.onError",
  "loop.onError",
  "onError",
  "undo",
  "target",
];

/** Where the transitions of a slot stand; of an event or a time with its key. */
export function slotAddress(owner: StatePlace | undefined, slot: Slot, key: string | null): Address {
  return [...(owner?.address ?? []), ...slot.split("."), ...(key === null ? [] : [key])];
}

/** The transitions of a state in the order in which its card names them. */
export function transitionsOf(owner: StatePlace): TransitionPlace[] {
  return SLOTS.flatMap((slot) => {
    if (slot === "target" && owner.state.type !== "history") return [];
    const value = getAt(owner.state, slot.split("."));
    if (slot !== "on" && slot !== "after") return read(owner, slot, null, value);
    return Object.entries(isObject(value) ? value : {}).flatMap(([key, entry]) => read(owner, slot, key, entry));
  });
}

/** Stands for the definition where an id of a state is asked for: its own handlers begin at it. No state can have this id. */
export const WORKFLOW = "(workflow)";

/** What the definition itself takes an event for, whatever the run is doing. */
export function ownTransitions(document: JsonObject): TransitionPlace[] {
  return Object.entries(isObject(document.on) ? document.on : {}).flatMap(([key, entry]) =>
    read(undefined, "on", key, entry),
  );
}

const lists = new WeakMap<JsonObject, readonly TransitionPlace[]>();

/** Every transition of a definition, its own `on` first. */
export function listTransitions(document: JsonObject): readonly TransitionPlace[] {
  const known = lists.get(document);
  if (known !== undefined) return known;
  const list = [...ownTransitions(document), ...indexStates(document).list.flatMap(transitionsOf)];
  lists.set(document, list);
  return list;
}

function read(
  owner: StatePlace | undefined,
  slot: Slot,
  key: string | null,
  value: Json | undefined,
): TransitionPlace[] {
  const address = slotAddress(owner, slot, key);
  const one = (entry: Json, index: number, of: number, at: Address): TransitionPlace[] => {
    const shared = { owner, slot, key, address: at, index, of };
    if (typeof entry === "string") return [{ ...shared, target: toId(entry), guard: undefined }];
    if (!isObject(entry)) return [];
    return [{ ...shared, target: typeof entry.target === "string" ? toId(entry.target) : null, guard: entry.guard }];
  };
  if (value === undefined) return [];
  if (!Array.isArray(value)) return one(value, 0, 1, address);
  return value.flatMap((entry, index) => one(entry, index, value.length, [...address, index]));
}

/** XState also takes `#id`; both name a state by its id. */
function toId(target: string): string {
  return target.replace(/^#/, "");
}
