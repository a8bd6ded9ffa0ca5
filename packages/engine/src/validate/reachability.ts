import { type Definition, toTransitions } from "@oven/contract/workflow";
import type { NodeCatalog } from "../ports.ts";
import type { Problems } from "./problems.ts";
import {
  chainOf,
  isComposed,
  isFinal,
  isHistory,
  type Listed,
  type ListedTransitions,
  listRootTransitions,
  listTransitions,
  loopIn,
} from "./state-list.ts";

/**
 * Every state can be entered, every state can get to an end, and nothing spins without an event.
 * @param leadsAlso where states lead that are switched off
 */
export function checkReachability(
  definition: Definition,
  states: readonly Listed[],
  byId: ReadonlyMap<string, Listed>,
  catalog: NodeCatalog,
  problems: Problems,
  leadsAlso: ReadonlyMap<string, string[]>,
): void {
  const ends = (listed: Listed): boolean => endsRun(listed, definition, catalog);
  const roots =
    definition.type === "parallel"
      ? states.filter((state) => !state.parent)
      : [byId.get(definition.initial ?? "")].filter((state) => state !== undefined);
  const everywhere = targetsOf(listRootTransitions(definition), byId);
  const reached = reach([...roots, ...everywhere], byId, leadsAlso);
  for (const state of states) {
    if (!reached.has(state))
      problems.error(
        state.path,
        "unreachable",
        `${state.id} can never be entered`,
        "Let a transition lead to it, or remove it.",
      );
  }
  const rootHandles = definition.on !== undefined;
  for (const state of states) checkExit(state, ends, rootHandles, problems);
  const ending = canEnd(states, everywhere, byId, ends);
  for (const state of states) {
    const deadEnd = !isFinal(state) && !isComposed(state) && outgoing(state, byId).length === 0;
    if (reached.has(state) && !ending.has(state) && !deadEnd) {
      problems.error(
        state.path,
        "endless",
        `From ${state.id} no final state of the workflow can be reached`,
        "Add a transition that leads to a final state at the top level.",
      );
    }
  }
  checkSpin(states, byId, problems);
}

/** States entered together with one: its ancestors are active, its initial children (all regions) follow. */
function reach(
  roots: readonly Listed[],
  byId: ReadonlyMap<string, Listed>,
  leadsAlso: ReadonlyMap<string, string[]>,
): Set<Listed> {
  const reached = new Set<Listed>();
  const queue = [...roots];
  const enter = (state: Listed): void => {
    if (!reached.has(state)) queue.push(state);
  };
  for (let state = queue.pop(); state; state = queue.pop()) {
    if (reached.has(state)) continue;
    reached.add(state);
    if (state.parent) {
      enter(state.parent);
      if (state.parent.state.type === "parallel") state.parent.children.forEach(enter);
    }
    for (const child of initialChildren(state)) enter(child);
    for (const target of outgoing(state, byId)) enter(target);
    for (const id of leadsAlso.get(state.id) ?? []) {
      const target = byId.get(id);
      if (target !== undefined) enter(target);
    }
  }
  return reached;
}

function initialChildren(state: Listed): Listed[] {
  if (state.state.loop) return state.children.filter((child) => child.id === state.state.loop?.bodyInitial);
  if (!isComposed(state)) return [];
  if (state.state.type === "parallel") return state.children;
  return state.children.filter((child) => child.id === state.state.initial);
}

function outgoing(state: Listed, byId: ReadonlyMap<string, Listed>): Listed[] {
  if (!isHistory(state)) return targetsOf(listTransitions(state), byId);
  // It leads to wherever the parent was, and at first to its target or the parent's initial state.
  const first = byId.get(state.state.target ?? "");
  const siblings = (state.parent?.children ?? []).filter((child) => !isHistory(child));
  return first ? [first, ...siblings] : siblings;
}

function targetsOf(lists: readonly ListedTransitions[], byId: ReadonlyMap<string, Listed>): Listed[] {
  return lists
    .flatMap(({ transitions }) => transitions.map(({ transition }) => byId.get(transition.target ?? "")))
    .filter((target) => target !== undefined);
}

function endsRun(state: Listed, definition: Definition, catalog: NodeCatalog): boolean {
  if (state.state.invoke && !state.state.loop)
    return catalog.get(state.state.invoke.src, state.state.invoke.version)?.endsRun === true;
  if (!isFinal(state)) return false;
  return state.parent === undefined || (definition.type === "parallel" && state.parent.parent === undefined);
}

/** A leaf must have something that takes it further; an event or a timer may be handled by a state around it. */
function checkExit(state: Listed, ends: (state: Listed) => boolean, rootHandles: boolean, problems: Problems): void {
  if (isFinal(state) || isComposed(state) || state.state.loop || isHistory(state) || ends(state)) return;
  const waits =
    rootHandles || chainOf(state).some(({ state: { on, after } }) => on !== undefined || after !== undefined);
  if (state.state.invoke) {
    if (state.state.invoke.onDone === undefined) {
      problems.error(
        [...state.path, "invoke"],
        "dead-end",
        `Nothing follows when ${state.id} is done`,
        "Add onDone, or lead to a final state.",
      );
    }
  } else if (state.state.always === undefined && !waits) {
    problems.error(
      state.path,
      "dead-end",
      `${state.id} does nothing and leads nowhere`,
      'Add invoke, always, on or after, or make it "type": "final".',
    );
  }
}

/** Backwards from the ends: a state can end if a state it leads to can; a final leads to what its parent's onDone targets. */
function canEnd(
  states: readonly Listed[],
  everywhere: readonly Listed[],
  byId: ReadonlyMap<string, Listed>,
  ends: (state: Listed) => boolean,
): Set<Listed> {
  const sources = new Map<Listed, Listed[]>();
  const edge = (from: Listed, to: Listed): void => void sources.set(to, [...(sources.get(to) ?? []), from]);
  for (const state of states) {
    const targets = outgoing(state, byId);
    for (const target of [...targets, ...everywhere]) edge(state, target);
    // What a state's own onError, always, on or after leads to is open to everything inside it.
    for (const inside of within(state)) for (const target of escapes(state, byId)) edge(inside, target);
    for (const child of initialChildren(state)) edge(state, child);
    const container = state.parent;
    if (isFinal(state) && container) for (const target of doneTargets(container, byId)) edge(state, target);
  }
  const ending = new Set<Listed>();
  const queue = states.filter(ends);
  for (let state = queue.pop(); state; state = queue.pop()) {
    if (ending.has(state)) continue;
    ending.add(state);
    queue.push(...(sources.get(state) ?? []));
  }
  return ending;
}

const ESCAPES: ReadonlySet<string> = new Set(["always", "onError", "loop.onError", "invoke.onError", "on", "after"]);

function within(state: Listed): Listed[] {
  return state.children.flatMap((child) => [child, ...within(child)]);
}

function escapes(state: Listed, byId: ReadonlyMap<string, Listed>): Listed[] {
  if (!isComposed(state) && !state.state.loop) return [];
  return targetsOf(
    listTransitions(state).filter(({ slot }) => ESCAPES.has(slot)),
    byId,
  );
}

/** The targets of a container's onDone; of a region, those of its parallel state. */
function doneTargets(container: Listed, byId: ReadonlyMap<string, Listed>): Listed[] {
  if (container.state.loop) {
    // Another iteration, or what follows the loop.
    const { onDone } = loopIn(container) ?? {};
    const following = toTransitions(onDone).flatMap(({ target }) => byId.get(target ?? "") ?? []);
    return [...initialChildren(container), ...following];
  }
  const own = targetsOf(
    listTransitions(container).filter(({ slot }) => slot === "onDone"),
    byId,
  );
  const parallel = container.parent?.state.type === "parallel" ? container.parent : undefined;
  return parallel ? [...own, ...doneTargets(parallel, byId)] : own;
}

/** A cycle of `always` along which nothing is written would, once taken, never stop. */
function checkSpin(states: readonly Listed[], byId: ReadonlyMap<string, Listed>, problems: Problems): void {
  const writes = (actions: readonly { type: string }[] | undefined): boolean =>
    (actions ?? []).some((action) => action.type === "assign");
  const quiet = new Map<Listed, Listed[]>();
  for (const state of states) {
    if (writes(state.state.exit)) continue;
    const targets = listTransitions(state)
      .filter(({ slot }) => slot === "always")
      .flatMap(({ transitions }) => transitions.filter(({ transition }) => !writes(transition.actions)))
      .map(({ transition }) => byId.get(transition.target ?? ""))
      .filter((target) => target !== undefined && !writes(target.state.entry));
    quiet.set(state, targets as Listed[]); // cast: undefined is filtered out
  }
  const finished = new Set<Listed>();
  const visit = (state: Listed, trail: Listed[]): void => {
    if (finished.has(state)) return;
    const start = trail.indexOf(state);
    if (start >= 0) {
      const cycle = [...trail.slice(start), state].map(({ id }) => id).join(" → ");
      problems.error(
        [...state.path, "always"],
        "spin",
        `${cycle} can go round without an event and without a change`,
        "Let a node run or a variable change on the way.",
      );
      finished.add(state);
      return;
    }
    for (const target of quiet.get(state) ?? []) visit(target, [...trail, state]);
    finished.add(state);
  };
  for (const state of states) visit(state, []);
}
