import { diffJson } from "./diff-json.ts";
import { isPlainObject, type Json, type JsonObject } from "./json.ts";
import type { VersionComparison } from "./version-comparison.ts";

interface PlacedState {
  parent: string | null;
  /** Without the states inside it. */
  own: JsonObject;
}

/** What differs between two definitions. Ids are unique over all nesting, so a state is the same state wherever it stands. */
export function compareDefinitions(from: JsonObject, to: JsonObject): Omit<VersionComparison, "from" | "to"> {
  const before = placedStates(from);
  const after = placedStates(to);
  const comparison: Omit<VersionComparison, "from" | "to"> = {
    added: [...after.keys()].filter((id) => !before.has(id)),
    removed: [...before.keys()].filter((id) => !after.has(id)),
    changed: [],
    moved: [],
    settings: diffJson(settingsOf(from), settingsOf(to)),
  };
  for (const [stateId, state] of before) {
    const other = after.get(stateId);
    if (other === undefined) continue;
    comparison.changed.push(...diffJson(state.own, other.own).map((change) => ({ stateId, ...change })));
    if (state.parent !== other.parent) comparison.moved.push({ stateId, from: state.parent, to: other.parent });
  }
  return comparison;
}

function settingsOf({ states: _states, meta: _meta, ...settings }: JsonObject): JsonObject {
  return settings;
}

function placedStates(definition: JsonObject): Map<string, PlacedState> {
  const placed = new Map<string, PlacedState>();
  const add = (states: Json | undefined, parent: string | null): void => {
    if (!isPlainObject(states)) return;
    for (const [id, state] of Object.entries(states)) {
      if (!isPlainObject(state)) continue;
      const { states: inside, meta: _meta, ...own } = state;
      const { loop } = own;
      if (isPlainObject(loop)) {
        const { bodyStates, ...rest } = loop;
        placed.set(id, { parent, own: { ...own, loop: rest } });
        add(bodyStates, id);
      } else placed.set(id, { parent, own });
      add(inside, id);
    }
  };
  add(definition.states, null);
  return placed;
}
