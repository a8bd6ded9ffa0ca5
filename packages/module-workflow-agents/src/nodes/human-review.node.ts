import { type JsonObject, JsonObjectSchema, JsonSchema, OvenError } from "@oven/contract";
import { ToolCallSchema } from "@oven/contract/ai";
import type { ReviewRequest } from "@oven/contract/node";
import { ApprovalConditionSchema, ReleasedToolCallSchema } from "@oven/contract/review";
import { asksAbout, hashJson, isCondition } from "@oven/engine";
import { checkGiven, defineNode, done, type NodeContext } from "@oven/module-registry";
import { notAsApproved, reviewCeiling, reviewerInput, toCallTitle, toDueAt, toPolicy } from "@oven/module-workflows";
import { z } from "zod";
import { unexpectedSignal } from "./node-error.ts";

const VOTES: readonly string[] = ["approve", "edit", "reject"];

const ReviewInput = z
  .strictObject({
    show: JsonSchema.optional().describe("What the person decides on"),
    toolCall: ToolCallSchema.optional().describe("The tool call to be decided on, instead of `show`: `$.toolCalls[0]`"),
    title: z.string().min(1).optional().describe("What the reviewer is asked"),
    schema: JsonObjectSchema.optional().describe("JSON Schema of what a reviewer may change it to"),
    actions: z
      .array(z.string().min(1))
      .min(1)
      .default(["approve", "edit", "reject"])
      .describe("The buttons the reviewer has"),
    context: JsonSchema.optional().describe("What the reviewer should know: data, reasons"),
    when: ApprovalConditionSchema.optional()
      .meta({ title: "Ask only when" })
      .describe(
        "Ask only where this holds on what is proposed, CEL over `args`: `args.amount > 100`. Else the step goes on as approved, without a reviewer",
      ),
    ...reviewerInput,
  })
  .refine(...checkGiven((has) => has("show") !== has("toolCall"), "give either `show` or `toolCall`"))
  .refine(({ when }) => when === undefined || isCondition(when), {
    path: ["when"],
    message: "must be CEL over `args`, such as `args.amount > 100`",
  })
  .refine(
    ({ approvals, stages, actions }) =>
      (approvals === 1 && stages === undefined) || actions.every((action) => VOTES.includes(action)),
    "with several `approvals`, or with `stages`, the actions can only be approve, edit and reject",
  );
type ReviewInput = z.output<typeof ReviewInput>;

export const humanReviewNode = defineNode({
  id: "agent.humanReview",
  version: 1,
  title: "Human review",
  firstFields: ["title", "show", "assignees", "actions", "schema", "dueIn"],
  synonyms: ["approve", "approval", "human in the loop", "confirm", "wait for a person"],
  docs: [
    "Stops until a person has decided: approve, edit or reject (or the `actions` of your own).",
    "",
    "`data` is the proposal as it was shown, or as it was edited. Branch on `action`; a rejection that no branch of `onDone` asks about goes to `onError`.",
    "`assignees`, `notRequester` and `approvals` say who may decide and how many must; `stages` say so by what is proposed: a lead, and above an amount also finance. When `dueIn` passes first, `onDeadline` says what follows.",
    "With `when` people are asked only about proposals on which it holds, or on which it cannot be computed. To policies such a step is no review, and it releases no call.",
    "With `toolCall` the reviewer sees exactly that call, and the answer's `toolCall` is the released one, for `approved` of an agent.toolExecutor.",
  ].join("\n"),
  category: "agent",
  kind: "human",
  effect: "pure",
  isWait: true,
  isLocal: true,
  input: ReviewInput,
  output: z.strictObject({
    action: z.string(),
    data: JsonSchema.meta({ "x-type-from": [{ schema: "schema" }, { shape: "show" }] }),
    reason: z.string().nullable(),
    reviewer: z.int().nullable(),
    decidedAt: z.string(),
    toolCall: ReleasedToolCallSchema.optional(),
  }),
  ceiling: ({ input }) => ({ perVisit: reviewCeiling(input) }),
  outcomes: [
    { id: "approved", title: "Approved or edited", guard: { key: "output.action", operator: "!=", value: "reject" } },
    { id: "rejected", title: "Rejected" },
  ],
  async run(context) {
    const { when, toolCall, show = null } = context.input;
    const proposal = toolCall === undefined ? show : toolCall.arguments;
    if (when === undefined || asksAbout(when, proposal))
      return { type: "wait", for: "review", request: toReviewRequest(context) };
    context.log("info", "Nothing to approve: the condition of this review does not hold");
    const passed = {
      action: "approve",
      data: proposal,
      reason: null,
      reviewer: null,
      decidedAt: new Date().toISOString(),
    };
    // Without a review it releases nothing: a tool that needs approval still asks.
    return done(toolCall === undefined ? passed : { ...passed, toolCall: { ...toolCall, review: null } });
  },
  async resume({ input }, signal) {
    if (signal.type !== "decision") throw unexpectedSignal("agent.humanReview", signal.type);
    const { action, data, reason, reviewer, decidedAt } = signal;
    const decision = { action, data, reason, reviewer, decidedAt };
    const released = action === "approve" || action === "edit";
    if (input.toolCall === undefined || !released) return done(decision);
    const { tool } = input.toolCall;
    // What the run hands on now must be what the person saw then.
    if (signal.review !== undefined && hashJson({ tool, proposal: data }) !== signal.review.digest)
      throw notAsApproved(tool);
    const toolCall: JsonObject = { ...input.toolCall, arguments: data };
    if (signal.review !== undefined) toolCall.review = signal.review;
    return done({ ...decision, toolCall });
  },
});

function toReviewRequest({ input, settings, services, principal, now }: NodeContext<ReviewInput>): ReviewRequest {
  const { title, toolCall, schema, context, actions, assignees, dueIn } = input;
  const common = {
    actions,
    assignees,
    dueAt: toDueAt(dueIn, now()),
    context: context ?? null,
    policy: toPolicy(input),
  };
  if (toolCall === undefined) {
    return {
      ...common,
      title: title ?? `Review in ${settings.workflowName}`,
      proposal: input.show ?? null,
      schema: schema ?? null,
      tool: null,
    };
  }
  const tool = services.tools.get(toolCall.tool, principal.tenantId);
  if (tool === undefined) {
    throw new OvenError("TOOL_UNKNOWN", `The call to review names \`${toolCall.tool}\`, and there is no such tool`, {
      status: 422,
      fix: "Let agent.toolExecutor answer the model before a person is asked, or offer fewer tools",
    });
  }
  return {
    ...common,
    title: title ?? toCallTitle(tool, toolCall.arguments),
    proposal: toolCall.arguments,
    schema: schema ?? tool.inputSchema,
    tool: tool.id,
  };
}
