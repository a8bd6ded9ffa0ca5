import type { CompiledMachine } from "../compile/machine.ts";
import type { StateInfo } from "../compile/state-info.ts";

/** Ids of states of the version that a run comes from, each with the id of the state that takes its place. */
export type StateMapping = Readonly<Record<string, string>>;

/** The id that a state has after a mapping; inner states of composites and loops go with them. */
export function renamed(id: string, mapping: StateMapping): string {
  const own = Object.hasOwn(mapping, id) ? mapping[id] : undefined;
  if (own !== undefined) return own;
  const dot = id.indexOf(".");
  return dot < 0 ? id : renamed(id.slice(0, dot), mapping) + id.slice(dot);
}

/** The states around one, the outermost first. Compound states only group: a state may be moved into one or out of it. */
export function framesAround(state: StateInfo): StateInfo[] {
  const { parent } = state;
  if (parent === undefined || parent.kind === "root") return [];
  const around = framesAround(parent);
  return parent.kind === "compound" ? around : [...around, parent];
}

/** What is active: leaves, and everything around them. */
export function activeStates({ states }: CompiledMachine, leaves: readonly string[]): StateInfo[] {
  const active = new Set<StateInfo>();
  for (const leaf of leaves)
    for (let state = states.get(leaf); state && state.kind !== "root"; state = state.parent) active.add(state);
  return [...active];
}
