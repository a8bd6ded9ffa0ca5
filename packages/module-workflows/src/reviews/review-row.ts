import type { Review, ReviewVote } from "@oven/contract/review";
import type { ExecutionKind } from "@oven/contract/run";
import { stagesFor } from "@oven/engine";
import { shownTenant } from "../definitions/workflow-row.ts";
import type { reviews } from "../tables/shared-run-tables.ts";
import { policyOf } from "./reviewer.ts";

export type ReviewRow = (typeof reviews)["$inferSelect"];

/** Data of a review from other tables. */
export interface ReviewExtras {
  decidedByName: string | null;
  requestedByName: string | null;
  votes: ReviewVote[];
  mayDecide: boolean;
  risk: Review["risk"];
}

export function toReview(
  row: ReviewRow,
  { decidedByName, requestedByName, votes, mayDecide, risk }: ReviewExtras,
): Review {
  return {
    id: row.id,
    tenantId: shownTenant(row.tenantId),
    executionId: row.executionId,
    executionKind: row.executionKind as ExecutionKind, // cast: only the store writes it
    workflowId: row.workflowId,
    workflowName: row.workflowName,
    nodeId: row.nodeId,
    visit: row.visit,
    item: row.item,
    status: row.status as Review["status"], // cast: as above
    title: row.title,
    proposal: row.proposal,
    schema: row.schema ?? null,
    context: row.context,
    tool: row.tool,
    risk,
    digest: row.digest,
    assignees: row.assignees,
    actions: row.actions,
    dueAt: row.dueAt?.toISOString() ?? null,
    escalation: row.escalatedAt === null ? null : { at: row.escalatedAt.toISOString(), from: row.escalatedFrom ?? [] },
    policy: policyOf(row),
    stage: row.stage,
    stages: stagesFor(policyOf(row), row.proposal).map(({ assignees, approvals }) => ({ assignees, approvals })),
    requestedBy: row.requestedBy,
    requestedByName,
    votes,
    mayDecide,
    action: row.action,
    data: row.data ?? null,
    reason: row.reason,
    decidedBy: row.decidedBy,
    decidedByName,
    decidedAt: row.decidedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}
