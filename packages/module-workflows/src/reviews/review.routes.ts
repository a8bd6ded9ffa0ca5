import { DecisionSchema, ReviewSchema } from "@oven/contract";
import { defineRoute, ListQuerySchema, listReply, ok, type Route, toListParams } from "@oven/module-registry";
import { z } from "zod";
import type { ReviewService } from "./review-service.ts";

const Params = z.object({ id: z.coerce.number().int().positive() });

/** The reviewers' inbox. Reading never decides. */
export function reviewRoutes(deps: () => { reviews: ReviewService }): Route[] {
  return [
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
      summary: "Approve, edit or reject; the first decision wins",
      access: { permission: "reviews.decide" },
      params: Params,
      body: DecisionSchema,
      response: ReviewSchema,
      handler: async ({ principal, params, body }) => ok(await deps().reviews.decide(principal, params.id, body)),
    }),
  ];
}
