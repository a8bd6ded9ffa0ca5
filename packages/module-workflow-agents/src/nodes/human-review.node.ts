import {
  DurationSchema,
  JsonObjectSchema,
  JsonSchema,
  OvenError,
  type ReviewRequest,
  ToolCallSchema,
} from "@oven/contract";
import { parseDuration } from "@oven/engine";
import { defineNode, done, type NodeContext } from "@oven/module-registry";
import { z } from "zod";
import { unexpectedSignal } from "./node-error.ts";

/** Inputs that say who decides and until when. */
export const reviewerInput = {
  assignees: z.array(z.string()).default([]).describe("`user:3`, `role:support-lead`; empty: anyone who may decide"),
  dueIn: DurationSchema.optional().describe("Milliseconds, or a duration such as P1D"),
};

const ReviewInput = z
  .strictObject({
    show: JsonSchema.optional().describe("What is to be decided on"),
    toolCall: ToolCallSchema.optional().describe("The tool call to be decided on, instead of `show`: `$.toolCalls[0]`"),
    title: z.string().min(1).optional(),
    schema: JsonObjectSchema.optional().describe("JSON Schema of an edited proposal"),
    actions: z.array(z.string().min(1)).min(1).default(["approve", "edit", "reject"]),
    context: JsonSchema.optional().describe("What the reviewer should know: data, reasons"),
    ...reviewerInput,
  })
  .refine((input) => (input.show === undefined) !== (input.toolCall === undefined), "give either `show` or `toolCall`");
type ReviewInput = z.output<typeof ReviewInput>;

export const humanReviewNode = defineNode({
  id: "agent.humanReview",
  version: 1,
  title: "Human review",
  docs: [
    "Stops until a person has decided: approve, edit or reject (or the `actions` of your own).",
    "",
    "`data` is the proposal as it was shown, or as it was edited. Branch on `action`; a rejection that no branch of `onDone` asks about goes to `onError`.",
    "With `toolCall` the reviewer sees exactly that call, and the answer's `toolCall` is the released one, for `approved` of an agent.toolExecutor.",
  ].join("\n"),
  category: "agent",
  kind: "human",
  effect: "pure",
  input: ReviewInput,
  output: z.strictObject({
    action: z.string(),
    data: JsonSchema,
    reason: z.string().nullable(),
    reviewer: z.int().nullable(),
    decidedAt: z.string(),
    toolCall: ToolCallSchema.optional(),
  }),
  outcomes: [
    { id: "approved", title: "Approved or edited", guard: { key: "output.action", operator: "!=", value: "reject" } },
    { id: "rejected", title: "Rejected" },
  ],
  async run(context) {
    return { type: "wait", for: "review", request: toReviewRequest(context) };
  },
  async resume({ input }, signal) {
    if (signal.type !== "decision") throw unexpectedSignal("agent.humanReview", signal.type);
    const { action, data, reason, reviewer, decidedAt } = signal;
    const decision = { action, data, reason, reviewer, decidedAt };
    const released = action === "approve" || action === "edit";
    if (input.toolCall === undefined || !released) return done(decision);
    return done({ ...decision, toolCall: { ...input.toolCall, arguments: data } });
  },
});

function toReviewRequest({ input, settings, services }: NodeContext<ReviewInput>): ReviewRequest {
  const { title, toolCall, schema, context, actions, assignees, dueIn } = input;
  const common = { actions, assignees, dueAt: toDueAt(dueIn), context: context ?? null };
  if (toolCall === undefined) {
    return {
      ...common,
      title: title ?? `Review in ${settings.workflowName}`,
      proposal: input.show ?? null,
      schema: schema ?? null,
      tool: null,
    };
  }
  const tool = services.tools.get(toolCall.tool);
  if (tool === undefined) {
    throw new OvenError("TOOL_UNKNOWN", `The call to review names \`${toolCall.tool}\`, and there is no such tool`, {
      status: 422,
      fix: "Let agent.toolExecutor answer the model before a person is asked, or offer fewer tools",
    });
  }
  return {
    ...common,
    title: title ?? `Approve: ${tool.title}`,
    proposal: toolCall.arguments,
    schema: schema ?? tool.inputSchema,
    tool: tool.id,
  };
}

export function toDueAt(dueIn: number | string | undefined): string | null {
  return dueIn === undefined ? null : new Date(Date.now() + parseDuration(dueIn)).toISOString();
}
