import { defineTrigger } from "@oven/module-registry";
import { lookAtRows } from "../rows/look-at-rows.ts";
import { RowsConfigSchema } from "../rows/rows-config.ts";

export const sqlRowTrigger = defineTrigger({
  id: "sql-row",
  title: "Row of a PostgreSQL database",
  docs: "Starts for each row that is new or changed in a table or view of the database that the operator has opened to workflows (OVEN_SQL_URL). What arrives is the row.",
  config: RowsConfigSchema,
  sample: { id: 1, status: "new" },
  clock: {
    isSlow: true,
    first: (_config, after) => after,
    fire: lookAtRows,
  },
});
