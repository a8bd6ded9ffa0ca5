import type { Guard } from "@oven/contract/workflow";
import { readPath } from "./paths.ts";

/**
 * Whether a condition of a state that asks people looks at their decision: `$.<id>_output.action`, `$.<id>.action` or `$.output.action`. Only
 * then may `onDone` route a rejection; otherwise it is an error `REVIEW_REJECTED`.
 */
export function readsAction(guard: Guard, stateId: string): boolean {
  switch (guard.type) {
    case "condition": {
      const [root, key] = readPath(guard.params.key)?.keys ?? [];
      return key === "action" && (root === `${stateId}_output` || root === stateId || root === "output");
    }
    case "not":
      return readsAction(guard.guard, stateId);
    case "all":
    case "any":
      return guard.guards.some((inner) => readsAction(inner, stateId));
    case "cel":
      return [`ctx.${stateId}_output.action`, `ctx.${stateId}.action`, "output.action"].some((text) =>
        guard.params.expression.includes(text),
      );
  }
}
