import { createdAtColumn, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { bigint, integer, pgTable, text, uniqueIndex, varchar } from "@oven/db/pg-core";

const micros = (name: string) => bigint(name, { mode: "number" }).notNull().default(0);

/** What models cost. Shared rows are list prices of vendors; a tenant's own come first. */
export const aiPrices = pgTable(
  "ai_prices",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    providerId: varchar("provider_id", { length: 64 }).notNull(),
    modelId: text("model_id").notNull(),
    /** 10⁻⁶ USD per million tokens. */
    inputMicros: micros("input_micros"),
    cachedInputMicros: micros("cached_input_micros"),
    outputMicros: micros("output_micros"),
    /** 10⁻⁶ USD per image. */
    imageMicros: micros("image_micros"),
    /** 10⁻⁶ USD per second of video. */
    videoSecondMicros: micros("video_second_micros"),
    maxOutputTokens: integer("max_output_tokens"),
    contextTokens: integer("context_tokens"),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [uniqueIndex("ai_prices_tenant_model").on(table.tenantId, table.providerId, table.modelId)],
);
