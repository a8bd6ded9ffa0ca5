import type { JsonObject } from "@oven/contract";
import type { Overlap, TriggerProblem, TriggerShaping, TriggerTarget } from "@oven/contract/trigger";
import type { Guard } from "@oven/contract/workflow";
import { createdAtColumn, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { sql } from "@oven/db/drizzle";
import { bigint, boolean, index, jsonb, pgTable, text, timestamp, uniqueIndex } from "@oven/db/pg-core";

/** What starts workflows by itself. `due_at` is on the database's clock. */
export const triggers = pgTable(
  "triggers",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    name: text("name").notNull(),
    type: text("type").notNull(),
    enabled: boolean("enabled").notNull().default(true),
    targetKind: text("target_kind").$type<TriggerTarget["kind"]>().notNull(),
    workflowId: bigint("workflow_id", { mode: "number" }).notNull(),
    config: jsonb("config").$type<JsonObject>().notNull(),
    filter: jsonb("filter").$type<Guard>(),
    input: jsonb("input").$type<JsonObject>(),
    shaping: jsonb("shaping").$type<TriggerShaping>(),
    overlap: text("overlap").$type<Overlap>().notNull().default("allow"),
    overlapCountsPaused: boolean("overlap_counts_paused").notNull().default(true),
    /** SHA-256, hex, of what its address ends with, for kinds that are reached over HTTP. */
    tokenHash: text("token_hash"),
    /** The same to be shown again, sealed; null: it was made before tokens were sealed, and only its holder knows it. */
    tokenSealed: text("token_sealed"),
    runsAs: bigint("runs_as", { mode: "number" }),
    /** The key that saved it; null: a person did. When the key ends, the trigger does. */
    runsWithKey: bigint("runs_with_key", { mode: "number" }),
    /** The program (its OAuth `client_id`) that saved it in the person's name; null: none. When its consent ends, the trigger does. */
    runsWithApp: text("runs_with_app"),
    /** What the principal that saved it might do then: its runs may do that, as far as its owner still may. */
    granted: text("granted").array().notNull().default([]),
    /** What a kind of trigger that looks by the clock remembers. */
    state: jsonb("state").$type<JsonObject>().notNull().default({}),
    /** Why each of its firings is refused; null: nothing is known against it. Looked at when it is saved and when its workflow changes. */
    problem: jsonb("problem").$type<TriggerProblem>(),
    dueAt: timestamp("due_at", { withTimezone: true }),
    /** Until then one process looks. */
    claimedUntil: timestamp("claimed_until", { withTimezone: true }),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [
    index("triggers_due").on(table.dueAt).where(sql`enabled and due_at is not null`),
    uniqueIndex("triggers_token_hash").on(table.tokenHash),
    index("triggers_target").on(table.targetKind, table.workflowId),
    index("triggers_tenant").on(table.tenantId, table.type),
  ],
);
