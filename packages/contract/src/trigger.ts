import { z } from "zod";
import { credential } from "./credential.ts";
import { GuardSchema } from "./definition.ts";
import { JsonObjectSchema, JsonSchema } from "./json.ts";
import { TriggerShapingSchema } from "./trigger-shaping.ts";

const NameSchema = z.string().trim().min(1).max(200);

/** What a trigger starts. */
export const TriggerTargetSchema = z.strictObject({
  kind: z.enum(["workflow", "agent-workflow"]),
  workflowId: z.int().positive(),
});
export type TriggerTarget = z.infer<typeof TriggerTargetSchema>;

/** When an earlier run of the same trigger is still under way: start, leave out, wait for it, or cancel it. */
export const OverlapSchema = z.enum(["allow", "skip", "queue", "cancel"]);
export type Overlap = z.infer<typeof OverlapSchema>;

const editable = {
  name: NameSchema,
  enabled: z.boolean(),
  target: TriggerTargetSchema,
  /** As the type's `configSchema` says. */
  config: JsonObjectSchema,
  /** Decides on each delivery; what arrives is `$.trigger`, its keys `$.key`. null lets everything through. */
  filter: GuardSchema.nullable(),
  /** The run's input, computed from what arrives; null: what arrives, if it is an object, else `{event: …}`. */
  input: JsonObjectSchema.nullable(),
  /** How events become runs; null: each event that the filter lets through starts one at once. */
  shaping: TriggerShapingSchema.nullable(),
  overlap: OverlapSchema,
  /** Whether a run that waits for a person is still under way. */
  overlapCountsPaused: z.boolean(),
};

/** Why every firing of a trigger is refused: what it hands over does not fit the workflow's `payloadSchema` any more. */
export const TriggerProblemSchema = z.strictObject({ path: z.string(), message: z.string(), fix: z.string() });
export type TriggerProblem = z.infer<typeof TriggerProblemSchema>;

/** A trigger, as `GET /api/triggers/[id]` answers it. */
export const TriggerSchema = z.strictObject({
  id: z.int().positive(),
  type: z.string(),
  ...editable,
  /** What its address ends with, for kinds that are reached over HTTP; null: none, or not yours to know. */
  token: credential(z.string().nullable()),
  /** The next instant at which it fires by itself; null: it does not. */
  dueAt: z.string().nullable(),
  /** Why the last look at what it watches failed; null: it did not. */
  lastError: z.string().nullable(),
  /** Why each of its firings is refused as the workflow is now; null: nothing is known against it. */
  problem: TriggerProblemSchema.nullable(),
  /** The user whose rights its runs have: the one who saved it last. */
  runsAs: z.int().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Trigger = z.infer<typeof TriggerSchema>;

/** The body of `POST /api/triggers`. */
export const CreateTriggerSchema = z.strictObject({
  type: z.string().min(1).max(100),
  name: editable.name,
  target: editable.target,
  enabled: editable.enabled.default(true),
  config: editable.config.default({}),
  filter: editable.filter.default(null),
  input: editable.input.default(null),
  shaping: editable.shaping.default(null),
  overlap: editable.overlap.default("allow"),
  overlapCountsPaused: editable.overlapCountsPaused.default(true),
});
export type CreateTrigger = z.infer<typeof CreateTriggerSchema>;

/** The body of `PUT /api/triggers/[id]`. */
export const UpdateTriggerSchema = z.strictObject({
  name: editable.name.optional(),
  enabled: editable.enabled.optional(),
  target: editable.target.optional(),
  config: editable.config.optional(),
  filter: editable.filter.optional(),
  input: editable.input.optional(),
  shaping: editable.shaping.optional(),
  overlap: editable.overlap.optional(),
  overlapCountsPaused: editable.overlapCountsPaused.optional(),
  // What else a row holds may be sent back and is ignored.
  id: z.unknown().optional(),
  type: z.unknown().optional(),
  token: z.unknown().optional(),
  dueAt: z.unknown().optional(),
  lastError: z.unknown().optional(),
  problem: z.unknown().optional(),
  runsAs: z.unknown().optional(),
  createdAt: z.unknown().optional(),
  updatedAt: z.unknown().optional(),
});
export type UpdateTrigger = z.infer<typeof UpdateTriggerSchema>;

/** A kind of trigger, as `GET /api/trigger-types` lists it. */
export const TriggerTypeSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  docs: z.string(),
  /** JSON Schema. */
  configSchema: JsonObjectSchema,
  /** What arrives may look like this. */
  sample: JsonSchema,
  /** Keys of what arrives, where they are always the same ones; null: they are not known before. */
  arriving: z.array(z.string()).nullable(),
});
export type TriggerType = z.infer<typeof TriggerTypeSchema>;

/**
 * `received` and `queued` are still to be decided; `held`: the trigger's shaping makes it wait; `merged`: the run of another delivery
 * is that of this one, too. `filtered`: the filter said no; `skipped`: trigger or workflow is switched off, an earlier run is under way,
 * or the shaping left it out; `refused`: it cannot be run as it is; `failed`: given up after several attempts.
 */
export const DeliveryDecisionSchema = z.enum([
  "received",
  "queued",
  "held",
  "merged",
  "started",
  "filtered",
  "skipped",
  "refused",
  "failed",
]);
export type DeliveryDecision = z.infer<typeof DeliveryDecisionSchema>;

/** One thing that arrived at a trigger, and what came of it. */
export const TriggerDeliverySchema = z.strictObject({
  id: z.int().positive(),
  triggerId: z.int().positive(),
  /** The same thing has the same key: it arrives once. */
  key: z.string(),
  payload: JsonSchema,
  decision: DeliveryDecisionSchema,
  /** Why, in words. */
  reason: z.string().nullable(),
  /** The run that was started. */
  executionKind: TriggerTargetSchema.shape.kind.nullable(),
  executionId: z.int().nullable(),
  /** The delivery that this one repeats. */
  replayOf: z.int().nullable(),
  /** The delivery that starts the run of this one, too. */
  mergedInto: z.int().nullable(),
  /** Until when it is held at most; null: it is not. */
  heldUntil: z.string().nullable(),
  attempts: z.int(),
  receivedAt: z.string(),
  decidedAt: z.string().nullable(),
});
export type TriggerDelivery = z.infer<typeof TriggerDeliverySchema>;

/** What a delivery would do; nothing is started. */
export const TriggerTestSchema = z.strictObject({
  decision: z.enum(["started", "filtered", "skipped", "refused"]),
  reason: z.string().nullable(),
  input: JsonObjectSchema.nullable(),
  /** What the workflow has against the input, by places in it: `$.order`. */
  problems: z.array(z.strictObject({ path: z.string(), message: z.string() })),
});
export type TriggerTest = z.infer<typeof TriggerTestSchema>;

/** A schedule in exact terms, before it is saved. */
export const SchedulePreviewSchema = z.strictObject({
  cron: z.string().nullable(),
  at: z.string().nullable(),
  timezone: z.string(),
  /** Such as "At 09:00 AM, Monday through Friday (Europe/Vienna)". */
  says: z.string(),
  /** The next instants, ISO 8601, UTC. */
  next: z.array(z.string()),
});
export type SchedulePreview = z.infer<typeof SchedulePreviewSchema>;
