import { z } from "zod";
import { ExecutionKindSchema } from "./execution.ts";
import { IdOrSlugSchema, IdSchema } from "./ids.ts";
import { EffectSchema } from "./node-contract.ts";
import { LiveBudgetSchema, MAX_REHEARSED } from "./rehearsal.ts";
import { ScoreNameSchema, ScoreValueSchema } from "./run-score.ts";

const NamesSchema = z.array(z.string().trim().min(1).max(200)).min(1).max(200);

/** Nodes and tools: each that one of the lists names. Names may end in `*`. */
export const PolicyTargetSchema = z
  .strictObject({
    effects: z.array(EffectSchema).min(1).optional(),
    tags: NamesSchema.optional(),
    tools: NamesSchema.optional(),
    nodeTypes: NamesSchema.optional(),
  })
  .refine((target) => Object.keys(target).length > 0, "name effects, tags, tools or nodeTypes");
export type PolicyTarget = z.infer<typeof PolicyTargetSchema>;

const role = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,63}$/, "the name of a role")
  .optional();

const most = z.int().nonnegative().max(Number.MAX_SAFE_INTEGER).optional();

/** What a policy demands of graphs. */
export const GraphPolicyRuleSchema = z.discriminatedUnion("kind", [
  /** No path reaches the target without passing a review first, optionally one that only holders of `role` decide. */
  z.strictObject({ kind: z.literal("review-before"), target: PolicyTargetSchema, role }),
  /** What models, outside services and tools tagged `outside-content` answer never reaches the sinks unreviewed. */
  z.strictObject({ kind: z.literal("untrusted-flow"), sinks: PolicyTargetSchema.optional(), role }),
  /** Every loop and every cycle ends by itself, a loop after at most `maxIterations`. */
  z.strictObject({ kind: z.literal("bounded-loops"), maxIterations: z.int().positive().max(10_000).optional() }),
  /** Only these models: aliases or `providerId:modelId`, `openai:*`. */
  z.strictObject({ kind: z.literal("allowed-models"), models: NamesSchema }),
  z.strictObject({ kind: z.literal("forbidden-nodes"), nodeTypes: NamesSchema }),
  /** No run needs more than this: what nothing bounds is more than any limit. */
  z
    .strictObject({
      kind: z.literal("worst-case"),
      /** 10⁻⁶ USD. */
      maxCostMicros: most,
      maxModelCalls: most,
      maxTokens: most,
      maxToolCalls: most,
      maxReviews: most,
      maxDurationMs: most,
    })
    .refine((rule) => Object.keys(rule).length > 1, "name what a run may need at most"),
  /** A new version is published only once the live one has been scored. The first version of a workflow has nothing before it. */
  z.strictObject({
    kind: z.literal("scores"),
    name: ScoreNameSchema,
    /** So many scores of this name the live version has at least. */
    samples: z.int().min(1).max(1_000_000),
    /** Of its runs of so many last days. */
    days: z.int().min(1).max(366).default(30),
    /** Their mean is not lower. A repair of a version that does badly is refused, too: let it warn where that must not be. */
    atLeast: ScoreValueSchema.optional(),
  }),
  /**
   * Past runs are tried on what is to be published, from their recordings. Holds when a version of a workflow with runs is published, and
   * not when one runs.
   */
  z
    .strictObject({
      kind: z.literal("past-runs"),
      /** Absent: of every workflow. */
      workflow: z.strictObject({ kind: ExecutionKindSchema, id: IdSchema }).optional(),
      /** How many, the newest first. */
      runs: z.int().min(1).max(MAX_REHEARSED).default(50),
      status: z.enum(["all", "failed"]).default("all"),
      /** Only runs that were given what a case of this eval dataset gives; with `workflow`. */
      dataset: IdOrSlugSchema.optional(),
      /** The share, from 0 to 1, that must come out the same. */
      minSame: z.number().min(0).max(1).optional(),
      /** None may make a tool call that was not there. One of which that is not known must be looked at by a person. */
      noNewToolCalls: z.literal(true).optional(),
      /** Where no answer of a model was recorded, it is asked when a version is published, for at most so much. */
      live: LiveBudgetSchema.optional(),
      /** A person has looked at each that does not come out the same. */
      everyDifferenceSeen: z.literal(true).optional(),
    })
    .refine(
      (rule) => rule.minSame !== undefined || rule.noNewToolCalls === true || rule.everyDifferenceSeen === true,
      "name what past runs must come to: minSame, noNewToolCalls or everyDifferenceSeen",
    )
    .refine(
      (rule) => rule.dataset === undefined || rule.workflow !== undefined,
      "a dataset is about one workflow: name it",
    ),
]);
export type GraphPolicyRule = z.infer<typeof GraphPolicyRuleSchema>;
export type PastRunsRule = Extract<GraphPolicyRule, { kind: "past-runs" }>;

const PolicySeveritySchema = z.enum(["error", "warning"]);

/** A graph policy, as `GET /api/graph-policies/[id]` answers it. */
export const GraphPolicySchema = z.strictObject({
  id: z.int().positive(),
  /** null: for every tenant. */
  tenantId: z.int().nullable(),
  name: z.string(),
  description: z.string().nullable(),
  /** An error refuses publishing and running; a warning is only said. */
  severity: PolicySeveritySchema,
  enabled: z.boolean(),
  rule: GraphPolicyRuleSchema,
  createdBy: z.int().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type GraphPolicy = z.infer<typeof GraphPolicySchema>;

/** Fields of a row that a client may send back; they are ignored. */
const readOnly = {
  id: z.unknown().optional(),
  tenantId: z.unknown().optional(),
  createdBy: z.unknown().optional(),
  createdAt: z.unknown().optional(),
  updatedAt: z.unknown().optional(),
};

const writable = {
  name: z.string().trim().min(1).max(200),
  description: z.string().max(2_000).nullish(),
  rule: GraphPolicyRuleSchema,
};

/** The body of `POST /api/graph-policies`. */
export const CreateGraphPolicySchema = z.strictObject({
  ...writable,
  severity: PolicySeveritySchema.default("error"),
  enabled: z.boolean().default(true),
  ...readOnly,
});
export type CreateGraphPolicy = z.infer<typeof CreateGraphPolicySchema>;

/** The body of `PUT /api/graph-policies/[id]`. */
export const UpdateGraphPolicySchema = z.strictObject({
  name: writable.name.optional(),
  description: writable.description,
  rule: writable.rule.optional(),
  severity: PolicySeveritySchema.optional(),
  enabled: z.boolean().optional(),
  ...readOnly,
});
export type UpdateGraphPolicy = z.infer<typeof UpdateGraphPolicySchema>;

/** The body of `POST /api/graph-policies/try`. */
export const TryGraphPolicySchema = z.strictObject({ rule: GraphPolicyRuleSchema });

/** A published version or a draft. */
const TriedSchema = z.strictObject({
  kind: ExecutionKindSchema,
  id: IdSchema,
  name: z.string(),
  of: z.enum(["published", "draft"]),
});
export type TriedDefinition = z.infer<typeof TriedSchema>;

/** What a rule that is not saved would refuse. */
export const PolicyTrialSchema = z.strictObject({
  /** How many published versions were checked, and how many of them the rule refuses. */
  published: z.strictObject({ checked: z.int(), refused: z.int() }),
  drafts: z.strictObject({ checked: z.int(), refused: z.int() }),
  /** What is refused, published versions first; not more than 200. */
  refused: z.array(
    TriedSchema.extend({
      /** Not more than ten of them. */
      problems: z.array(
        z.strictObject({
          /** The label of the step, or its id; null: the workflow as a whole. */
          step: z.string().nullable(),
          path: z.string(),
          message: z.string(),
          fix: z.string(),
        }),
      ),
      /** How many problems there are. */
      found: z.int(),
    }),
  ),
  /** Too large to be checked. */
  undecided: z.array(TriedSchema),
  /** Drafts that are not valid yet, and so were not checked. */
  invalidDrafts: z.int(),
  /** Workflows that were left out, because there are more than one trial checks. */
  left: z.int(),
});
export type PolicyTrial = z.infer<typeof PolicyTrialSchema>;
