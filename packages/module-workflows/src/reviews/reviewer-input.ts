import type { ReviewRequest } from "@oven/contract/node";
import { AssigneeSchema, OnDeadlineSchema, type ReviewPolicy } from "@oven/contract/review";
import { DurationSchema } from "@oven/contract/workflow";
import { parseDuration } from "@oven/engine";
import { z } from "zod";

/** Inputs of steps that say who decides, how, and until when. */
export const reviewerInput = {
  assignees: z
    .array(AssigneeSchema)
    .max(50)
    .default([])
    .describe(
      "`user:3`, `user:ada@example.com`, `role:support-lead`; nobody else may decide. Empty: anyone who may decide",
    ),
  adminsMayDecide: z.boolean().default(true).describe("Owners and admins may decide though they are not assigned"),
  notRequester: z.boolean().default(false).describe("The person who asked for the run may not decide"),
  approvals: z
    .int()
    .min(1)
    .max(20)
    .default(1)
    .describe("How many different people must approve; one rejection ends it"),
  dueIn: DurationSchema.optional().describe("Milliseconds, or a duration such as P1D"),
  onDeadline: OnDeadlineSchema.default("error").describe(
    "`error` (REVIEW_EXPIRED), `{action, reason}` to approve or reject, or `{escalateTo, dueIn}` to ask others",
  ),
};

/** `reviewerInput`, parsed. */
export type ReviewerInput = ReviewPolicy & Pick<ReviewRequest, "assignees"> & { dueIn?: number | string | undefined };

/** The part of a step's input that says how its review is decided. */
export function toPolicy({ notRequester, approvals, adminsMayDecide, onDeadline }: ReviewPolicy): ReviewPolicy {
  return { notRequester, approvals, adminsMayDecide, onDeadline };
}

/**
 * When a review is due.
 * @param dueIn milliseconds or an ISO 8601 duration
 * @returns ISO 8601 in UTC; null without a deadline
 */
export function toDueAt(dueIn: number | string | undefined): string | null {
  return dueIn === undefined ? null : new Date(Date.now() + parseDuration(dueIn)).toISOString();
}
