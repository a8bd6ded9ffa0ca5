import type { ReviewRequest } from "@oven/contract/node";
import { AssigneeSchema, OnDeadlineSchema, type ReviewPolicy, ReviewStageSchema } from "@oven/contract/review";
import { DurationSchema } from "@oven/contract/workflow";
import { isCondition, parseDuration } from "@oven/engine";
import { z } from "zod";

/** Inputs of steps that say who decides, how, and until when. */
export const reviewerInput = {
  assignees: z
    .array(AssigneeSchema)
    .max(50)
    .default([])
    .describe("Only these may decide. Empty: anyone who may decide"),
  adminsMayDecide: z.boolean().default(true).describe("Owners and admins may decide though they are not assigned"),
  notRequester: z.boolean().default(false).describe("The person who asked for the run may not decide"),
  approvals: z
    .int()
    .min(1)
    .max(20)
    .default(1)
    .describe("How many different people must approve; one rejection ends it"),
  stages: z
    .array(ReviewStageSchema.refine(...hasValidCondition()))
    .min(1)
    .max(10)
    .optional()
    .describe(
      "Who must approve, by what is proposed: `[{assignees: [role:lead]}, {when: args.amount > 1000, assignees: [role:finance]}]`. Those whose condition holds are asked one after the other, in place of `assignees` and `approvals`, which count where none holds",
    ),
  dueIn: DurationSchema.optional().describe("How long there is to decide"),
  onDeadline: OnDeadlineSchema.default("error").describe(
    "What follows without a decision in time: the step fails, it is approved or rejected, or others are asked",
  ),
};

/** `reviewerInput`, parsed. */
export type ReviewerInput = ReviewPolicy & Pick<ReviewRequest, "assignees"> & { dueIn?: number | string | undefined };

/** The part of a step's input that says how its review is decided. */
export function toPolicy({ notRequester, approvals, adminsMayDecide, onDeadline, stages }: ReviewPolicy): ReviewPolicy {
  return { notRequester, approvals, adminsMayDecide, onDeadline, ...(stages === undefined ? {} : { stages }) };
}

function hasValidCondition(): Parameters<typeof ReviewStageSchema.refine> {
  return [
    ({ when }: { when?: string | undefined }) => when === undefined || isCondition(when),
    "`when` must be CEL over `args`, such as `args.amount > 1000`",
  ];
}

/**
 * When a review is due.
 * @param dueIn milliseconds or an ISO 8601 duration
 * @param now epoch milliseconds
 * @returns ISO 8601 in UTC; null without a deadline
 */
export function toDueAt(dueIn: number | string | undefined, now = Date.now()): string | null {
  return dueIn === undefined ? null : new Date(now + parseDuration(dueIn)).toISOString();
}
