import { type Definition, OvenError, type RunOptions, type State } from "@oven/contract";
import type { CatalogEntry, NodeCatalog } from "../ports.ts";

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
  const { from, until } = options ?? {};
  for (const id of [...pins, ...(from === undefined ? [] : [from]), ...(until === undefined ? [] : [until])])
    if (!hasState(definition.states, id)) throw unknownState(id);
  const started = from === undefined ? definition : startAt(definition, from);
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

function hasState(states: Record<string, State>, id: string): boolean {
  if (Object.hasOwn(states, id)) return true;
  return Object.values(states).some(
    (state) => (state.states && hasState(state.states, id)) || (state.loop && hasState(state.loop.bodyStates, id)),
  );
}

function unknownState(id: string): OvenError {
  return new OvenError("STATE_UNKNOWN", `The definition has no state ${id}`, {
    status: 422,
    path: "$.options",
    fix: "Name a state by its id.",
  });
}
