import { z } from "zod";

/** Fields of a row that a client may send back; they are ignored. */
const readOnly = {
  id: z.unknown().optional(),
  tenantId: z.unknown().optional(),
  createdAt: z.unknown().optional(),
  updatedAt: z.unknown().optional(),
};
const shown = {
  id: z.int().positive(),
  /** null: for every tenant. */
  tenantId: z.int().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
};
const providerId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/, "the id of a provider");
const micros = z.int().nonnegative().max(Number.MAX_SAFE_INTEGER);

/** When the list prices that every installation has were compared with the vendors' own. Changes with them. */
export const LIST_PRICES_AS_OF = "2026-11-22";

const price = {
  providerId,
  /** `*`: every other model of the provider. */
  modelId: z.string().trim().min(1).max(300),
  /** 10⁻⁶ USD per million tokens. */
  inputMicros: micros,
  cachedInputMicros: micros,
  outputMicros: micros,
  /** 10⁻⁶ USD per image. */
  imageMicros: micros,
  /** Tokens of its longest answer; budgets hold back that much. null: not known. */
  maxOutputTokens: z.int().positive().max(2_147_483_647).nullable(),
  /** Tokens that it reads at most in one call; worst cases count that many. null: not known. */
  contextTokens: z.int().positive().max(2_147_483_647).nullable(),
  /** 10⁻⁶ USD per second of video. */
  videoSecondMicros: micros,
};
/** What a model costs, in micro-dollars. */
export const ModelPriceSchema = z.strictObject({ ...shown, ...price });
export type ModelPrice = z.infer<typeof ModelPriceSchema>;
/** Without a price of its own, cached input costs what input costs. */
export const CreateModelPriceSchema = z.strictObject({
  ...readOnly,
  ...price,
  inputMicros: micros.default(0),
  cachedInputMicros: micros.optional(),
  outputMicros: micros.default(0),
  imageMicros: micros.default(0),
  maxOutputTokens: z.int().positive().max(2_147_483_647).nullable().default(null),
  contextTokens: z.int().positive().max(2_147_483_647).nullable().default(null),
  videoSecondMicros: micros.default(0),
});
export type CreateModelPrice = z.infer<typeof CreateModelPriceSchema>;
/** The body of `PUT /api/ai-prices/[id]`. */
export const UpdateModelPriceSchema = z.strictObject({ ...readOnly, ...price }).partial();
export type UpdateModelPrice = z.infer<typeof UpdateModelPriceSchema>;

const perMinute = z.int().positive().max(1_000_000_000).nullable();
const rateLimit = { providerId, requestsPerMinute: perMinute, tokensPerMinute: perMinute };
/** What a tenant may send to a provider within any 60 seconds; null: as much as it likes. */
export const ModelRateLimitSchema = z.strictObject({ ...shown, ...rateLimit });
export type ModelRateLimit = z.infer<typeof ModelRateLimitSchema>;
/** The body of `POST /api/ai-rate-limits`. */
export const CreateModelRateLimitSchema = z.strictObject({
  ...readOnly,
  ...rateLimit,
  requestsPerMinute: perMinute.default(null),
  tokensPerMinute: perMinute.default(null),
});
export type CreateModelRateLimit = z.infer<typeof CreateModelRateLimitSchema>;
/** The body of `PUT /api/ai-rate-limits/[id]`. */
export const UpdateModelRateLimitSchema = z.strictObject({ ...readOnly, ...rateLimit }).partial();
export type UpdateModelRateLimit = z.infer<typeof UpdateModelRateLimitSchema>;

/** Whose spending a budget counts. */
export const BudgetScopeSchema = z.enum(["run", "workflow", "agent", "tenant", "key"]);
const cap = z.int().positive().max(Number.MAX_SAFE_INTEGER).nullable();
const budget = {
  name: z.string().trim().min(1).max(200),
  /** What each has an amount of its own. */
  scope: BudgetScopeSchema,
  /**
   * null: each run, workflow, agent or key has the amount. Else that one only: `agent-workflow:7` or `workflow:7` (also of
   * scope run: its runs), the id of an agent or of a key.
   */
  target: z.string().trim().min(1).max(200).nullable(),
  /** Days and months are UTC. */
  period: z.enum(["run", "day", "month"]),
  /** 10⁻⁶ USD. */
  limitMicros: cap,
  limitTokens: cap,
  /** `pause`: a node waits for a person instead of failing. */
  action: z.enum(["block", "pause"]),
  enabled: z.boolean(),
};
/** A budget for model calls; costs in micro-dollars. */
export const ModelBudgetSchema = z.strictObject({ ...shown, ...budget });
export type ModelBudget = z.infer<typeof ModelBudgetSchema>;

interface BudgetTerms {
  scope?: string | undefined;
  period?: string | undefined;
  limitMicros?: number | null | undefined;
  limitTokens?: number | null | undefined;
}

/** What is wrong with a whole budget; undefined when nothing is. */
export function budgetProblem({ scope, period, limitMicros, limitTokens }: BudgetTerms): string | undefined {
  if ((scope === "run") !== (period === "run")) return "the period `run` belongs to the scope `run`";
  if ((limitMicros ?? null) === null && (limitTokens ?? null) === null) return "give limitMicros, limitTokens or both";
  return undefined;
}

/** The body of `POST /api/ai-budgets`. */
export const CreateModelBudgetSchema = z
  .strictObject({
    ...readOnly,
    ...budget,
    target: budget.target.default(null),
    limitMicros: cap.default(null),
    limitTokens: cap.default(null),
    action: budget.action.default("block"),
    enabled: z.boolean().default(true),
  })
  .superRefine((value, context) => {
    const problem = budgetProblem(value);
    if (problem !== undefined) context.addIssue(problem);
  });
export type CreateModelBudget = z.infer<typeof CreateModelBudgetSchema>;
/** The body of `PUT /api/ai-budgets/[id]`. */
export const UpdateModelBudgetSchema = z.strictObject({ ...readOnly, ...budget }).partial();
export type UpdateModelBudget = z.infer<typeof UpdateModelBudgetSchema>;

/** What was spent of a budget. */
export const BudgetSpendSchema = z.strictObject({
  /** The run, workflow, agent, key or tenant that the amount belongs to: `run:12`, `agent-workflow:7`, `agent:3`, `key:4` or `tenant`. */
  subject: z.string(),
  /** `run`, `2026-01-31` or `2026-01`. */
  period: z.string(),
  spentMicros: z.int(),
  spentTokens: z.int(),
  /** What calls that are not over yet may cost. */
  reservedMicros: z.int(),
  reservedTokens: z.int(),
});
export type BudgetSpend = z.infer<typeof BudgetSpendSchema>;
