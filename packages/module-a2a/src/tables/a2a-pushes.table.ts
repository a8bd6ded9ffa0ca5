import { createdAtColumn, idColumn, tenantColumn } from "@oven/db";
import { bigint, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex } from "@oven/db/pg-core";

/** Where a client wants the states of a task to be pushed. */
export const a2aPushes = pgTable(
  "a2a_pushes",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    taskRowId: bigint("task_row_id", { mode: "number" }).notNull(),
    /** The client's name of it. */
    configId: text("config_id").notNull(),
    url: text("url").notNull(),
    /** Token and credentials of the client, sealed. */
    sealed: text("sealed").notNull(),
    /** The revision of the protocol that the client speaks. */
    version: text("version").notNull(),
    /** Whose rights say what is pushed. */
    userId: bigint("user_id", { mode: "number" }),
    source: jsonb("source").$type<{ keyId?: number; app?: string }>().notNull(),
    /** Hash of the state that was pushed last. */
    pushed: text("pushed"),
    failures: integer("failures").notNull().default(0),
    /** Null: the task has ended, and that was pushed, or the receiver is given up. */
    nextLookAt: timestamp("next_look_at", { withTimezone: true }).defaultNow(),
    createdAt: createdAtColumn(),
  },
  (table) => [
    uniqueIndex("a2a_pushes_config").on(table.taskRowId, table.configId),
    index("a2a_pushes_due").on(table.nextLookAt),
  ],
);
