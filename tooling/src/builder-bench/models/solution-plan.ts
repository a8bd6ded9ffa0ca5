import { FIRST_VERSION } from "../../../../packages/contract/src/doors/workflow.ts";
import type { Json, JsonObject } from "../../../../packages/contract/src/index.ts";
import type { BenchTask } from "../task.ts";

/** Calls of `change_steps` that lead from what a task begins with to its reference. */
export interface StepChange {
  put?: Record<string, JsonObject>;
  remove?: string[];
  settings?: JsonObject;
}

/** States that one call puts at most: a model builds in small steps. */
const MOST_AT_ONCE = 3;

/** The changes in the order in which they are made; settings come first, what is left over goes last. */
export function planSolution({ repair, reference }: BenchTask): StepChange[] {
  const start: JsonObject = repair?.published ?? (FIRST_VERSION as unknown as JsonObject); // cast: a definition is JSON
  const [before, after] = [statesOf(start), statesOf(reference)];
  const put = Object.entries(after).filter(([id, state]) => !isSame(before[id], state));
  const remove = Object.keys(before).filter((id) => after[id] === undefined);
  const settings = toSettings(start, reference);
  const groups: StepChange[] = [];
  for (let from = 0; from < put.length; from += MOST_AT_ONCE)
    groups.push({ put: Object.fromEntries(put.slice(from, from + MOST_AT_ONCE)) });
  if (groups.length === 0) groups.push({});
  const [first, last] = [groups[0], groups.at(-1)];
  if (first !== undefined && Object.keys(settings).length > 0) first.settings = settings;
  if (last !== undefined && remove.length > 0) last.remove = remove;
  return groups;
}

/** Members besides `states`: those that differ, and null for those that are gone. */
function toSettings(start: JsonObject, reference: JsonObject): JsonObject {
  const { states: _before, ...before } = start;
  const { states: _after, ...after } = reference;
  const gone = Object.keys(before).filter((key) => after[key] === undefined);
  return {
    ...Object.fromEntries(Object.entries(after).filter(([key, value]) => !isSame(before[key], value))),
    ...Object.fromEntries(gone.map((key) => [key, null])),
  };
}

export function statesOf(definition: JsonObject): Record<string, JsonObject> {
  return definition.states as Record<string, JsonObject>; // cast: definitions of tasks have states
}

function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
