import type { Definition, Loop, State, Transition, TransitionObject } from "@oven/contract/workflow";
import { loopOf } from "../compile/compile-loop.ts";
import type { PathPart } from "./problems.ts";

/** One state of a definition with its place. */
export interface Listed {
  id: string;
  state: State;
  path: PathPart[];
  /** The state it stands in; of a state of a loop's body: the loop. */
  parent: Listed | undefined;
  /** The innermost loop whose body it is in. */
  loop: Listed | undefined;
  children: Listed[];
}

/** All states of a definition with their paths, parents before children. */
export function listStates(definition: Definition): Listed[] {
  const list: Listed[] = [];
  const walk = (
    states: Record<string, State>,
    path: PathPart[],
    parent: Listed | undefined,
    loop: Listed | undefined,
  ): void => {
    for (const [id, state] of Object.entries(states)) {
      const listed: Listed = { id, state, path: [...path, id], parent, loop, children: [] };
      parent?.children.push(listed);
      list.push(listed);
      if (state.states) walk(state.states, [...listed.path, "states"], listed, loop);
      if (state.loop) walk(state.loop.bodyStates, [...listed.path, "loop", "bodyStates"], listed, listed);
    }
  };
  walk(definition.states, ["states"], undefined, undefined);
  return list;
}

export type Slot =
  | "invoke.onDone"
  | "invoke.onError"
  | "always"
  | "onDone"
  | "onError"
  | "loop.onDone"
  | "loop.onError"
  | "undo"
  | "on"
  | "after";

/** A transition list of a state, and where it stands. */
export interface ListedTransitions {
  slot: Slot;
  path: PathPart[];
  transitions: { transition: TransitionObject; path: PathPart[] }[];
}

export function listTransitions({ state, path }: Listed): ListedTransitions[] {
  const slots: [Slot, PathPart[], Transition | undefined][] = [
    ["invoke.onDone", [...path, "invoke", "onDone"], state.invoke?.onDone],
    ["invoke.onError", [...path, "invoke", "onError"], state.invoke?.onError],
    ["always", [...path, "always"], state.always],
    ["onDone", [...path, "onDone"], state.onDone],
    ["onError", [...path, "onError"], state.onError],
    ["loop.onDone", [...path, "loop", "onDone"], state.loop?.onDone],
    ["loop.onError", [...path, "loop", "onError"], state.loop?.onError],
    ["undo", [...path, "undo"], state.undo],
  ];
  const own = slots.flatMap(([slot, at, value]) =>
    value === undefined ? [] : [{ slot, path: at, transitions: split(value, at) }],
  );
  return [...own, ...listMap("on", state.on, [...path, "on"]), ...listMap("after", state.after, [...path, "after"])];
}

/** The `on` of the definition itself: open wherever the run is. */
export function listRootTransitions(definition: Definition): ListedTransitions[] {
  return listMap("on", definition.on, ["on"]);
}

function listMap(slot: Slot, map: Record<string, Transition> | undefined, path: PathPart[]): ListedTransitions[] {
  return Object.entries(map ?? {}).map(([key, value]) => {
    const at = [...path, key];
    return { slot, path: at, transitions: split(value, at) };
  });
}

function split(value: Transition, path: PathPart[]): ListedTransitions["transitions"] {
  const objectOf = (entry: string | TransitionObject): TransitionObject =>
    typeof entry === "string" ? { target: entry } : entry;
  if (!Array.isArray(value)) return [{ transition: objectOf(value), path }];
  return value.map((entry, index) => ({ transition: objectOf(entry), path: [...path, index] }));
}

export function isFinal(listed: Listed): boolean {
  return listed.state.type === "final";
}

export function isComposed(listed: Listed): boolean {
  return listed.state.states !== undefined;
}

export function isHistory(listed: Listed): boolean {
  return listed.state.type === "history";
}

/** The loop with what an `invoke` beside it says. */
export function loopIn(listed: Listed): Loop | undefined {
  return loopOf(listed.state);
}

/** Where a state stands: its own loop's body apart, what is around it from the inside out. */
export function chainOf(listed: Listed): Listed[] {
  const list: Listed[] = [];
  for (let at: Listed | undefined = listed; at; at = at.parent) list.push(at);
  return list;
}
