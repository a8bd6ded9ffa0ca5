import type { JsonObject } from "@oven/contract";
import { createdAtColumn, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { sql } from "@oven/db/drizzle";
import {
  bigint,
  boolean,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  real,
  smallint,
  text,
  uniqueIndex,
} from "@oven/db/pg-core";
import { aiDocuments } from "./ai-documents.table.ts";
import { aiVectorStores } from "./ai-vector-stores.table.ts";

const tsvector = customType<{ data: string }>({ dataType: () => "tsvector" });

/** Texts of vector stores with their vectors; those of a document are its chunks. */
export const aiVectorItems = pgTable(
  "ai_vector_items",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    vectorStoreId: bigint("vector_store_id", { mode: "number" })
      .notNull()
      .references(() => aiVectorStores.id, { onDelete: "cascade" }),
    key: text("key").notNull(),
    content: text("content").notNull(),
    metadata: jsonb("metadata").$type<JsonObject>().notNull().default({}),
    /** `real[]`, which every PostgreSQL has; the vector extension casts it where it exists. Of length 1 for the metric cosine. */
    embedding: real("embedding").array().notNull(),
    search: tsvector("search").notNull(),
    /** How the text was prepared for `search`; of a lower version it is prepared anew. */
    searchVersion: smallint("search_version").notNull().default(0),
    documentId: bigint("document_id", { mode: "number" }).references(() => aiDocuments.id, { onDelete: "cascade" }),
    chunk: integer("chunk"),
    startOffset: integer("start_offset"),
    endOffset: integer("end_offset"),
    headings: jsonb("headings").$type<string[]>(),
    /** Of a document that is being taken in: not found yet. */
    pending: boolean("pending").notNull().default(false),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [
    uniqueIndex("ai_vector_items_store_key").on(table.vectorStoreId, table.key),
    index("ai_vector_items_document").on(table.documentId),
    index("ai_vector_items_search").using("gin", table.search),
    // Empty once all texts are prepared as SEARCH_VERSION says.
    index("ai_vector_items_search_old").on(table.id).where(sql`${table.searchVersion} < 1`),
    index("ai_vector_items_metadata").using("gin", sql`${table.metadata} jsonb_path_ops`),
  ],
);
