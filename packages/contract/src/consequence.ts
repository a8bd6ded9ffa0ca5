import { z } from "zod";
import { JsonSchema } from "./json.ts";

const PLACE = { nodeId: z.string(), visit: z.int(), item: z.string().nullable() };
const COMMON = {
  isAssumed: z
    .boolean()
    .describe("Whether it follows from an assumed answer: it comes so only if the answer comes as it was assumed"),
  cameTrue: z
    .boolean()
    .nullable()
    .describe("Of a decided review: whether it came so. Null: the run has not gone that far, or the review is open"),
};

const ConsequenceStepSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("call"),
    ...PLACE,
    src: z.string().describe("The node type, or the tool"),
    input: JsonSchema.describe("What it is called with; the beginning of its JSON as text where it is large"),
    asksModel: z.boolean(),
    origin: z
      .enum(["recorded", "example"])
      .nullable()
      .describe(
        "What its answer is taken to be. recorded: that of a past call with the same input. example: one that fits the schema of its output. Null: nothing is known, or no answer is needed",
      ),
    ...COMMON,
  }),
  z.strictObject({
    type: z.literal("review"),
    ...PLACE,
    title: z.string(),
    proposal: JsonSchema.describe("As `input` of a call"),
    assignees: z.array(z.string()),
    ...COMMON,
  }),
  z.strictObject({ type: z.literal("wait"), nodeId: z.string(), ms: z.int().nonnegative(), ...COMMON }),
]);
export type ConsequenceStep = z.infer<typeof ConsequenceStepSchema>;

/** What follows one decision of a review, as far as it is known. */
export const ConsequenceSchema = z.strictObject({
  action: z.string(),
  steps: z.array(ConsequenceStepSchema),
  end: z
    .strictObject({
      status: z.enum(["completed", "failed", "cancelled"]),
      outcome: z.string().nullable(),
      /** The beginning of its output, as JSON. */
      output: z.string(),
      error: z.string().nullable().describe("The code of its error"),
    })
    .nullable()
    .describe("How the run ends; null where it does not end by itself"),
  rest: z
    .strictObject({
      reason: z
        .enum(["review", "event", "child", "running", "unknown", "too-large", "too-long"])
        .describe(
          "review: people decide. event: it waits for an event. child: it waits for another run. running: steps beside it are at work. unknown: nothing is known of an answer. too-large, too-long: beyond what is followed",
        ),
      nodeId: z.string().nullable(),
    })
    .nullable(),
  ...COMMON,
});
export type Consequence = z.infer<typeof ConsequenceSchema>;

/** What each decision of an open review leads to; of a decided one, what its decision led to. */
export const ConsequencesSchema = z.strictObject({ consequences: z.array(ConsequenceSchema) });
export type Consequences = z.infer<typeof ConsequencesSchema>;

/** The body of `POST /api/reviews/[id]/consequences`: a decision with what was edited. */
export const TryDecisionSchema = z.strictObject({ action: z.string().min(1), data: JsonSchema.optional() });
export type TryDecision = z.infer<typeof TryDecisionSchema>;
