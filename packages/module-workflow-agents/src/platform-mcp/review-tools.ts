import { JsonObjectSchema, JsonSchema } from "@oven/contract";
import { type Review, ReviewSchema, ReviewStatusSchema } from "@oven/contract/review";
import { z } from "zod";
import {
  definePlatformTool,
  type PlatformTool,
  pageInput,
  pageOutput,
  toListArguments,
  toPage,
} from "./platform-tool.ts";

export const ReviewIdSchema = z.int().positive().describe("Id of a review");

/** A review as builders see it. */
export const reviewOutput = z.strictObject({
  review_id: z.int(),
  run_id: z.int(),
  step: z.string(),
  status: ReviewStatusSchema,
  title: z.string(),
  proposal: JsonSchema,
  context: JsonSchema,
  schema: JsonObjectSchema.nullable(),
  actions: z.array(z.string()),
  assignees: z.array(z.string()),
  digest: z.string(),
  may_decide: z.boolean().describe("Whether the person this client acts for may decide it now"),
  action: z.string().nullable().describe("What was decided"),
  url: z.string(),
});

export function toReviewAnswer(review: Review, publicUrl: string): z.input<typeof reviewOutput> {
  const { id, executionId, nodeId, status, title, proposal, context, schema, actions, assignees, digest } = review;
  return {
    ...{ review_id: id, run_id: executionId, step: nodeId, status, title, proposal, context, schema },
    ...{ actions, assignees, digest, may_decide: review.mayDecide, action: review.action },
    url: `${publicUrl}/reviews/${id}`,
  };
}

/** What runs ask people. */
export const reviewTools: readonly PlatformTool[] = [
  definePlatformTool({
    name: "list_reviews",
    title: "List reviews",
    description: "What people are asked to decide, the newest first. get_review has the proposal.",
    input: z.strictObject({
      status: ReviewStatusSchema.default("open"),
      run_id: z.int().positive().optional().describe("Only of this run and of the runs inside it"),
      mine: z.boolean().optional().describe("Only what asks the person this client acts for"),
      ...pageInput,
    }),
    output: z.strictObject({
      reviews: z.array(
        z.strictObject({
          review_id: z.int(),
          run_id: z.int(),
          step: z.string(),
          status: ReviewStatusSchema,
          title: z.string(),
          may_decide: z.boolean(),
        }),
      ),
      ...pageOutput,
    }),
    calls: ["workflows.reviews.list"],
    run: async ({ input: { status, run_id, mine, ...page }, call }) => {
      const filter = {
        status,
        ...(run_id === undefined ? {} : { family: run_id }),
        ...(mine === true ? { mine } : {}),
      };
      const asked = toListArguments(page, filter);
      const { rows, next_offset } = toPage(page, await call("workflows.reviews.list", asked, z.array(ReviewSchema)));
      return {
        reviews: rows.map(({ id, executionId, nodeId, status: is, title, mayDecide }) => ({
          ...{ review_id: id, run_id: executionId, step: nodeId, status: is, title, may_decide: mayDecide },
        })),
        next_offset,
      };
    },
  }),
  definePlatformTool({
    name: "get_review",
    title: "Get a review",
    description: "What is to be decided, with the `digest` that answer_review takes.",
    input: z.strictObject({ review_id: ReviewIdSchema }),
    output: reviewOutput,
    calls: ["workflows.reviews.get"],
    run: async ({ input: { review_id }, publicUrl, call }) =>
      toReviewAnswer(await call("workflows.reviews.get", { id: review_id }, ReviewSchema), publicUrl),
  }),
];
