import type { Json } from "@oven/contract";
import type { ReviewPolicy } from "@oven/contract/review";
import { createdAtColumn, exactJson, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { sql } from "@oven/db/drizzle";
import {
  bigint,
  customType,
  doublePrecision,
  index,
  integer,
  pgSequence,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  varchar,
} from "@oven/db/pg-core";

/*
 * Tables of both kinds of runs, keyed by execution id alone. No foreign keys: the id may be of either kind; rows go with
 * their run.
 */

const executionId = () => bigint("execution_id", { mode: "number" }).notNull();
const instant = (name: string) => timestamp(name, { withTimezone: true });

/** The run's persisted, gapless log: what streams show, and the patches that make the context. */
export const runEvents = pgTable(
  "run_events",
  {
    executionId: executionId(),
    seq: integer("seq").notNull(),
    tenantId: tenantColumn(),
    event: varchar("event", { length: 40 }).notNull(),
    at: instant("at").notNull(),
    fields: exactJson("fields").notNull(),
    patch: exactJson("patch"),
    /** The cause of a move, in its first log entry, so that the run can be replayed. */
    cause: exactJson("cause"),
  },
  (table) => [primaryKey({ columns: [table.executionId, table.seq] })],
);

/** Messages to a run, from any process; consumed in order by the process that holds the lease. */
export const runSignals = pgTable(
  "run_signals",
  {
    id: idColumn(),
    executionId: executionId(),
    tenantId: tenantColumn(),
    type: varchar("type", { length: 16 }).notNull(),
    data: exactJson("data").notNull(),
    dedupeKey: text("dedupe_key").notNull(),
    consumedAt: instant("consumed_at"),
    createdAt: createdAtColumn(),
  },
  (table) => [
    unique("run_signals_dedupe").on(table.executionId, table.dedupeKey),
    index("run_signals_open").on(table.executionId, table.id).where(sql`consumed_at is null`),
  ],
);

/** What begins no new step: a run with its children, the runs of a workflow, or all of a tenant. */
export const runHolds = pgTable(
  "run_holds",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    /** With `workflowId`: of which kind the workflow is; null: not of one workflow. */
    kind: varchar("kind", { length: 16 }),
    workflowId: bigint("workflow_id", { mode: "number" }),
    /** The root of its family; null: not one run. */
    executionId: bigint("execution_id", { mode: "number" }),
    reason: text("reason"),
    heldBy: bigint("held_by", { mode: "number" }),
    createdAt: createdAtColumn(),
  },
  (table) => [
    unique("run_holds_target").on(table.tenantId, table.kind, table.workflowId, table.executionId).nullsNotDistinct(),
  ],
);

/** What people, judges and later events say of a run: one row for each of them and each name. */
export const runScores = pgTable(
  "run_scores",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    executionId: executionId(),
    executionKind: varchar("execution_kind", { length: 16 }).notNull(),
    workflowId: bigint("workflow_id", { mode: "number" }).notNull(),
    /** Below zero: a draft. */
    workflowVersion: integer("workflow_version").notNull(),
    /** When the run began: summaries are by that day. */
    ranAt: instant("ran_at").notNull(),
    name: varchar("name", { length: 60 }).notNull(),
    /** From 0 to 1. */
    value: doublePrecision("value").notNull(),
    comment: text("comment"),
    /** By which way it came in. */
    source: varchar("source", { length: 8 }).notNull(),
    /** `user:3`, `api-key:5`, `agent-workflow:7`, `judge:2`. */
    scorer: varchar("scorer", { length: 100 }).notNull(),
    /** The person, also behind a key. */
    userId: bigint("user_id", { mode: "number" }),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [
    unique("run_scores_scorer").on(table.executionId, table.name, table.scorer),
    index("run_scores_workflow").on(table.tenantId, table.executionKind, table.workflowId, table.ranAt),
  ],
);

export const reviewIds = pgSequence("oven_review_id");

/** What people are asked, and what they answered: once. */
export const reviews = pgTable(
  "reviews",
  {
    id: bigint("id", { mode: "number" }).primaryKey().default(sql`nextval('oven_review_id')`),
    tenantId: tenantColumn(),
    executionId: executionId(),
    executionKind: varchar("execution_kind", { length: 16 }).notNull(),
    workflowId: bigint("workflow_id", { mode: "number" }).notNull(),
    workflowName: varchar("workflow_name", { length: 200 }).notNull(),
    nodeId: text("node_id").notNull(),
    visit: integer("visit").notNull(),
    item: text("item"),
    status: varchar("status", { length: 16 }).notNull().default("open"),
    title: text("title").notNull(),
    proposal: exactJson("proposal").$type<Json>().notNull(),
    schema: exactJson("schema").$type<Record<string, Json> | null>(),
    context: exactJson("context").$type<Json>().notNull(),
    tool: text("tool"),
    digest: varchar("digest", { length: 64 }).notNull(),
    assignees: exactJson("assignees").$type<string[]>().notNull(),
    actions: exactJson("actions").$type<string[]>().notNull(),
    dueAt: instant("due_at"),
    /** When its deadline came and others were asked; null: never. */
    escalatedAt: instant("escalated_at"),
    /** Who was asked before. */
    escalatedFrom: exactJson("escalated_from").$type<string[] | null>(),
    /** Null: one approval of anybody assigned. */
    policy: exactJson("policy").$type<ReviewPolicy | null>(),
    /** The user who started the run. */
    requestedBy: bigint("requested_by", { mode: "number" }),
    /** All users who asked for the run; null: `requestedBy` alone. */
    requesters: exactJson("requesters").$type<number[] | null>(),
    /** Counts the edits: votes are about the proposal as it stood in their round. */
    round: integer("round").notNull().default(0),
    /** Which of the stages that its proposal needs is asked. */
    stage: integer("stage").notNull().default(0),
    action: text("action"),
    data: exactJson("data").$type<Json>(),
    reason: text("reason"),
    decidedBy: bigint("decided_by", { mode: "number" }),
    decidedAt: instant("decided_at"),
    createdAt: createdAtColumn(),
  },
  (table) => [
    index("reviews_execution").on(table.executionId, table.id),
    index("reviews_open").on(table.tenantId, table.id).where(sql`status = 'open'`),
  ],
);

const reviewId = () =>
  bigint("review_id", { mode: "number" })
    .notNull()
    .references(() => reviews.id, { onDelete: "cascade" });

/** What each person said; the unique key lets nobody count twice. */
export const reviewVotes = pgTable(
  "review_votes",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    reviewId: reviewId(),
    round: integer("round").notNull(),
    stage: integer("stage").notNull().default(0),
    userId: bigint("user_id", { mode: "number" }).notNull(),
    action: text("action").notNull(),
    reason: text("reason"),
    /** The digest of what was approved. */
    digest: varchar("digest", { length: 64 }).notNull(),
    createdAt: createdAtColumn(),
  },
  (table) => [unique("review_votes_person").on(table.reviewId, table.round, table.userId)],
);

/** Which call an approval has let through: one, and no other. */
export const reviewReleases = pgTable("review_releases", {
  reviewId: reviewId().primaryKey(),
  tenantId: tenantColumn(),
  executionId: executionId(),
  nodeId: text("node_id").notNull(),
  visit: integer("visit").notNull(),
  /** The tool call's id. */
  item: text("item").notNull(),
  createdAt: createdAtColumn(),
});

/** What people wrote to each other about a review; never changed. */
export const reviewComments = pgTable(
  "review_comments",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    reviewId: reviewId(),
    userId: bigint("user_id", { mode: "number" }),
    text: text("text").notNull(),
    createdAt: createdAtColumn(),
  },
  (table) => [index("review_comments_review").on(table.reviewId, table.id)],
);

/** Which run an `Idempotency-Key` started; kept for a day. */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    tenantId: tenantColumn(),
    /** What the key was used on: principal and route. */
    scope: varchar("scope", { length: 200 }).notNull(),
    key: varchar("key", { length: 200 }).notNull(),
    bodyHash: varchar("body_hash", { length: 64 }).notNull(),
    executionId: executionId(),
    createdAt: createdAtColumn(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.scope, table.key] })],
);

const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => "bytea" });

/** What is too large for a row: outputs beyond the limit of a step, files. Referred to by id. */
export const runBlobs = pgTable(
  "run_blobs",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    executionId: executionId(),
    nodeId: text("node_id").notNull(),
    visit: integer("visit").notNull(),
    item: text("item"),
    mediaType: varchar("media_type", { length: 200 }).notNull(),
    size: bigint("size", { mode: "number" }).notNull(),
    sha256: varchar("sha256", { length: 64 }).notNull(),
    data: bytes("data").notNull(),
    createdAt: createdAtColumn(),
  },
  (table) => [index("run_blobs_execution").on(table.executionId)],
);

/** What was used of what is counted (`core.trackUsage`); once per key, so that a repeated step counts once. */
export const usageRecords = pgTable(
  "usage_records",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    metric: varchar("metric", { length: 100 }).notNull(),
    subject: varchar("subject", { length: 200 }).notNull(),
    amount: doublePrecision("amount").notNull(),
    executionId: executionId(),
    dedupeKey: varchar("dedupe_key", { length: 64 }).notNull(),
    createdAt: createdAtColumn(),
  },
  (table) => [
    unique("usage_records_dedupe").on(table.tenantId, table.dedupeKey),
    index("usage_records_sum").on(table.tenantId, table.metric, table.subject, table.createdAt),
  ],
);
