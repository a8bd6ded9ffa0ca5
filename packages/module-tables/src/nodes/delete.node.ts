import { defineNode, done } from "@oven/module-registry";
import { z } from "zod";
import { mostInput, tableInput, toOutput, whereInput, writeOptions } from "./table-input.ts";

export const deleteNode = defineNode({
  id: "tables.delete",
  version: 1,
  title: "Delete rows",
  synonyms: ["table", "database", "remove"],
  docs: [
    "Deletes all rows that fulfil conditions.",
    "",
    "When more than `most` rows match, the step fails with TOO_MANY_ROWS and deletes none. A row that another one refers to is not deleted (ROW_REFERENCED).",
  ].join("\n"),
  category: "data",
  kind: "data",
  effect: "idempotent",
  tags: ["tables"],
  permissions: ["tables.write"],
  literals: ["table"],
  firstFields: ["table", "where", "most"],
  input: z.strictObject({ table: tableInput, where: whereInput, most: mostInput }),
  output: z.strictObject({ count: z.int() }),
  outcomes: [
    { id: "deleted", title: "Deleted", guard: { key: "output.count", operator: ">", value: 0 } },
    { id: "none", title: "No rows" },
  ],
  async run(context) {
    const { input, principal, services } = context;
    const { table, where, most } = input;
    return done(
      toOutput(await services.tables.rows.deleteWhere(principal, table, { where, most }, writeOptions(context))),
    );
  },
});
