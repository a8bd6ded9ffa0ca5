import { ColumnNameSchema } from "@oven/contract/table";
import { defineTrigger } from "@oven/module-registry";
import { z } from "zod";

const ChangeSchema = z.enum(["inserted", "updated", "deleted"]);

/** What an event of a row says; `changed` are names of columns. */
const EventSchema = z.looseObject({ table: z.string(), changed: z.array(z.string()) });

export const rowTrigger = defineTrigger({
  id: "table-row",
  title: "Row of a table",
  docs: "Starts when rows of a table are added, changed or deleted. What arrives has the row's {values}, and {before} where it was changed.",
  config: z.strictObject({
    table: z.string().min(1).max(63).describe("Slug of the table"),
    changes: z.array(ChangeSchema).min(1).max(3).default(["inserted"]).describe("What is done to a row"),
    columns: z
      .array(ColumnNameSchema)
      .max(100)
      .default([])
      .describe("Of changed rows: one of these columns has another value; empty: any"),
  }),
  sample: {
    tableId: 1,
    table: "customers",
    rowId: 7,
    version: 2,
    values: { email: "ann@example.com", status: "active" },
    before: { email: "ann@example.com", status: "new" },
    changed: ["status"],
    run: null,
  },
  arriving: ["tableId", "table", "rowId", "version", "values", "before", "changed", "run"],
  events: ({ changes }) => changes.map((change) => `tables.row.${change}`),
  takes({ table, columns }, { name, payload }) {
    const event = EventSchema.safeParse(payload).data;
    if (event?.table !== table) return false;
    return name !== "tables.row.updated" || columns.length === 0 || columns.some((one) => event.changed.includes(one));
  },
});
