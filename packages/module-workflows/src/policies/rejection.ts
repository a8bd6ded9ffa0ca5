import type { Json } from "@oven/contract";
import { type Guard, type Transition, toTransitions } from "@oven/contract/workflow";
import { parsePath, readsDecision } from "@oven/engine";

const REJECTED = "reject";

/**
 * For each transition of a review's `onDone`, whether it may be taken after a rejection. Where no guard asks about the
 * decision, the engine itself sends rejections to `onError`.
 */
export function takesRejection(onDone: Transition | undefined, stateId: string): boolean[] {
  const transitions = toTransitions(onDone);
  if (!readsDecision(onDone, stateId)) return transitions.map(() => false);
  let open = true;
  return transitions.map(({ guard }) => {
    const verdict = guard === undefined ? true : passes(guard, stateId);
    const taken = open && verdict !== false;
    if (verdict === true) open = false;
    return taken;
  });
}

/** Whether a guard passes when the action is `reject`; undefined when that depends on something else. */
function passes(guard: Guard, stateId: string): boolean | undefined {
  switch (guard.type) {
    case "condition":
      return isAction(guard.params.key, stateId) ? compareAction(guard.params.operator, guard.params.value) : undefined;
    case "not": {
      const inner = passes(guard.guard, stateId);
      return inner === undefined ? undefined : !inner;
    }
    case "all":
    case "any": {
      const verdicts = guard.guards.map((inner) => passes(inner, stateId));
      const decisive = guard.type === "any";
      if (verdicts.includes(decisive)) return decisive;
      return verdicts.includes(undefined) ? undefined : !decisive;
    }
    case "cel":
      return undefined;
  }
}

function isAction(key: string, stateId: string): boolean {
  const [root, property, ...rest] = parsePath(key).segments;
  return (
    property === "action" &&
    rest.length === 0 &&
    (root === stateId || root === `${stateId}_output` || root === "output")
  );
}

function compareAction(operator: string, value: Json | undefined): boolean | undefined {
  // A path or a template is known only when it runs.
  if (typeof value === "string" && /^\$|\{\{/.test(value)) return undefined;
  if (operator === "==") return value === REJECTED;
  if (operator === "!=") return value !== REJECTED;
  if (
    operator === "in" &&
    Array.isArray(value) &&
    value.every((item) => typeof item === "string" && !item.includes("$"))
  )
    return value.includes(REJECTED);
  return undefined;
}
