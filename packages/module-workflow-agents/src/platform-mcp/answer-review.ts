import type { Principal } from "@oven/contract";
import type { McpToolDefinition } from "@oven/contract/mcp";
import { DecisionSchema } from "@oven/contract/review";
import type { ServiceMap } from "@oven/module-registry";
import { findOwnReview, toJsonSchema, type WorkflowPlatform } from "@oven/module-workflows";
import type { z } from "zod";
import { ReviewIdSchema, reviewOutput, toReviewAnswer } from "./review-tools.ts";
import { toShortSchema } from "./short-schema.ts";

const InputSchema = DecisionSchema.omit({ reviewId: true })
  .required({ digest: true })
  .extend({ review_id: ReviewIdSchema });

export const ANSWER_REVIEW: McpToolDefinition = {
  name: "answer_review",
  title: "Answer a review",
  description:
    "Decides what a paused run waits for. Show the person you act for what get_review answers, and send what they decide. `digest` is that of get_review. A rejection needs a reason. Reviews of runs that this person has started are decided in the dashboard, unless the installation allows it here; requests for input are answered here.",
  inputSchema: toShortSchema(toJsonSchema(InputSchema, "input")),
  outputSchema: toShortSchema(toJsonSchema(reviewOutput, "output")),
  annotations: { readOnlyHint: false },
};

interface AnswerDeps {
  services: Pick<ServiceMap, "config">;
  platform: Pick<WorkflowPlatform, "reviews">;
  publicUrl: string;
}

/**
 * Decides a review for a client.
 * @throws OvenError REVIEW_NOT_YOURS 403, and those of `ReviewService.decide`
 */
export async function answerReview(
  { services, platform: { reviews }, publicUrl }: AnswerDeps,
  principal: Principal,
  given: Record<string, unknown>,
): Promise<z.input<typeof reviewOutput>> {
  const { review_id, ...decision } = InputSchema.parse(given);
  const own = await findOwnReview({ services, reviews, publicUrl }, principal, review_id);
  if (own !== undefined) throw own.refusal;
  return toReviewAnswer(await reviews.decide(principal, review_id, decision), publicUrl);
}
