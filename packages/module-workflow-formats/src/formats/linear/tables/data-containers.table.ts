import { createdAtColumn, exactJson, idColumn, tenantColumn } from "@oven/db";
import { sql } from "@oven/db/drizzle";
import { bigint, index, integer, pgTable, text, uniqueIndex, uuid } from "@oven/db/pg-core";

/** Kinds of data that steps hand on. */
export const dataContainers = pgTable(
  "data_containers",
  {
    uuid: uuid("uuid").primaryKey().defaultRandom(),
    tenantId: tenantColumn(),
    userId: integer("user_id").notNull(),
    name: text("name").notNull(),
    createdAt: createdAtColumn(),
  },
  (table) => [uniqueIndex("data_containers_name").on(table.tenantId, table.userId, table.name)],
);

/** The values they had in runs; the newest of a run counts. */
export const dataContainerInstances = pgTable(
  "data_container_instances",
  {
    /** The order in which they were made. */
    id: idColumn(),
    uuid: uuid("uuid").notNull().defaultRandom().unique(),
    tenantId: tenantColumn(),
    userId: integer("user_id").notNull(),
    executionId: bigint("execution_id", { mode: "number" }).notNull(),
    containerUuid: uuid("datacontainer_uuid").notNull(),
    stepInstanceUuid: uuid("step_instance_uuid"),
    rawData: exactJson("raw_data").notNull(),
    summary: text("generated_summary"),
    markdown: text("markdown_representation"),
    /** The conversation that made it. */
    messages: exactJson("messages"),
    /** The node that made it, as `node:visit`, so that it is made once; null: made by a client. */
    madeBy: text("made_by"),
    createdAt: createdAtColumn(),
  },
  (table) => [
    uniqueIndex("data_container_instances_made_by")
      .on(table.executionId, table.madeBy)
      .where(sql`${table.madeBy} is not null`),
    index("data_container_instances_newest").on(table.executionId, table.containerUuid, table.id),
  ],
);
