import { z } from "zod";

const StateId = z.string().min(1).max(200);

/** Most states that one mapping names. */
const MAX_MAPPED_STATES = 200;

const StateMappingSchema = z
  .record(StateId, StateId)
  .refine((mapping) => Object.keys(mapping).length <= MAX_MAPPED_STATES, `name at most ${MAX_MAPPED_STATES} states`)
  .describe("States of the versions that runs come from, each with the state of the new version that takes its place");

/** The body of `POST …workflows/[id]/migrations/plan` and of `POST …workflows/[id]/migrations`. */
export const MigrateRunsBodySchema = z.strictObject({
  version: z.int().positive().optional().describe("To which version; left out, the published one"),
  mapping: StateMappingSchema.default({}),
});
export type MigrateRunsBody = z.infer<typeof MigrateRunsBodySchema>;

const ProposalSchema = z.strictObject({
  stateId: z.string(),
  label: z.string().nullable(),
  score: z.number().describe("From 0 to 1: how alike the two are"),
});

export const MoveVerdictSchema = z
  .enum(["same", "mapped", "mapping", "cannot"])
  .describe(
    "same: the runs go on where they stand. mapped: they do with the given mapping. mapping: name the states that take the place of others. cannot: they end on the version they have",
  );
export type MoveVerdict = z.infer<typeof MoveVerdictSchema>;

/** Waiting runs that are alike: of one version, at the same states. */
export const MoveGroupSchema = z.strictObject({
  version: z.int(),
  states: z.array(z.string()).describe("Where they stand"),
  count: z.int(),
  /** The first of them. */
  executionIds: z.array(z.int()),
  verdict: MoveVerdictSchema,
  problems: z.array(z.strictObject({ stateId: z.string(), message: z.string() })),
  unplaced: z
    .array(z.strictObject({ stateId: z.string(), label: z.string().nullable(), proposals: z.array(ProposalSchema) }))
    .describe("States of these runs that the version does not have as they were, with those that may take their place"),
  missing: z
    .array(z.strictObject({ stateId: z.string(), readBy: z.string(), proposals: z.array(ProposalSchema) }))
    .describe("Steps of the version whose output is read later, with states of these runs that may have made it"),
  changed: z.array(z.string()).describe("Steps that are not as they were; what was done in them stays done"),
  passedReviews: z
    .array(z.string())
    .describe("Reviews that these runs would pass over: it needs `executions.override`"),
});
export type MoveGroup = z.infer<typeof MoveGroupSchema>;

/** What moving the waiting runs of a workflow would come to. */
export const MigrationPlanSchema = z.strictObject({
  version: z.int(),
  total: z.int().describe("Waiting runs on other versions"),
  counts: z.strictObject({ same: z.int(), mapped: z.int(), mapping: z.int(), cannot: z.int() }),
  groups: z.array(MoveGroupSchema),
});
export type MigrationPlan = z.infer<typeof MigrationPlanSchema>;

const RunMigrationStatusSchema = z.enum(["running", "done", "undoing", "undone"]);

/** Runs that are moved, or were. */
export const RunMigrationSchema = z.strictObject({
  id: z.int(),
  version: z.int(),
  mapping: z.record(z.string(), z.string()),
  status: RunMigrationStatusSchema,
  counts: z.strictObject({
    pending: z.int(),
    moved: z.int(),
    skipped: z.int(),
    undone: z.int(),
    stayed: z.int().describe("Were to be moved back and had gone on already"),
  }),
  undoable: z.int().describe("Moved runs that no worker has taken up since"),
  skipped: z
    .array(z.strictObject({ executionId: z.int(), reason: z.string() }))
    .describe("Runs that were not moved or not moved back, and why; the first hundred"),
  createdBy: z.int().nullable(),
  createdAt: z.string(),
  finishedAt: z.string().nullable(),
});
export type RunMigration = z.infer<typeof RunMigrationSchema>;
