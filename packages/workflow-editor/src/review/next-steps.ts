import { isObject, type Json, type JsonObject } from "@oven/contract";
import type { Review } from "@oven/contract/review";
import type { Guard } from "@oven/contract/workflow";
import { findState, readsAction, type StatePlace, type TransitionPlace, transitionsOf } from "@oven/scope";

/** Where an outcome of a review leads: one step, or one of several that other conditions choose from. */
export interface NextStep {
  action: string;
  /** Ids of states. Empty: nothing is known, or nothing follows. */
  targets: string[];
}

/** Node types that wait for a decision and do nothing else: what follows is decided by their transitions. */
const ASKING: ReadonlySet<string> = new Set(["agent.humanReview", "core.requestInput"]);

/**
 * The steps that follow each outcome of a review, as far as the definition alone says: conditions on the decision are computed, all
 * others leave several steps possible. Null: the step that asks does something else with the decision, such as making the call.
 */
export function toNextSteps(
  definition: JsonObject,
  { nodeId, actions }: Pick<Review, "nodeId" | "actions">,
): NextStep[] | null {
  const place = findState(definition, nodeId);
  if (place === undefined || !isObject(place.state.invoke) || !ASKING.has(String(place.state.invoke.src))) return null;
  return actions.map((action) => ({ action, targets: targetsOf(place, action) }));
}

function targetsOf(place: StatePlace, action: string): string[] {
  const all = transitionsOf(place);
  const done = all.filter(({ slot }) => slot === "invoke.onDone" || slot === "onDone");
  const routed =
    action !== "reject" || done.some(({ guard }) => isObject(guard) && readsAction(guard as Guard, place.id)); // cast: a guard of a stored definition
  const ways = routed ? done : all.filter(({ slot }) => slot === "invoke.onError" || slot === "onError");
  return possible(ways, place.id, routed ? action : undefined);
}

/** The branches up to the first that is certainly taken, without those that certainly are not. */
function possible(ways: readonly TransitionPlace[], stateId: string, action: string | undefined): string[] {
  const targets: string[] = [];
  for (const { guard, target } of ways) {
    const holds =
      guard === undefined ? true : action === undefined ? undefined : judge(guard as Guard, stateId, action); // cast: a guard of a stored definition
    if (holds === false) continue;
    if (target !== null && !targets.includes(target)) targets.push(target);
    if (holds === true) break;
  }
  return targets;
}

/** What a condition comes to when all that is known is the decision; undefined: it depends on something else. */
function judge(guard: Guard, stateId: string, action: string): boolean | undefined {
  switch (guard.type) {
    case "condition":
      return isActionKey(guard.params.key, stateId)
        ? compare(guard.params.operator, action, guard.params.value)
        : undefined;
    case "not": {
      const inner = judge(guard.guard, stateId, action);
      return inner === undefined ? undefined : !inner;
    }
    case "all": {
      const inner = guard.guards.map((one) => judge(one, stateId, action));
      return inner.includes(false) ? false : inner.includes(undefined) ? undefined : true;
    }
    case "any": {
      const inner = guard.guards.map((one) => judge(one, stateId, action));
      return inner.includes(true) ? true : inner.includes(undefined) ? undefined : false;
    }
    case "cel": {
      const [, key = "", operator = "", value = ""] = COMPARISON.exec(guard.params.expression.trim()) ?? [];
      return isActionKey(key, stateId) ? compare(operator, action, value) : undefined;
    }
  }
}

/** `ask_output.action == "approve"`. */
const COMPARISON = /^([\w.$]+)\s*(==|!=)\s*["']([^"'\\]*)["']$/;

function compare(operator: string, action: string, value: Json | undefined): boolean | undefined {
  if (operator === "==") return action === value;
  if (operator === "!=") return action !== value;
  return operator === "in" && Array.isArray(value) ? value.includes(action) : undefined;
}

function isActionKey(key: string, stateId: string): boolean {
  const path = key.replace(/^(\$|ctx)\./, "");
  return ["output.action", `${stateId}_output.action`, `${stateId}.action`].includes(path);
}
