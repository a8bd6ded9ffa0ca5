import type { AnyStateNode } from "xstate";
import type { CompiledMachine } from "../compile/machine.ts";
import { fromMachineId, type StateInfo, toMachineId } from "../compile/state-info.ts";

/** Which child of a state may be entered after which. A child that may be entered again leads to itself. */
export interface Moves {
  from: ReadonlyMap<StateInfo, ReadonlySet<StateInfo>>;
  /** Those that may be entered after any of them. */
  fromAny: ReadonlySet<StateInfo>;
}

/** By the state whose children they are of. */
export type SiblingMoves = ReadonlyMap<StateInfo, Moves>;

/**
 * What the compiled machine's transitions do to the states around them. Every way that a run may take is in it; guards are
 * taken as open. Passes of a loop are not: the loop counts them itself.
 */
export function siblingMoves({ machine, states, root }: CompiledMachine): SiblingMoves {
  const moves = new Map<StateInfo, { from: Map<StateInfo, Set<StateInfo>>; fromAny: Set<StateInfo> }>();
  const of = (around: StateInfo) => {
    const found = moves.get(around) ?? { from: new Map<StateInfo, Set<StateInfo>>(), fromAny: new Set<StateInfo>() };
    moves.set(around, found);
    return found;
  };
  const add = (around: StateInfo, left: StateInfo, entered: StateInfo): void => {
    const { from } = of(around);
    from.set(left, (from.get(left) ?? new Set()).add(entered));
  };
  const addFromAny = (around: StateInfo, entered: readonly StateInfo[]): void => {
    for (const state of entered) of(around).fromAny.add(state);
  };
  /** It is left and entered again. */
  const again = (state: StateInfo): void => {
    if (state.parent) add(state.parent, state, state);
    else for (const child of state.children) add(state, child, child);
  };
  const lead = (source: StateInfo, target: StateInfo, reenter: boolean): void => {
    const goal = target.kind === "history" ? (target.parent ?? target) : target;
    if (goal !== target && isAround(goal, source)) enterAnywhere(goal);
    // Its timers begin anew, also where XState does not leave it.
    if (goal === source) again(source);
    const inside = !reenter && (goal === source || isAround(source, goal));
    const domain = inside ? source : commonParent(source, goal);
    if (domain.kind === "loop") return;
    if (isParallel(domain, root, machine.root)) {
      again(domain);
      return;
    }
    const child = childOf(domain, goal);
    const entered = goal === domain || child === undefined ? domain.children : [child];
    const left = source === domain ? undefined : childOf(domain, source);
    if (left === undefined) addFromAny(domain, entered);
    else for (const state of entered) add(domain, left, state);
  };
  /** History may lead to any of the states that it remembers. */
  const enterAnywhere = (state: StateInfo): void => {
    again(state);
    addFromAny(state, state.children);
  };

  for (const source of [root, ...states.values()]) {
    const node: AnyStateNode = source === root ? machine.root : machine.getStateNodeById(toMachineId(source.id));
    for (const { eventType, target, reenter } of [...[...node.transitions.values()].flat(), ...(node.always ?? [])]) {
      // What undoes steps comes after the end of the run.
      if (eventType.startsWith("oven.undo.")) continue;
      for (const { id } of target ?? []) {
        const info = states.get(fromMachineId(id));
        if (info) lead(source, info, reenter);
      }
    }
  }
  return moves;
}

function isParallel(state: StateInfo, root: StateInfo, machineRoot: AnyStateNode): boolean {
  return state === root ? machineRoot.type === "parallel" : state.kind === "parallel";
}

/** Whether `state` lies in `around`, and is not it. */
function isAround(around: StateInfo, state: StateInfo): boolean {
  for (let at = state.parent; at; at = at.parent) if (at === around) return true;
  return false;
}

/** The innermost state around both. */
function commonParent(one: StateInfo, other: StateInfo): StateInfo {
  for (let at = other.parent; at; at = at.parent) if (isAround(at, one)) return at;
  // The root has none around it; what it enters lies in it.
  return one.parent ?? one;
}

/** The child of `around` in which a state lies. */
function childOf(around: StateInfo, state: StateInfo): StateInfo | undefined {
  for (let at: StateInfo | undefined = state; at; at = at.parent) if (at.parent === around) return at;
  return undefined;
}
