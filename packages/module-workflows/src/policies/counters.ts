import type { Action } from "@oven/contract/workflow";
import { parsePath } from "@oven/engine";
import type { CounterChanges } from "./policy-graph.ts";

/** `$.tries` and `$["tries"]` are one counter. */
export function toCounter(path: string): string {
  return JSON.stringify(parsePath(path.startsWith("$") ? path : `$.${path}`).segments);
}

/** An action that is taken only sometimes counts nothing, but may start the counting anew. */
export function countersOf(actions: readonly Action[] | undefined): CounterChanges {
  const raised: string[] = [];
  const set: string[] = [];
  for (const action of actions ?? []) {
    if (action.type !== "assign") continue;
    const { path, add } = action.params;
    const raises = typeof add === "number" && add > 0;
    if (!raises) set.push(toCounter(path));
    else if (action.guard === undefined) raised.push(toCounter(path));
  }
  return { raised, set };
}
