import type { Json, JsonObject } from "@oven/contract";
import type { Scope } from "../expressions/scope.ts";
import { applyOps, initialContext } from "../plan/context.ts";

/** A scope as a run would have it: variables, a trigger, then node outputs in the order given. */
export function scopeOf(
  variables: JsonObject = {},
  trigger: JsonObject = {},
  outputs: [nodeId: string, output: Json][] = [],
): Scope {
  let context = initialContext(variables, trigger);
  for (const [nodeId, output] of outputs)
    context = applyOps(context, [{ op: "output", path: `/${nodeId}_output`, nodeId, visit: 1 }], () => output);
  return { context, trigger, execution: { id: 7 } };
}
