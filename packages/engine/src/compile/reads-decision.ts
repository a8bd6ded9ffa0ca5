import { type Guard, type Transition, toTransitions } from "@oven/contract/workflow";
import { parsePath } from "../expressions/path.ts";

/**
 * Whether a guard of a review's `onDone` looks at the decision (`$.<id>_output.action`, `$.<id>.action` or
 * `$.output.action`). Only then may `onDone` route a rejection; otherwise it is an error `REVIEW_REJECTED`.
 */
export function readsDecision(onDone: Transition | undefined, id: string): boolean {
  return toTransitions(onDone).some((transition) => transition.guard !== undefined && guardReads(transition.guard, id));
}

function guardReads(guard: Guard, id: string): boolean {
  switch (guard.type) {
    case "condition": {
      const [root, key] = parsePath(guard.params.key).segments;
      return key === "action" && (root === `${id}_output` || root === id || root === "output");
    }
    case "not":
      return guardReads(guard.guard, id);
    case "all":
    case "any":
      return guard.guards.some((inner) => guardReads(inner, id));
    case "cel":
      return [`ctx.${id}_output.action`, `ctx.${id}.action`, "output.action"].some((text) =>
        guard.params.expression.includes(text),
      );
  }
}
