import type { Transaction } from "@oven/db";
import { and, eq, isNotNull, sql } from "@oven/db/drizzle";
import type { WorkflowTables } from "../definitions/workflow-tables.ts";

/** Removes the draft of that revision, or of any. The row stays and keeps counting. @returns whether there was one */
export async function removeDraft(
  tx: Transaction,
  { drafts }: Pick<WorkflowTables, "drafts">,
  workflowId: number,
  revision?: number,
): Promise<boolean> {
  const named = revision === undefined ? undefined : eq(drafts.revision, revision);
  const removed = await tx.orm
    .update(drafts)
    .set({ definition: null, updatedAt: sql`now()` })
    .where(and(eq(drafts.workflowId, workflowId), isNotNull(drafts.definition), named))
    .returning({ id: drafts.id });
  return removed.length > 0;
}
