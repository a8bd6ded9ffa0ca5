import {
  BatchDecidedSchema,
  BatchDecisionSchema,
  DecisionSchema,
  DelegationSchema,
  NewReviewCommentSchema,
  ReviewCommentSchema,
  ReviewSchema,
  TriedConditionSchema,
  TryConditionSchema,
} from "@oven/contract/review";
import {
  defineRoute,
  ListQuerySchema,
  listReply,
  ok,
  type Reply,
  type Route,
  toListParams,
} from "@oven/module-registry";
import { z } from "zod";
import { keepToWorkflows } from "../definitions/bound-to.ts";
import type { ReviewService } from "./review-service.ts";

const Params = z.object({ id: z.coerce.number().int().positive() });

/** The reviewers' inbox. Reading never decides. */
export function reviewRoutes(deps: () => { reviews: ReviewService }): Route[] {
  return keepToWorkflows([
    defineRoute({
      method: "GET",
      path: "reviews",
      operation: "reviews.list",
      summary: "What people are asked to decide, and what they decided",
      access: { permission: "reviews.read" },
      effect: "pure",
      query: ListQuerySchema,
      response: z.array(ReviewSchema),
      handler: async ({ principal, query }) => {
        const params = toListParams(query);
        const { rows, total } = await deps().reviews.list(principal, params);
        return listReply("reviews", params, rows, total);
      },
    }),
    defineRoute({
      method: "GET",
      path: "reviews/[id]",
      operation: "reviews.get",
      summary: "One review",
      access: { permission: "reviews.read" },
      effect: "pure",
      params: Params,
      response: ReviewSchema,
      handler: async ({ principal, params }) => ok(await deps().reviews.get(principal, params.id)),
    }),
    defineRoute({
      method: "POST",
      path: "reviews/[id]/decide",
      operation: false,
      summary: "Approve, edit or reject; it is decided once",
      access: { permission: "reviews.decide" },
      params: Params,
      body: DecisionSchema,
      dataSchema: ({ params, principal }) => deps().reviews.dataSchema(principal, params.id),
      response: ReviewSchema,
      handler: async ({ principal, params, body }) => ok(await deps().reviews.decide(principal, params.id, body)),
    }),
    defineRoute({
      method: "POST",
      path: "reviews/decide",
      operation: false,
      summary: "Decide several reviews that propose the very same, each once",
      access: { permission: "reviews.decide" },
      body: BatchDecisionSchema,
      response: z.array(BatchDecidedSchema),
      handler: async ({ principal, body }) => ok(await deps().reviews.decideEqual(principal, body)),
    }),
    defineRoute({
      method: "POST",
      path: "reviews/[id]/delegate",
      operation: false,
      summary: "Ask another person to decide instead",
      access: { permission: "reviews.decide" },
      params: Params,
      body: DelegationSchema,
      response: ReviewSchema,
      handler: async ({ principal, params, body }) => ok(await deps().reviews.delegate(principal, params.id, body)),
    }),
    defineRoute({
      method: "GET",
      path: "reviews/[id]/comments",
      operation: false,
      summary: "What people wrote about a review",
      access: { permission: "reviews.read" },
      effect: "pure",
      params: Params,
      query: ListQuerySchema,
      response: z.array(ReviewCommentSchema),
      handler: async ({ principal, params, query }) => {
        const comments = await deps().reviews.comments(principal, params.id);
        const asked = toListParams(query);
        const { first, last } = asked.range;
        return listReply("comments", asked, comments.slice(first, last + 1), comments.length);
      },
    }),
    defineRoute({
      method: "POST",
      path: "reviews/[id]/comments",
      operation: false,
      summary: "Write something about an open review",
      access: { permission: "reviews.decide" },
      params: Params,
      body: NewReviewCommentSchema,
      response: ReviewCommentSchema,
      handler: async ({ principal, params, body }): Promise<Reply> => ({
        status: 201,
        body: await deps().reviews.comment(principal, params.id, body.text),
      }),
    }),
    defineRoute({
      method: "POST",
      path: "approval-conditions/try",
      operation: false,
      summary: "What a condition for approvals would have done",
      description:
        "Tries a condition on the newest 200 proposals of a tool, a step, or both: how many people would have been asked about. Nothing is asked or changed.",
      access: { permission: "executions.read" },
      effect: "pure",
      body: TryConditionSchema,
      response: TriedConditionSchema,
      handler: async ({ principal, body }) => ok(await deps().reviews.tryCondition(principal, body)),
    }),
  ]);
}
