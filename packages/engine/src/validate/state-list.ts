import type { Definition, State, Transition, TransitionObject } from "@oven/contract";
import type { PathPart } from "./problems.ts";

/** One state of a definition with its place. */
export interface Listed {
  id: string;
  state: State;
  path: PathPart[];
  parent: Listed | undefined;
  children: Listed[];
}

export function listStates(definition: Definition): Listed[] {
  const list: Listed[] = [];
  const walk = (states: Record<string, State>, path: PathPart[], parent: Listed | undefined): void => {
    for (const [id, state] of Object.entries(states)) {
      const listed: Listed = { id, state, path: [...path, id], parent, children: [] };
      parent?.children.push(listed);
      list.push(listed);
      if (state.states) walk(state.states, [...listed.path, "states"], listed);
    }
  };
  walk(definition.states, ["states"], undefined);
  return list;
}

export type Slot = "invoke.onDone" | "invoke.onError" | "always" | "onDone" | "onError";

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
  ];
  return slots.flatMap(([slot, at, value]) =>
    value === undefined ? [] : [{ slot, path: at, transitions: split(value, at) }],
  );
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
