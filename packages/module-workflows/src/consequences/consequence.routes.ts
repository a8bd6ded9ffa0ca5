import type { Principal } from "@oven/contract";
import { ConsequencesSchema, TryDecisionSchema } from "@oven/contract/review";
import { defineRoute, ok, type Route } from "@oven/module-registry";
import { z } from "zod";
import { keepToWorkflows } from "../definitions/bound-to.ts";
import type { ReviewRow } from "../reviews/review-row.ts";
import type { ConsequenceService } from "./consequence-service.ts";

const Params = z.object({ id: z.coerce.number().int().positive() });

export interface ReviewConsequences {
  review: ReviewRow;
  service: ConsequenceService;
}

/** What decisions of a review lead to. */
export function consequenceRoutes(
  find: (principal: Principal, reviewId: number) => Promise<ReviewConsequences>,
): Route[] {
  const description =
    "The run is followed from where it stands, without calling anything: steps that only compute are computed, every other answer is assumed, and what follows from an assumed answer is marked. It stops where people or events decide. Needs the permission to read runs, too.";
  return keepToWorkflows([
    defineRoute({
      method: "GET",
      path: "reviews/[id]/consequences",
      operation: "reviews.consequences",
      summary: "What each decision of a review leads to, or led to",
      description: `${description} Of a decided review: what its decision led to, and whether it came true.`,
      access: { permission: "reviews.read" },
      effect: "pure",
      params: Params,
      response: ConsequencesSchema,
      handler: async ({ principal, params }) => {
        const { review, service } = await find(principal, params.id);
        return ok(await service.of(principal, review));
      },
    }),
    defineRoute({
      method: "POST",
      path: "reviews/[id]/consequences",
      operation: false,
      summary: "What one decision of an open review would lead to, with what was edited",
      description,
      access: { permission: "reviews.read" },
      effect: "pure",
      audited: false,
      params: Params,
      body: TryDecisionSchema,
      dataSchema: async ({ params, principal }) => {
        const { schema } = (await find(principal, params.id)).review;
        return { at: ["data"], schema: schema ?? undefined };
      },
      response: ConsequencesSchema,
      handler: async ({ principal, params, body }) => {
        const { review, service } = await find(principal, params.id);
        return ok(await service.try(principal, review, body));
      },
    }),
  ]);
}
