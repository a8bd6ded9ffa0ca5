import { type NodeContext, toToolRun } from "@oven/module-registry";
import type { AskCatalogue } from "@oven/module-workflow-agents";

/** Calls tools of the catalogue as the step of a run; each call has a key of its own, the same on each attempt. */
export function catalogueOfStep(context: NodeContext): AskCatalogue {
  const { services, principal, signal } = context;
  const run = toToolRun(context);
  let count = 0;
  return async (id, args) => {
    count += 1;
    return services.tools.call(id, args, { principal, signal, run, idempotencyKey: context.idempotencyKey(count) });
  };
}
