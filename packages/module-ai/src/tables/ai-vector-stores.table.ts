import type { VectorMetric, VectorStore } from "@oven/contract/ai";
import { createdAtColumn, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { integer, pgTable, text, uniqueIndex } from "@oven/db/pg-core";

/** Collections of texts that are found by meaning and by words. */
export const aiVectorStores = pgTable(
  "ai_vector_stores",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    slug: text("slug").notNull(),
    name: text("name").notNull(),
    description: text("description"),
    /** `providerId:modelId`, never an alias: what an alias stands for may change, the vectors would not. */
    embeddingModel: text("embedding_model").notNull(),
    dimensions: integer("dimensions").notNull(),
    metric: text("metric").$type<VectorMetric>().notNull(),
    language: text("language").$type<VectorStore["language"]>().notNull(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [uniqueIndex("ai_vector_stores_tenant_slug").on(table.tenantId, table.slug)],
);
