import { SYSTEM_PRINCIPAL, toActor } from "@oven/contract";
import { type ExecutionKind, ExecutionKindSchema } from "@oven/contract/run";
import type { Database } from "@oven/db";
import type { EventService } from "@oven/module-registry";
import { z } from "zod";
import type { aiBudgetSpend, aiBudgets } from "../tables/ai-budgets.table.ts";
import type { ModelCaller } from "../usage/record-usage.ts";

const BUDGET_EXHAUSTED_EVENT = "ai.budget.exhausted";

export const budgetEvents = {
  [BUDGET_EXHAUSTED_EVENT]: z
    .looseObject({
      budgetId: z.int(),
      name: z.string(),
      scope: z.string(),
      subject: z.string(),
      period: z.string(),
      action: z.string(),
      limitMicros: z.int().nullable(),
      limitTokens: z.int().nullable(),
      spentMicros: z.int(),
      spentTokens: z.int(),
      executionKind: ExecutionKindSchema.nullable(),
      executionId: z.int().nullable(),
    })
    .describe("When a call of a model was refused because a budget is spent, once for each subject and period"),
};

/** Tells that a budget is spent, together with the mark that it was told. */
export async function tellExhausted(
  db: Database,
  events: Pick<EventService, "write" | "wake">,
  budget: typeof aiBudgets.$inferSelect,
  spend: typeof aiBudgetSpend.$inferSelect,
  caller: ModelCaller,
): Promise<void> {
  if (spend.exhaustedAt !== null) return;
  const { id: budgetId, tenantId, name, scope, action, limitMicros, limitTokens } = budget;
  const { subject, period, spentMicros, spentTokens } = spend;
  const told = await db.transaction(async (tx) => {
    const [first] = await tx.query(
      "update ai_budget_spend set exhausted_at = now() where id = $1 and exhausted_at is null returning id",
      [spend.id],
    );
    if (first === undefined) return false;
    const terms = { budgetId, name, scope, subject, period, action, limitMicros, limitTokens };
    const payload = { ...terms, spentMicros, spentTokens, ...runOf(caller) };
    const actor = toActor(SYSTEM_PRINCIPAL);
    await events.write(tx, [
      { name: BUDGET_EXHAUSTED_EVENT, tenantId, actor, payload, orderKey: `budget:${budgetId}` },
    ]);
    return true;
  });
  if (told) events.wake();
}

/** The run whose call was refused. */
function runOf({ workflow, executionId, rootExecutionId }: ModelCaller): {
  executionKind: ExecutionKind | null;
  executionId: number | null;
} {
  const kind = ExecutionKindSchema.safeParse(workflow?.split(":")[0]);
  const id = rootExecutionId ?? executionId;
  return kind.success && id !== undefined
    ? { executionKind: kind.data, executionId: id }
    : { executionKind: null, executionId: null };
}
