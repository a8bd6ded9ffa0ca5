import type { ExecutionKind } from "@oven/contract/run";
import { createdAtColumn, idColumn, tenantColumn } from "@oven/db";
import { sql } from "@oven/db/drizzle";
import { bigint, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex } from "@oven/db/pg-core";
import type { AnswerFile } from "../messages/answer-files.ts";
import type { GivenBotFile, NamedFile } from "../messages/read-files.ts";
import type { Place } from "../messengers/bot-messenger.ts";

/**
 * `received`: nothing was begun; `running`: its run goes on; `waiting`: people decide a review; `answering`: the answer is posted; then it is
 * `answered`, `refused` (the person got the reason) or `failed` (nothing could be posted).
 */
export type MessageStatus = "received" | "running" | "waiting" | "answering" | "answered" | "refused" | "failed";

/** A message to a bot, and how far its answer has come. */
export const botMessages = pgTable(
  "bot_messages",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    botId: bigint("bot_id", { mode: "number" }).notNull(),
    /** What the messenger calls the message: sent again, it is the same row. */
    messageKey: text("message_key").notNull(),
    thread: text("thread").notNull(),
    place: jsonb("place").$type<Place>().notNull(),
    /** Of the sender, as the messenger has proved it. */
    workspace: text("workspace").notNull(),
    account: text("account").notNull(),
    proof: text("proof").notNull(),
    /** As they call themselves; it decides nothing. */
    accountName: text("account_name").notNull(),
    text: text("text").notNull(),
    /** Files that are still to be fetched. */
    files: jsonb("files").$type<NamedFile[]>().notNull().default([]),
    /** Files that the run gets. */
    given: jsonb("given").$type<GivenBotFile[]>().notNull().default([]),
    /** The linked person whose rights the run has. */
    userId: bigint("user_id", { mode: "number" }),
    status: text("status").$type<MessageStatus>().notNull().default("received"),
    executionKind: text("execution_kind").$type<ExecutionKind>(),
    executionId: bigint("execution_id", { mode: "number" }),
    answer: text("answer"),
    /** Files of the answer, and how far each has come. */
    answerFiles: jsonb("answer_files").$type<AnswerFile[]>().notNull().default([]),
    /** By which what was posted is found again after a crash. */
    marker: text("marker").notNull(),
    /** The part that is being posted: after a crash it may be there or not. */
    posting: text("posting"),
    /** Ids of what was posted, by part. */
    posted: jsonb("posted").$type<Record<string, string>>().notNull().default({}),
    /** Reviews that were shown in the thread. */
    reviews: jsonb("reviews").$type<number[]>().notNull().default([]),
    attempts: integer("attempts").notNull().default(0),
    nextAttemptAt: timestamp("next_attempt_at", { withTimezone: true }).notNull(),
    /** What the last attempt met, or why it was refused. */
    reason: text("reason"),
    endedAt: timestamp("ended_at", { withTimezone: true }),
    createdAt: createdAtColumn(),
  },
  (table) => [
    uniqueIndex("bot_messages_key").on(table.botId, table.messageKey),
    index("bot_messages_thread").on(table.botId, table.thread, table.id),
    index("bot_messages_account").on(table.botId, table.account, table.createdAt),
    index("bot_messages_due").on(table.nextAttemptAt).where(sql`ended_at is null`),
    index("bot_messages_age").on(table.createdAt),
  ],
);
