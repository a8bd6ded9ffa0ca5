import type { Definition, State } from "@oven/contract/workflow";
import type { NodeCatalog } from "../ports.ts";

/**
 * The definition with the texts that nodes take as they are written, such as code, marked as literals: no path, template or expression
 * in them is one.
 */
export function takeVerbatim(definition: Definition, catalog: NodeCatalog): Definition {
  return { ...definition, states: takeAll(definition.states, catalog) };
}

function takeAll(states: Record<string, State>, catalog: NodeCatalog): Record<string, State> {
  return Object.fromEntries(Object.entries(states).map(([id, state]) => [id, take(state, catalog)]));
}

function take(state: State, catalog: NodeCatalog): State {
  const { invoke, states, loop } = state;
  const keys = invoke === undefined ? [] : (catalog.get(invoke.src, invoke.version)?.verbatim ?? []);
  const input = { ...invoke?.input };
  for (const key of keys) {
    const value = Object.hasOwn(input, key) ? input[key] : undefined;
    if (typeof value === "string") input[key] = { $literal: value };
  }
  return {
    ...state,
    ...(invoke === undefined || keys.length === 0 ? {} : { invoke: { ...invoke, input } }),
    ...(states === undefined ? {} : { states: takeAll(states, catalog) }),
    ...(loop === undefined ? {} : { loop: { ...loop, bodyStates: takeAll(loop.bodyStates, catalog) } }),
  };
}
