import type { JsonObject } from "@oven/contract";
import type { ExecutionKind } from "@oven/contract/run";
import type { ImportReport } from "@oven/contract/workflow";
import { createdAtColumn, idColumn, tenantColumn } from "@oven/db";
import { bigint, json, pgTable, text, uniqueIndex } from "@oven/db/pg-core";

/** What an import made of a document, for as long as its workflow is there. */
export const workflowImports = pgTable(
  "workflow_imports",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    kind: text("kind").$type<ExecutionKind>().notNull(),
    workflowId: bigint("workflow_id", { mode: "number" }).notNull(),
    product: text("product").notNull(),
    productTitle: text("product_title").notNull(),
    report: json("report").$type<ImportReport>().notNull(),
    /** What steps were set to there, by the id of the placeholder that stood for each. */
    originals: json("originals").$type<JsonObject>().notNull(),
    createdAt: createdAtColumn(),
  },
  (table) => [uniqueIndex("workflow_imports_workflow").on(table.kind, table.workflowId)],
);
