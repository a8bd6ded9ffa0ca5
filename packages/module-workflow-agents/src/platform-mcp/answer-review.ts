import { OvenError, type Principal } from "@oven/contract";
import type { McpToolDefinition } from "@oven/contract/mcp";
import { DecisionSchema } from "@oven/contract/review";
import type { ConfigKey, ServiceMap } from "@oven/module-registry";
import { toJsonSchema, type WorkflowPlatform } from "@oven/module-workflows";
import type { z } from "zod";
import { ReviewIdSchema, reviewOutput, toReviewAnswer } from "./review-tools.ts";

const MODULE = "module-workflow-agents";

/** Whether a client of the platform's own server decides what it has asked for itself. */
export const DECIDE_OWN_RUNS: ConfigKey = {
  key: "MCP_DECIDE_OWN_RUNS",
  type: "boolean",
  description:
    "Whether clients of /api/mcp/oven may decide reviews of runs that the person they act for has asked for; otherwise that is done in the dashboard, or by another person",
  defaultValue: false,
};

const InputSchema = DecisionSchema.omit({ reviewId: true })
  .required({ digest: true })
  .extend({ review_id: ReviewIdSchema });

export const ANSWER_REVIEW: McpToolDefinition = {
  name: "answer_review",
  title: "Answer a review",
  description:
    "Decides what a paused run waits for. Show the person you act for what get_review answers, and send what they decide. `digest` is that of get_review. A rejection needs a reason. Reviews of runs that this person has started are decided in the dashboard, unless the installation allows it here.",
  inputSchema: toJsonSchema(InputSchema, "input"),
  outputSchema: toJsonSchema(reviewOutput, "output"),
  annotations: { readOnlyHint: false },
};

interface AnswerDeps {
  services: Pick<ServiceMap, "config">;
  platform: Pick<WorkflowPlatform, "reviews">;
  publicUrl: string;
}

/**
 * Decides a review for a client. Who starts runs and decides their reviews by a program has no review: that takes the setting.
 * @throws OvenError REVIEW_NOT_YOURS 403, and those of `ReviewService.decide`
 */
export async function answerReview(
  { services, platform: { reviews }, publicUrl }: AnswerDeps,
  principal: Principal,
  given: Record<string, unknown>,
): Promise<z.input<typeof reviewOutput>> {
  const { review_id, ...decision } = InputSchema.parse(given);
  if (await reviews.isRequester(principal, review_id)) {
    const { tenantId } = principal;
    const { value } = await services.config.resolve({ module: MODULE, key: DECIDE_OWN_RUNS.key, tenantId });
    if (value !== true)
      throw new OvenError(
        "REVIEW_NOT_YOURS",
        `Review ${review_id} is of a run that you have started, and is not decided by a program for you`,
        {
          status: 403,
          fix: `Show the person ${publicUrl}/reviews/${review_id}: it is decided there. An administrator can allow it here with ${DECIDE_OWN_RUNS.key}.`,
        },
      );
  }
  return toReviewAnswer(await reviews.decide(principal, review_id, decision), publicUrl);
}
