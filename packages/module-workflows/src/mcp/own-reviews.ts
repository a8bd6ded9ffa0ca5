import { OvenError, type Principal } from "@oven/contract";
import type { ConfigKey, ServiceMap } from "@oven/module-registry";
import type { ReviewService } from "../reviews/review-service.ts";

/** Where the setting is declared: with the servers that clients call. */
const MODULE = "module-workflow-agents";

/** Whether a client decides with `answer_review` what it has asked for itself. */
export const DECIDE_OWN_RUNS: ConfigKey = {
  key: "MCP_DECIDE_OWN_RUNS",
  type: "boolean",
  description:
    "Whether MCP clients, with the tool answer_review, and A2A clients may decide reviews of runs that the person they act for has asked for; otherwise that is done in the dashboard, by another person, or where the client asks its user in the middle of the call",
  defaultValue: false,
};

export interface OwnReviewDeps {
  services: Pick<ServiceMap, "config">;
  reviews: Pick<ReviewService, "get" | "isRequester">;
  publicUrl: string;
}

/** Why a client does not decide a review by itself, and the run that waits for it. */
export interface OwnReview {
  /** REVIEW_NOT_YOURS 403 */
  refusal: OvenError;
  executionId: number;
}

/**
 * Who starts runs and decides their reviews by a program has no review: that takes the setting. A request for input has nothing to approve,
 * so the client that started the run may answer it.
 * @returns undefined when the client may decide, as far as this goes
 * @throws OvenError NOT_FOUND
 */
export async function findOwnReview(
  { services, reviews, publicUrl }: OwnReviewDeps,
  principal: Principal,
  reviewId: number,
): Promise<OwnReview | undefined> {
  if (!(await reviews.isRequester(principal, reviewId))) return undefined;
  const { status, actions, executionId } = await reviews.get(principal, reviewId);
  if (status !== "open" || actions.every((action) => action === "submit")) return undefined;
  const { tenantId } = principal;
  const { value } = await services.config.resolve({ module: MODULE, key: DECIDE_OWN_RUNS.key, tenantId });
  if (value === true) return undefined;
  const refusal = new OvenError(
    "REVIEW_NOT_YOURS",
    `Review ${reviewId} is of a run that you have started, and is not decided by a program for you`,
    {
      status: 403,
      fix: `Show the person ${publicUrl}/reviews/${reviewId}: it is decided there. An administrator can allow it here with ${DECIDE_OWN_RUNS.key}.`,
    },
  );
  return { refusal, executionId };
}
