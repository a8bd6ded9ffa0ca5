import { z } from "zod";
import { JsonObjectSchema } from "./json.ts";

/** What a guardrail looks for. */
export const GuardrailRuleSchema = z.discriminatedUnion("kind", [
  /** Any of these words or phrases, as whole words; case does not matter. */
  z.strictObject({ kind: z.literal("keyword"), words: z.array(z.string().trim().min(1).max(200)).min(1).max(500) }),
  /** A pattern in RE2 syntax. */
  z.strictObject({ kind: z.literal("pattern"), pattern: z.string().min(1).max(1_000) }),
  /** The text is JSON that fits this schema. */
  z.strictObject({ kind: z.literal("schema"), schema: JsonObjectSchema }),
  /** A model says which of the labels the text has; the unwanted ones count. */
  z.strictObject({
    kind: z.literal("classifier"),
    model: z.string().min(1).max(300),
    instructions: z.string().trim().min(1).max(4_000),
    labels: z.array(z.string().trim().min(1).max(100)).min(2).max(20),
    unwanted: z.array(z.string().trim().min(1).max(100)).min(1).max(20),
  }),
]);
export type GuardrailRule = z.infer<typeof GuardrailRuleSchema>;

const guardrail = {
  name: z.string().trim().min(1).max(200),
  /** What is sent to models, what they answer, or both. */
  direction: z.enum(["input", "output", "both"]),
  action: z.enum(["block", "warn", "redact"]),
  rule: GuardrailRuleSchema,
  enabled: z.boolean(),
};

/** A guardrail, as `GET /api/ai-guardrails/[id]` answers it. */
export const GuardrailSchema = z.strictObject({
  ...guardrail,
  id: z.int().positive(),
  tenantId: z.int().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Guardrail = z.infer<typeof GuardrailSchema>;

const readOnly = {
  id: z.unknown().optional(),
  tenantId: z.unknown().optional(),
  createdAt: z.unknown().optional(),
  updatedAt: z.unknown().optional(),
};

/** What is wrong with a whole guardrail; undefined when nothing is. */
export function guardrailProblem({ action, rule }: Pick<Guardrail, "action" | "rule">): string | undefined {
  if (action === "redact" && rule.kind !== "keyword" && rule.kind !== "pattern")
    return "only keywords and patterns say what to redact";
  if (rule.kind !== "classifier") return undefined;
  const stray = rule.unwanted.find((label) => !rule.labels.includes(label));
  return stray === undefined ? undefined : `\`${stray}\` is not one of the labels`;
}

/** The body of `POST /api/ai-guardrails`. */
export const CreateGuardrailSchema = z
  .strictObject({ ...readOnly, ...guardrail, enabled: z.boolean().default(true) })
  .superRefine((value, context) => {
    const problem = guardrailProblem(value);
    if (problem !== undefined) context.addIssue(problem);
  });
export type CreateGuardrail = z.infer<typeof CreateGuardrailSchema>;
/** The body of `PUT /api/ai-guardrails/[id]`. */
export const UpdateGuardrailSchema = z.strictObject({ ...readOnly, ...guardrail }).partial();
export type UpdateGuardrail = z.infer<typeof UpdateGuardrailSchema>;

/** The body of `POST /api/ai-guardrails/try`. */
export const TryGuardrailsSchema = z.strictObject({
  text: z.string().min(1).max(20_000),
  /** As what is sent to a model, or as what it answers. */
  side: z.enum(["input", "output"]),
  /** This one alone, saved or not; absent: all that are on. */
  guardrail: CreateGuardrailSchema.optional(),
});
export type TryGuardrails = z.infer<typeof TryGuardrailsSchema>;

/** What guardrails would do to a text, one after the other. */
export const TriedGuardrailsSchema = z.strictObject({
  /** The text as it would go on; null: it would not. */
  text: z.string().nullable(),
  /** The guardrails that took effect, in the order in which they are applied. None is applied after one that blocks. */
  findings: z.array(z.strictObject({ name: z.string(), action: z.enum(["block", "warn", "redact"]) })),
  /** How many were asked. */
  asked: z.int().nonnegative(),
});
export type TriedGuardrails = z.infer<typeof TriedGuardrailsSchema>;
