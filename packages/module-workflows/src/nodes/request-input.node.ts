import { JsonObjectSchema, JsonSchema, OvenError } from "@oven/contract";
import { AssigneeSchema, ReviewPolicySchema } from "@oven/contract/review";
import { DurationSchema } from "@oven/contract/workflow";
import { parseDuration, violationsOf } from "@oven/engine";
import { defineNode, done } from "@oven/module-registry";
import { z } from "zod";
import { reviewCeiling } from "../worst-case/review-ceiling.ts";

export const requestInputNode = defineNode({
  id: "core.requestInput",
  version: 1,
  title: "Request input",
  synonyms: ["form", "ask", "question", "human", "approve"],
  docs: [
    "Asks a person to fill in a form and waits for it, across restarts. The request is in the inbox like a review, with the one action `submit`.",
    "",
    "`schema` (JSON Schema) is the form, and what is sent is checked against it; `proposal` fills it in beforehand. When `dueIn` passes first it fails with `REVIEW_EXPIRED`, which `onError` can take.",
  ].join("\n"),
  category: "core",
  kind: "human",
  effect: "pure",
  isWait: true,
  isLocal: true,
  input: z.strictObject({
    title: z.string().min(1).default("Input needed").describe("What is asked for"),
    schema: JsonObjectSchema.default({ type: "object" }).describe("JSON Schema of the answer: the form"),
    proposal: JsonSchema.default({}).describe("What the form is filled in with"),
    context: JsonSchema.default(null).describe("What the person should know"),
    assignees: z
      .array(AssigneeSchema)
      .max(50)
      .default([])
      .describe("`user:3`, `user:ada@example.com`, `role:support`; empty: anyone who may decide"),
    dueIn: DurationSchema.optional().describe("Milliseconds, or a duration such as P1D"),
  }),
  output: z.strictObject({
    data: JsonSchema.meta({ "x-type-from": { schema: "schema" } }),
    reviewer: z.int().nullable(),
    decidedAt: z.string(),
  }),
  ceiling: ({ input: { dueIn } }) => ({ perVisit: reviewCeiling(dueIn === undefined ? {} : { dueIn }) }),
  async run({ input: { title, schema, proposal, context, assignees, dueIn } }) {
    const dueAt = dueIn === undefined ? null : new Date(Date.now() + parseDuration(dueIn)).toISOString();
    const actions = ["submit"];
    const policy = ReviewPolicySchema.parse({});
    return {
      type: "wait",
      for: "input",
      request: { title, proposal, schema, context, tool: null, assignees, actions, dueAt, policy },
    };
  },
  async resume({ input }, signal) {
    if (signal.type !== "decision")
      throw new OvenError("UNEXPECTED_SIGNAL", `A request for input cannot be ended by ${signal.type}`);
    // What came without data stands for the form as it was filled in beforehand, which nobody has checked yet.
    const [first] = violationsOf(input.schema, signal.data, "$.data");
    if (first !== undefined) {
      throw new OvenError("INVALID_INPUT", `The answer does not fit the form: ${first.path}: ${first.message}`, {
        path: first.path,
        fix: "Ask again: put another request into onError.",
      });
    }
    return done({ data: signal.data, reviewer: signal.reviewer, decidedAt: signal.decidedAt });
  },
});
