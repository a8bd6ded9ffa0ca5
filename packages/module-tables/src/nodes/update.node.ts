import { RowValuesSchema } from "@oven/contract/table";
import { defineNode, done } from "@oven/module-registry";
import { z } from "zod";
import { mostInput, rowsOutput, tableInput, toOutput, whereInput, writeOptions } from "./table-input.ts";

export const updateNode = defineNode({
  id: "tables.update",
  version: 1,
  title: "Update rows",
  synonyms: ["table", "database", "change", "set"],
  docs: [
    "Sets values of all rows that fulfil conditions. Columns that `set` does not name stay.",
    "",
    "When more than `most` rows match, the step fails with TOO_MANY_ROWS and changes none. A repeated call of the same step changes nothing.",
  ].join("\n"),
  category: "data",
  kind: "data",
  effect: "idempotent",
  tags: ["tables"],
  permissions: ["tables.write"],
  literals: ["table"],
  firstFields: ["table", "where", "set", "most"],
  input: z.strictObject({
    table: tableInput,
    where: whereInput,
    set: RowValuesSchema.meta({ description: 'New values by column, such as {"status": "done"}' }),
    most: mostInput,
  }),
  output: z.strictObject({ rows: rowsOutput, count: z.int() }),
  outcomes: [
    { id: "updated", title: "Updated", guard: { key: "output.count", operator: ">", value: 0 } },
    { id: "none", title: "No rows" },
  ],
  async run(context) {
    const { input, principal, services } = context;
    const { table, where, set, most } = input;
    const changes = { where, set, most };
    return done(toOutput(await services.tables.rows.updateWhere(principal, table, changes, writeOptions(context))));
  },
});
