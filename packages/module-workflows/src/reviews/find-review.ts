import { mayUseWorkflow, notFound, type Principal } from "@oven/contract";
import type { ExecutionKind } from "@oven/contract/run";
import type { Transaction } from "@oven/db";
import { and, eq } from "@oven/db/drizzle";
import { visibleTo } from "@oven/module-registry";
import { reviews } from "../tables/shared-run-tables.ts";
import type { ReviewRow } from "./review-row.ts";

type Reading = Pick<Transaction, "orm">;

/** @throws OvenError NOT_FOUND */
export async function findReview(db: Reading, principal: Principal, id: number): Promise<ReviewRow> {
  const [row] = await select(db, principal, id);
  return requireUsable(principal, id, row);
}

/** As `findReview`, and locks the review until the transaction ends. */
export async function findAndLockReview(tx: Reading, principal: Principal, id: number): Promise<ReviewRow> {
  const [row] = await select(tx, principal, id).for("update");
  return requireUsable(principal, id, row);
}

function select({ orm }: Reading, principal: Principal, id: number) {
  return orm
    .select()
    .from(reviews)
    .where(and(visibleTo(principal, reviews.tenantId), eq(reviews.id, id)));
}

/** A key bound to some workflows may use the reviews of these only. @throws OvenError NOT_FOUND */
function requireUsable(principal: Principal, id: number, row: ReviewRow | undefined): ReviewRow {
  // cast: only the store writes it
  if (row === undefined || !mayUseWorkflow(principal, row.executionKind as ExecutionKind, row.workflowId))
    throw notFound("review", id);
  return row;
}
