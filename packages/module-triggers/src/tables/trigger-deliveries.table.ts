import type { DeliveryDecision, TriggerTarget } from "@oven/contract/trigger";
import { exactJson, idColumn, tenantColumn } from "@oven/db";
import { sql } from "@oven/db/drizzle";
import { bigint, boolean, index, integer, pgTable, text, timestamp, uniqueIndex } from "@oven/db/pg-core";
import { triggers } from "./triggers.table.ts";

/** What arrived, what was decided, and the run that came of it. */
export const triggerDeliveries = pgTable(
  "trigger_deliveries",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    triggerId: bigint("trigger_id", { mode: "number" })
      .notNull()
      .references(() => triggers.id, { onDelete: "cascade" }),
    key: text("key").notNull(),
    /** SHA-256 of what was posted: the same key with another body is refused. */
    bodyHash: text("body_hash"),
    event: text("event"),
    payload: exactJson("payload").notNull(),
    decision: text("decision").$type<DeliveryDecision>().notNull().default("received"),
    reason: text("reason"),
    executionKind: text("execution_kind").$type<TriggerTarget["kind"]>(),
    executionId: bigint("execution_id", { mode: "number" }),
    replayOf: bigint("replay_of", { mode: "number" }),
    /** The user who fired the trigger; null: it came from outside or from the clock. */
    firedBy: bigint("fired_by", { mode: "number" }),
    /** How many triggers stand between this and something that came from outside. */
    depth: integer("depth").notNull().default(0),
    /** The payload is `{events}`: those of deliveries that were merged into this one. */
    isBatch: boolean("is_batch").notNull().default(false),
    /** When the trigger's shaping let it through; null: it did not yet, or there is none. */
    shapedAt: timestamp("shaped_at", { withTimezone: true }),
    /** Its place where runs must not overlap, of the same numbers as ids; null: its id is. */
    queuePosition: bigint("queue_position", { mode: "number" }),
    /** What its shaping counts it by; null: it was not counted. */
    dedupeKey: text("dedupe_key"),
    rateKey: text("rate_key"),
    /** The instant within its rate that is its own; it may lie ahead. */
    rateAt: timestamp("rate_at", { withTimezone: true }),
    /** What holds it. */
    holdKind: text("hold_kind").$type<"debounce" | "batch" | "rate">(),
    heldKey: text("held_key"),
    heldUntil: timestamp("held_until", { withTimezone: true }),
    /** When the first one of those that are held together arrived. */
    heldSince: timestamp("held_since", { withTimezone: true }),
    heldBytes: integer("held_bytes").notNull().default(0),
    /** The first of those that belong to one run. */
    groupId: bigint("group_id", { mode: "number" }),
    mergedInto: bigint("merged_into", { mode: "number" }),
    attempts: integer("attempts").notNull().default(0),
    /** Not to be worked on before; pushed on by whoever works on it. */
    nextAttemptAt: timestamp("next_attempt_at", { withTimezone: true }).notNull().default(sql`now()`),
    receivedAt: timestamp("received_at", { withTimezone: true }).notNull().default(sql`now()`),
    decidedAt: timestamp("decided_at", { withTimezone: true }),
    /** When its run was seen to have ended. */
    runEndedAt: timestamp("run_ended_at", { withTimezone: true }),
  },
  (table) => [
    uniqueIndex("trigger_deliveries_key").on(table.triggerId, table.key),
    index("trigger_deliveries_open").on(table.nextAttemptAt).where(sql`decision in ('received', 'queued', 'held')`),
    index("trigger_deliveries_held")
      .on(table.triggerId, table.holdKind, table.heldKey, table.id)
      .where(sql`decision = 'held'`),
    index("trigger_deliveries_dedupe")
      .on(table.triggerId, table.dedupeKey, table.receivedAt)
      .where(sql`dedupe_key is not null`),
    index("trigger_deliveries_rate").on(table.triggerId, table.rateKey, table.rateAt).where(sql`rate_key is not null`),
    index("trigger_deliveries_group").on(table.groupId).where(sql`group_id is not null`),
    index("trigger_deliveries_merged").on(table.mergedInto).where(sql`merged_into is not null`),
    index("trigger_deliveries_live").on(table.triggerId).where(sql`decision = 'started' and run_ended_at is null`),
    index("trigger_deliveries_execution").on(table.executionKind, table.executionId),
    index("trigger_deliveries_tenant").on(table.tenantId, table.id),
  ],
);
