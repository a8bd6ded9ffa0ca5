import type { JsonObject } from "@oven/contract";
import { isObject } from "@oven/contract";
import { findState, getAt, indexStates } from "@oven/scope";

/** The nodes that people decide: their outputs name who did by an id. */
const DECIDED: ReadonlySet<unknown> = new Set(["agent.humanReview", "core.requestInput"]);
const REVIEWER = /^\$\.(.+)_output\.reviewer$/;

/** The fields of a workflow's result that hold the id of the person who decided a review, as its ends write them. */
export function reviewerFields(definition: JsonObject): ReadonlySet<string> {
  const fields = new Set<string>();
  for (const { state } of indexStates(definition).list) {
    if (state.type !== "final" || !isObject(state.output)) continue;
    for (const [name, value] of Object.entries(state.output)) {
      const id = typeof value === "string" ? REVIEWER.exec(value)?.[1] : undefined;
      const decided = id === undefined ? undefined : findState(definition, id)?.state;
      if (decided !== undefined && DECIDED.has(getAt(decided, ["invoke", "src"]))) fields.add(name);
    }
  }
  return fields;
}
