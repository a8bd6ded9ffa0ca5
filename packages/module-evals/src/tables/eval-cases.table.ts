import type { JsonObject } from "@oven/contract";
import type { Expectation, ScriptedDecision } from "@oven/contract/eval";
import { createdAtColumn, exactJson, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { bigint, boolean, integer, pgTable, text, uniqueIndex } from "@oven/db/pg-core";
import { evalDatasets } from "./eval-datasets.table.ts";

/** What a case is made of; a run keeps it as it was when the run began. */
export const caseColumns = () => ({
  input: exactJson("input").$type<JsonObject>().notNull(),
  expectations: exactJson("expectations").$type<Expectation[]>().notNull(),
  decisions: exactJson("decisions").$type<ScriptedDecision[]>().notNull(),
  pins: exactJson("pins").$type<JsonObject>(),
  tags: text("tags").array().notNull(),
  position: integer("position").notNull(),
});

export const evalCases = pgTable(
  "eval_cases",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    datasetId: bigint("dataset_id", { mode: "number" })
      .notNull()
      .references(() => evalDatasets.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    ...caseColumns(),
    enabled: boolean("enabled").notNull().default(true),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [uniqueIndex("eval_cases_name").on(table.datasetId, table.name)],
);
