import { z } from "zod";
import { JsonSchemaDocumentSchema } from "./definition.ts";
import { ExecutionStatusSchema } from "./execution.ts";
import { IdSchema, SlugSchema } from "./ids.ts";
import { JsonObjectSchema, JsonSchema } from "./json.ts";

const NameSchema = z.string().trim().min(1).max(200);
/** `$` is the output, `$.items[0].name` a part of it. */
const PathSchema = z.string().min(1).max(1_000).regex(/^\$/, "a path such as $.queue");
const ToolSchema = z.string().min(1).max(200);
const path = PathSchema.default("$");
const texts = z.union([z.string(), z.array(z.string()).min(1).max(100)]);
const textRule = {
  path,
  text: texts,
  /** Whether the rule asks for all of several texts or for any of them. */
  mode: z.enum(["all", "any"]).default("all"),
  caseSensitive: z.boolean().default(false),
};

/** What a case's run must show. Paths are those of its output. */
export const ExpectationSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("exact"), path, value: JsonSchema }),
  z.strictObject({ type: z.literal("contains"), ...textRule }),
  z.strictObject({ type: z.literal("notContains"), ...textRule, mode: textRule.mode.default("any") }),
  /** RE2. */
  z.strictObject({ type: z.literal("matches"), path, pattern: z.string().min(1).max(1_000) }),
  z.strictObject({ type: z.literal("jsonPath"), path: PathSchema, exists: z.boolean().default(true) }),
  z.strictObject({ type: z.literal("schema"), path, schema: JsonSchemaDocumentSchema }),
  /** CEL over `output`, `ctx` (the run's context; `ctx.toolCalls` are all calls of the run), `trigger` and `execution`. */
  z.strictObject({ type: z.literal("cel"), expression: z.string().min(1).max(4_000) }),
  /** A model gives 0 to 1 by the rubric. */
  z.strictObject({
    type: z.literal("judge"),
    path,
    rubric: z.string().trim().min(1).max(20_000),
    model: z.string().min(1).max(200).default("fast"),
    threshold: z.number().min(0).max(1).default(0.7),
  }),
  z.strictObject({
    type: z.literal("toolCalled"),
    tool: ToolSchema,
    /** What the arguments of one call must hold at least. */
    arguments: JsonObjectSchema.optional(),
    atLeast: z.int().positive().default(1),
    atMost: z.int().nonnegative().optional(),
  }),
  z.strictObject({ type: z.literal("toolNotCalled"), tool: ToolSchema }),
  /** These in this order; others may lie between. */
  z.strictObject({ type: z.literal("toolOrder"), tools: z.array(ToolSchema).min(2).max(100) }),
  z.strictObject({
    type: z.literal("status"),
    status: ExecutionStatusSchema,
    outcome: z.string().max(200).optional(),
    /** Code of the error. */
    error: z.string().max(200).optional(),
  }),
  /** The run waits for a person, at that state or about that tool where one is named. */
  z.strictObject({ type: z.literal("paused"), node: z.string().max(200).optional(), tool: ToolSchema.optional() }),
  z.strictObject({
    type: z.literal("atMost"),
    measure: z.enum(["tokens", "costMicros", "durationMs", "steps"]),
    value: z.number().nonnegative(),
  }),
]);
export type Expectation = z.infer<typeof ExpectationSchema>;

/**
 * What is decided when the run asks a person. Of those that fit a review (by node and tool, where they name them) the n-th holds
 * for the n-th visit of its state.
 */
export const ScriptedDecisionSchema = z.strictObject({
  node: z.string().min(1).max(200).optional(),
  tool: ToolSchema.optional(),
  action: z.string().min(1).max(100),
  data: JsonSchema.optional(),
  reason: z.string().max(10_000).optional(),
});
export type ScriptedDecision = z.infer<typeof ScriptedDecisionSchema>;

/** What a dataset is run against. */
export const EvalTargetKindSchema = z.enum(["workflow", "agent-workflow", "agent"]);
export type EvalTargetKind = z.infer<typeof EvalTargetKindSchema>;

const datasetFields = {
  name: NameSchema,
  slug: SlugSchema,
  description: z.string().max(10_000).nullable(),
  /** False: tools and nodes that act on the world are refused. */
  allowEffects: z.boolean(),
  /** How long one case may take, waiting included. */
  timeoutMs: z.int().min(1_000).max(86_400_000),
};
const caseFields = {
  name: NameSchema,
  /** The run's input; of an agent `{message, messages?, parameters?}`. */
  input: JsonObjectSchema,
  expectations: z.array(ExpectationSchema).max(100),
  decisions: z.array(ScriptedDecisionSchema).max(100),
  /** Outputs of nodes by state id: these nodes are not called. */
  pins: z.record(z.string(), JsonSchema).nullable(),
  tags: z.array(z.string().trim().min(1).max(100)).max(50),
  enabled: z.boolean(),
};
const timestamps = { createdAt: z.string(), updatedAt: z.string() };
const sentBack = { id: z.unknown().optional(), createdAt: z.unknown().optional(), updatedAt: z.unknown().optional() };

/** An eval dataset, as `GET /api/eval-datasets/[id]` answers it. */
export const EvalDatasetSchema = z.strictObject({
  id: IdSchema,
  ...datasetFields,
  target: z.strictObject({ kind: EvalTargetKindSchema, id: IdSchema }),
  /** How many cases it has. */
  cases: z.int(),
  ...timestamps,
});
export type EvalDataset = z.infer<typeof EvalDatasetSchema>;

/** Id or slug of a workflow or agent. */
export const EvalTargetSchema = z.strictObject({
  kind: EvalTargetKindSchema,
  id: z.union([IdSchema, z.string().min(1).max(63)]),
});
export type EvalTarget = z.infer<typeof EvalTargetSchema>;

const newDataset = {
  name: datasetFields.name,
  slug: datasetFields.slug.optional(),
  description: datasetFields.description.default(null),
  target: EvalTargetSchema,
  allowEffects: datasetFields.allowEffects.default(false),
  timeoutMs: datasetFields.timeoutMs.default(600_000),
};
/** The body of `POST /api/eval-datasets`. */
export const CreateEvalDatasetSchema = z.strictObject(newDataset);
export type CreateEvalDataset = z.infer<typeof CreateEvalDatasetSchema>;

/** The body of `PUT /api/eval-datasets/[id]`. */
export const UpdateEvalDatasetSchema = z.strictObject({
  name: datasetFields.name.optional(),
  slug: datasetFields.slug.optional(),
  description: datasetFields.description.optional(),
  target: EvalTargetSchema.optional(),
  allowEffects: datasetFields.allowEffects.optional(),
  timeoutMs: datasetFields.timeoutMs.optional(),
  cases: z.unknown().optional(),
  ...sentBack,
});
export type UpdateEvalDataset = z.infer<typeof UpdateEvalDatasetSchema>;

/** An eval case, as `GET /api/eval-cases/[id]` answers it. */
export const EvalCaseSchema = z.strictObject({
  id: IdSchema,
  datasetId: IdSchema,
  ...caseFields,
  position: z.int(),
  ...timestamps,
});
export type EvalCase = z.infer<typeof EvalCaseSchema>;

/** A case's name is its own in its dataset. */
export const NewEvalCaseSchema = z.strictObject({
  name: caseFields.name,
  input: caseFields.input,
  expectations: caseFields.expectations.default([]),
  decisions: caseFields.decisions.default([]),
  pins: caseFields.pins.default(null),
  tags: caseFields.tags.default([]),
  enabled: caseFields.enabled.default(true),
});
export type NewEvalCase = z.infer<typeof NewEvalCaseSchema>;

/** The body of `PUT /api/eval-cases/[id]`. */
export const UpdateEvalCaseSchema = z.strictObject({
  name: caseFields.name.optional(),
  input: caseFields.input.optional(),
  expectations: caseFields.expectations.optional(),
  decisions: caseFields.decisions.optional(),
  pins: caseFields.pins.optional(),
  tags: caseFields.tags.optional(),
  enabled: caseFields.enabled.optional(),
  position: z.int().nonnegative().optional(),
  datasetId: z.unknown().optional(),
  ...sentBack,
});
export type UpdateEvalCase = z.infer<typeof UpdateEvalCaseSchema>;

/** A case made of a run that was. Without expectations: that its output is the same again. */
export const CaseFromExecutionSchema = z.strictObject({
  executionId: IdSchema,
  name: caseFields.name.optional(),
  expectations: caseFields.expectations.min(1).optional(),
});
export type CaseFromExecution = z.infer<typeof CaseFromExecutionSchema>;

/** A dataset as a file. The target is named by its slug, so that it can be taken elsewhere. */
export const EvalDatasetFileSchema = z.strictObject({
  format: z.literal("oven.eval-dataset"),
  formatVersion: z.literal(1),
  ...newDataset,
  slug: datasetFields.slug,
  cases: z.array(NewEvalCaseSchema).max(10_000),
});
export type EvalDatasetFile = z.infer<typeof EvalDatasetFileSchema>;
