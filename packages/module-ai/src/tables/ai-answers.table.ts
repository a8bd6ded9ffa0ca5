import type { ModelAnswer } from "@oven/contract/ai";
import { createdAtColumn, exactJson, idColumn, tenantColumn } from "@oven/db";
import { index, pgTable, text, timestamp, uniqueIndex, varchar } from "@oven/db/pg-core";

/** Answers that may be given again to the very same request of the tenant. */
export const aiCachedAnswers = pgTable(
  "ai_cached_answers",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    digest: varchar("digest", { length: 64 }).notNull(),
    answer: exactJson("answer").$type<ModelAnswer>().notNull(),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
    createdAt: createdAtColumn(),
  },
  (table) => [
    uniqueIndex("ai_cached_answers_digest").on(table.tenantId, table.digest),
    index("ai_cached_answers_expiry").on(table.expiresAt),
  ],
);

/** Model traffic that was recorded under a name, to be answered again without a model. */
export const aiRecordedAnswers = pgTable(
  "ai_recorded_answers",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    recording: varchar("recording", { length: 200 }).notNull(),
    digest: varchar("digest", { length: 64 }).notNull(),
    /** Tells apart the same request made twice. */
    callKey: text("call_key").notNull(),
    /** Of any kind of call. */
    answer: exactJson("answer").$type<object>().notNull(),
    createdAt: createdAtColumn(),
  },
  (table) => [uniqueIndex("ai_recorded_answers_call").on(table.tenantId, table.recording, table.digest, table.callKey)],
);
