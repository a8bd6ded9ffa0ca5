import { callerOf, type ModelCaller, type Spend as StoreSpend } from "@oven/module-ai";
import { type NodeContext, toToolRun } from "@oven/module-registry";

type Calling = Pick<NodeContext, "principal" | "node" | "settings" | "agent" | "options">;

/** On whose behalf a node calls a model: what usage rows and budgets go by. */
export function callerOfNode(context: Calling): ModelCaller {
  return callerOf(context.principal, toToolRun(context));
}

/** What a search or a memory cost, as a node's result says it. */
export function toSpend({ usage, costMicros, simulated }: StoreSpend) {
  return { tokenUsage: usage, costMicros, simulated };
}
