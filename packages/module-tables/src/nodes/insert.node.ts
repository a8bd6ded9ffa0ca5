import { defineNode, done } from "@oven/module-registry";
import { z } from "zod";
import { rowsInput, rowsOutput, tableInput, toOutput, writeOptions } from "./table-input.ts";

export const insertNode = defineNode({
  id: "tables.insert",
  version: 1,
  title: "Insert rows",
  synonyms: ["table", "database", "add", "create", "append"],
  docs: [
    "Adds rows to a table: all, or none where one does not fit.",
    "",
    "A column that is left out gets its default. A repeated call of the same step adds nothing and answers the rows of the first.",
  ].join("\n"),
  category: "data",
  kind: "data",
  effect: "idempotent",
  tags: ["tables"],
  permissions: ["tables.write"],
  literals: ["table"],
  input: z.strictObject({ table: tableInput, rows: rowsInput }),
  output: z.strictObject({ rows: rowsOutput, count: z.int() }),
  async run(context) {
    const { input, principal, services } = context;
    return done(toOutput(await services.tables.rows.insert(principal, input.table, input.rows, writeOptions(context))));
  },
});
