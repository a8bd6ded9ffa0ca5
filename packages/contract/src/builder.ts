import { z } from "zod";
import { ProblemSchema } from "./errors.ts";
import { ExecutionStatusSchema } from "./execution.ts";
import { JsonObjectSchema, JsonSchema } from "./json.ts";
import { WorstCaseSummarySchema } from "./worst-case.ts";

/** Slug of the agent workflow that builds and explains others. */
export const BUILDER_WORKFLOW = "builder";
/** How many questions it may ask a person in one run. */
export const MAX_BUILDER_QUESTIONS = 3;

/** The body of `POST /api/builder/conversations`. */
export const StartBuildingSchema = z.strictObject({
  message: z.string().trim().min(1).max(20_000),
  workflowId: z
    .int()
    .positive()
    .optional()
    .describe("What is to be changed or explained; left out: a new agent workflow"),
});
export type StartBuilding = z.infer<typeof StartBuildingSchema>;

/** A conversation with the builder: a chat about one agent workflow. */
export const BuildingSchema = z.strictObject({
  chatId: z.int().positive(),
  workflowId: z.int().positive(),
  title: z.string().nullable(),
  updatedAt: z.string(),
});
export type Building = z.infer<typeof BuildingSchema>;

/** What a test case wants of a run. What is left out may be anything. */
export const DraftExpectationSchema = z.strictObject({
  status: z.enum(["completed", "failed"]).default("completed"),
  outcome: z.string().max(200).optional().describe("Of the final state"),
  error: z.string().max(100).optional().describe("The code that a failed run has"),
  output: JsonSchema.optional().describe(
    "Of an object: members that the output must have; of anything else: all of it",
  ),
  visits: z.array(z.string().max(64)).max(50).optional().describe("States that must have run"),
});
export type DraftExpectation = z.infer<typeof DraftExpectationSchema>;

/** A test case of a draft: what it is given, and what must come of it. */
export const DraftCaseSchema = z.strictObject({
  name: z.string().trim().min(1).max(100),
  input: JsonObjectSchema,
  pins: z
    .record(z.string().min(1).max(64), JsonSchema)
    .optional()
    .describe("Outputs by state id: these steps are not run. For answers of models and services"),
  expect: DraftExpectationSchema,
});
export type DraftCase = z.infer<typeof DraftCaseSchema>;

/** What a dry run of a test case came to. */
export const DraftCaseResultSchema = z.strictObject({
  name: z.string(),
  passed: z.boolean(),
  runId: z.int().nullable().describe("null: it could not be started"),
  status: ExecutionStatusSchema.nullable(),
  reason: z.string().nullable().describe("What differs; null: it passed"),
});
export type DraftCaseResult = z.infer<typeof DraftCaseResultSchema>;

/** What nothing has proved, in words for programs. */
export const NotProvedSchema = z.enum([
  /** No test case was written. */
  "no-case",
  /** Answers of models in dry runs are examples, or pinned. */
  "model-answers",
  /** Services were not called. */
  "outside-calls",
  /** No person was asked. */
  "reviews",
  /** Nothing bounds what a run may take. */
  "unbounded",
]);
export type NotProved = z.infer<typeof NotProvedSchema>;

/** What the builder has proved of a draft, found by the server and not said by a model. */
export const DraftProofSchema = z.strictObject({
  workflowId: z.int().positive(),
  draftRevision: z.int().positive(),
  valid: z.boolean(),
  problems: z.array(ProblemSchema).max(20),
  cases: z.array(DraftCaseResultSchema),
  worstCase: WorstCaseSummarySchema.nullable().describe("null: the draft is not valid"),
  notProved: z.array(NotProvedSchema),
});
export type DraftProof = z.infer<typeof DraftProofSchema>;

/** The output of a run of the builder. */
export const BuilderOutputSchema = z.strictObject({
  text: z.string(),
  proof: DraftProofSchema.nullable().describe("null: nothing was changed"),
});
export type BuilderOutput = z.infer<typeof BuilderOutputSchema>;
