import { OvenError } from "@oven/contract";
import type { RunOptions } from "@oven/contract/run";
import type { Definition, State } from "@oven/contract/workflow";
import type { CatalogEntry, NodeCatalog } from "../ports.ts";
import { isFanOut } from "./compile-loop.ts";

/*
 * Runs of a part of a graph: from a state on, and with outputs that are given instead of computed. Both are a definition
 * made from the definition, so that everything else is as in any other run.
 */

/** The node that stands for a state whose output is pinned; the runner answers it. */
export const PINNED_NODE = "core.pinned";

const PINNED: CatalogEntry = {
  id: PINNED_NODE,
  version: 1,
  effect: "pure",
  input: { safeParse: (data) => ({ success: true, data }) },
};

/** @throws OvenError STATE_UNKNOWN 422 */
export function toPartial(
  definition: Definition,
  catalog: NodeCatalog,
  options: RunOptions | null,
): { definition: Definition; catalog: NodeCatalog } {
  const pins = Object.keys(options?.pins ?? {});
  const { from, until, items = {} } = options ?? {};
  for (const id of [...pins, ...(from === undefined ? [] : [from]), ...(until === undefined ? [] : [until])])
    if (findStates(definition.states, id).length === 0) throw unknownState(id);
  requireLoops(definition, until, Object.keys(items));
  if (until !== undefined) requireEnd(definition, until, items);
  const oneByOne = { ...definition, states: unfan(definition.states, items) };
  const started = from === undefined ? oneByOne : startAt(oneByOne, from);
  if (pins.length === 0) return { definition: started, catalog };
  return {
    definition: { ...started, states: pin(started.states, new Set(pins)) },
    catalog: {
      get: (src, version) => (src === PINNED_NODE ? PINNED : catalog.get(src, version)),
      names: () => catalog.names(),
    },
  };
}

function pin(states: Record<string, State>, pins: ReadonlySet<string>): Record<string, State> {
  return Object.fromEntries(
    Object.entries(states).map(([id, state]): [string, State] => {
      const { invoke, loop, ...rest } = state;
      if (pins.has(id) && (invoke || loop)) {
        const onDone = loop?.onDone ?? invoke?.onDone;
        const onError = loop?.onError ?? invoke?.onError;
        return [
          id,
          { ...rest, invoke: { src: PINNED_NODE, ...(onDone ? { onDone } : {}), ...(onError ? { onError } : {}) } },
        ];
      }
      return [
        id,
        {
          ...state,
          ...(state.states ? { states: pin(state.states, pins) } : {}),
          ...(loop ? { loop: { ...loop, bodyStates: pin(loop.bodyStates, pins) } } : {}),
        },
      ];
    }),
  );
}

/** Passes of these loops are no runs of their own: only one of them is run. */
function unfan(states: Record<string, State>, items: Readonly<Record<string, number>>): Record<string, State> {
  if (Object.keys(items).length === 0) return states;
  return Object.fromEntries(
    Object.entries(states).map(([id, state]): [string, State] => {
      const { loop } = state;
      const { concurrency: _, ...rest } = loop ?? {};
      const one = loop && Object.hasOwn(items, id) ? (rest as typeof loop) : loop; // cast: only an optional key went
      return [
        id,
        {
          ...state,
          ...(state.states ? { states: unfan(state.states, items) } : {}),
          ...(one ? { loop: { ...one, bodyStates: unfan(one.bodyStates, items) } } : {}),
        },
      ];
    }),
  );
}

/** Every state around it begins with the one that leads to it; other regions begin as always. */
function startAt(definition: Definition, id: string): Definition {
  const enter = (states: Record<string, State>): { initial: string; states: Record<string, State> } | undefined => {
    if (Object.hasOwn(states, id)) return { initial: id, states };
    for (const [key, state] of Object.entries(states)) {
      const inner = state.states && enter(state.states);
      if (!inner) continue;
      const initial = state.type === "parallel" ? {} : { initial: inner.initial };
      return { initial: key, states: { ...states, [key]: { ...state, ...initial, states: inner.states } } };
    }
    return undefined;
  };
  const entered = enter(definition.states);
  if (!entered) {
    throw new OvenError("STATE_UNKNOWN", `A run cannot begin at ${id}: it is in the body of a loop`, {
      status: 422,
      path: "$.options.from",
      fix: "Begin at the loop.",
    });
  }
  const initial = definition.type === "parallel" ? {} : { initial: entered.initial };
  return { ...definition, ...initial, states: entered.states };
}

interface Found {
  id: string;
  state: State;
}

/** The state and those it stands in, the outermost first; empty where there is none. */
function findStates(states: Record<string, State>, id: string): Found[] {
  for (const [key, state] of Object.entries(states)) {
    if (key === id) return [{ id, state }];
    const inner = { ...state.states, ...state.loop?.bodyStates };
    const found = findStates(inner, id);
    if (found.length > 0) return [{ id: key, state }, ...found];
  }
  return [];
}

/** Where one item of a loop is run, the run ends inside that loop: what follows would take the others for done. */
function requireLoops({ states }: Definition, until: string | undefined, ids: readonly string[]): void {
  const around = until === undefined ? [] : findStates(states, until).slice(0, -1);
  for (const id of ids) {
    if (around.some((found) => found.id === id && found.state.loop)) continue;
    throw new OvenError("STATE_UNKNOWN", `${id} is no loop around the state that the run ends after`, {
      status: 422,
      path: `$.options.items.${id}`,
      fix: "Name a loop, and in `until` a state in its body.",
    });
  }
}

/** In a group or beside other regions, a run can end after any node; what else goes on there is given up. */
function requireEnd({ states }: Definition, id: string, items: Readonly<Record<string, number>>): void {
  const [end, ...around] = findStates(states, id).toReversed();
  const refuse = (why: string, fix: string): OvenError =>
    new OvenError("STATE_UNKNOWN", `A run cannot end after ${id}: ${why}`, {
      status: 422,
      path: "$.options.until",
      fix,
    });
  if (around.some((found) => isFanOut(found.state.loop) && !Object.hasOwn(items, found.id)))
    throw refuse(
      "it is in the body of a loop whose passes are runs of their own",
      "End after the loop, or name one of its items in `items`.",
    );
  if (!end?.state.invoke && !end?.state.loop)
    throw refuse("no node works there", "Name a state with a node, or a loop; of a group, the last state in it.");
}

function unknownState(id: string): OvenError {
  return new OvenError("STATE_UNKNOWN", `The definition has no state ${id}`, {
    status: 422,
    path: "$.options",
    fix: "Name a state by its id.",
  });
}
