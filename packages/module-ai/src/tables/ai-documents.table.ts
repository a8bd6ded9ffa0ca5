import type { JsonObject } from "@oven/contract";
import type { KnowledgeDocument } from "@oven/contract/ai";
import { createdAtColumn, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { sql } from "@oven/db/drizzle";
import {
  bigint,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from "@oven/db/pg-core";
import { aiVectorStores } from "./ai-vector-stores.table.ts";

const bytea = customType<{ data: Uint8Array }>({ dataType: () => "bytea" });

/** Documents of vector stores; the row is also the job that takes one in. */
export const aiDocuments = pgTable(
  "ai_documents",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    vectorStoreId: bigint("vector_store_id", { mode: "number" })
      .notNull()
      .references(() => aiVectorStores.id, { onDelete: "cascade" }),
    key: text("key").notNull(),
    title: text("title").notNull(),
    mediaType: text("media_type").$type<KnowledgeDocument["mediaType"]>().notNull(),
    bytes: integer("bytes").notNull(),
    contentHash: text("content_hash").notNull(),
    metadata: jsonb("metadata").$type<JsonObject>().notNull().default({}),
    status: text("status").$type<KnowledgeDocument["status"]>().notNull(),
    done: integer("done").notNull().default(0),
    total: integer("total").notNull().default(0),
    error: jsonb("error").$type<KnowledgeDocument["error"]>(),
    warnings: jsonb("warnings").$type<KnowledgeDocument["warnings"]>().notNull().default([]),
    /** What its text was declared to be in. */
    charset: text("charset"),
    /** Null: pages without text are left as they are. */
    recognition: jsonb("recognition").$type<KnowledgeDocument["recognition"]>(),
    chunks: integer("chunks").notNull().default(0),
    attempts: integer("attempts").notNull().default(0),
    /** Who takes it in now; another process may once the lease has ended. */
    leaseToken: text("lease_token"),
    leaseUntil: timestamp("lease_until", { withTimezone: true }),
    /** Not before: the wait after a failed attempt. */
    dueAt: timestamp("due_at", { withTimezone: true }).notNull().default(sql`now()`),
    /** Who added it: what its embeddings cost is recorded as theirs. */
    userId: bigint("user_id", { mode: "number" }),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [
    uniqueIndex("ai_documents_store_key").on(table.vectorStoreId, table.key),
    index("ai_documents_open").on(table.dueAt).where(sql`${table.status} in ('queued', 'running')`),
  ],
);

/** What a document says: the file until its text is known, then the text that citations count in. */
export const aiDocumentContents = pgTable("ai_document_contents", {
  documentId: bigint("document_id", { mode: "number" })
    .primaryKey()
    .references(() => aiDocuments.id, { onDelete: "cascade" }),
  tenantId: tenantColumn(),
  data: bytea("data"),
  text: text("text"),
});

/** What text recognition made of a page: another attempt goes on behind it. */
export const aiDocumentPages = pgTable(
  "ai_document_pages",
  {
    documentId: bigint("document_id", { mode: "number" })
      .notNull()
      .references(() => aiDocuments.id, { onDelete: "cascade" }),
    /** Counted from 1. */
    page: integer("page").notNull(),
    tenantId: tenantColumn(),
    text: text("text").notNull(),
    /** Mean of the words, 0 to 100. */
    confidence: integer("confidence").notNull(),
  },
  (table) => [primaryKey({ columns: [table.documentId, table.page] })],
);
