import { ColumnNameSchema } from "@oven/contract/table";
import { defineNode, done } from "@oven/module-registry";
import { z } from "zod";
import { rowsInput, rowsOutput, tableInput, toOutput, writeOptions } from "./table-input.ts";

export const upsertNode = defineNode({
  id: "tables.upsert",
  version: 1,
  title: "Insert or update rows",
  synonyms: ["table", "database", "upsert", "merge", "save"],
  docs: [
    "Changes the rows that have the same values in unique columns, and inserts the others: all, or none.",
    "",
    "`on` names one unique column, or all columns of a unique group. Columns that a row does not name stay as they are, or get their defaults where it is new.",
  ].join("\n"),
  category: "data",
  kind: "data",
  effect: "idempotent",
  tags: ["tables"],
  permissions: ["tables.write"],
  literals: ["table", "on"],
  input: z.strictObject({
    table: tableInput,
    on: z.array(ColumnNameSchema).min(1).max(8).describe("Unique columns by which a row is found"),
    rows: rowsInput,
  }),
  output: z.strictObject({ rows: rowsOutput, count: z.int(), inserted: z.int(), updated: z.int() }),
  async run(context) {
    const { input, principal, services } = context;
    const { table, on, rows } = input;
    return done(toOutput(await services.tables.rows.upsert(principal, table, { on, rows }, writeOptions(context))));
  },
});
