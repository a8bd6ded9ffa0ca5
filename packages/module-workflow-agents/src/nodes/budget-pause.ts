import { isOvenError, OvenError } from "@oven/contract";
import type { NodeResult, NodeSignal } from "@oven/contract/node";
import { z } from "zod";
import { unexpectedSignal } from "./node-error.ts";

const PausedSchema = z.object({ budgetId: z.int(), released: z.array(z.int()).default([]) });

/**
 * A call of a model that a budget may hold up: where the budget says `pause`, the node waits for an owner or admin instead of
 * failing. Nothing was spent by then.
 * @param released ids of budgets that somebody has let through for this very call
 */
export async function orAskAboutBudget(
  released: readonly number[],
  call: (released: readonly number[]) => Promise<NodeResult>,
): Promise<NodeResult> {
  try {
    return await call(released);
  } catch (error) {
    if (!isOvenError(error) || error.code !== "BUDGET_EXHAUSTED" || error.details?.action !== "pause") throw error;
    return {
      type: "wait",
      for: "review",
      request: {
        title: error.message,
        proposal: { ...error.details, released: [...released] },
        schema: null,
        context: "Approve to make this one call all the same; the budget stays as it is. Reject to fail the step.",
        tool: null,
        assignees: ["role:owner", "role:admin"],
        actions: ["approve", "reject"],
        dueAt: null,
      },
    };
  }
}

/** The budgets that the decision lets through. @throws OvenError BUDGET_EXHAUSTED after a rejection */
export function releasedBudgets(node: string, signal: NodeSignal): number[] {
  if (signal.type !== "decision") throw unexpectedSignal(node, signal.type);
  const { budgetId, released } = PausedSchema.parse(signal.data);
  if (signal.action === "approve") return [...released, budgetId];
  const reason = signal.reason === null ? "" : `: ${signal.reason}`;
  throw new OvenError("BUDGET_EXHAUSTED", `A person declined to spend more${reason}`, { status: 402 });
}
