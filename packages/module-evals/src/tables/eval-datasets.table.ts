import type { EvalTargetKind } from "@oven/contract/eval";
import { createdAtColumn, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { bigint, boolean, integer, pgTable, text, uniqueIndex } from "@oven/db/pg-core";

export const evalDatasets = pgTable(
  "eval_datasets",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    slug: text("slug").notNull(),
    name: text("name").notNull(),
    description: text("description"),
    targetKind: text("target_kind").$type<EvalTargetKind>().notNull(),
    targetId: bigint("target_id", { mode: "number" }).notNull(),
    allowEffects: boolean("allow_effects").notNull().default(false),
    timeoutMs: integer("timeout_ms").notNull().default(600_000),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [uniqueIndex("eval_datasets_slug").on(table.tenantId, table.slug)],
);
