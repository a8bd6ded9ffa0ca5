import type { EmbedSettings } from "@oven/contract/embed";
import { createdAtColumn, exactJson, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { bigint, boolean, index, integer, pgTable, text, uniqueIndex } from "@oven/db/pg-core";

/** Agents and workflows that pages of other sites show. */
export const embeds = pgTable(
  "embeds",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    publicId: text("public_id").notNull(),
    name: text("name").notNull(),
    enabled: boolean("enabled").notNull(),
    /** All of it, as it was saved. */
    settings: exactJson("settings").$type<EmbedSettings>().notNull(),
    /** Raised when sessions must end: their tokens carry it. */
    epoch: integer("epoch").notNull().default(0),
    /** Whose permissions its runs have, as for triggers. */
    runsAs: bigint("runs_as", { mode: "number" }).notNull(),
    runsWithKey: bigint("runs_with_key", { mode: "number" }),
    runsWithApp: text("runs_with_app"),
    granted: text("granted").array().notNull(),
    lastError: text("last_error"),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [uniqueIndex("embeds_public_id").on(table.publicId), index("embeds_tenant").on(table.tenantId, table.id)],
);
