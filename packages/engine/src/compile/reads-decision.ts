import { type Transition, toTransitions } from "@oven/contract/workflow";
import { readsAction } from "@oven/scope";

/** Whether a branch of a review's `onDone` looks at the decision; see `readsAction`. */
export function readsDecision(onDone: Transition | undefined, id: string): boolean {
  return toTransitions(onDone).some(({ guard }) => guard !== undefined && readsAction(guard, id));
}
