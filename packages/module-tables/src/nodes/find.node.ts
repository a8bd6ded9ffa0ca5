import { MAX_ROWS_WRITTEN, ROW_ORDERS } from "@oven/contract/table";
import { defineNode, done } from "@oven/module-registry";
import { z } from "zod";
import { rowsOutput, tableInput, toOutput, whereInput } from "./table-input.ts";

export const findNode = defineNode({
  id: "tables.find",
  version: 1,
  title: "Find rows",
  synonyms: ["table", "database", "lookup", "query", "select"],
  docs: [
    "Answers rows of a table that fulfil conditions, at most `limit`; `truncated` says that there are more.",
    "",
    "A condition on a unique or indexed column or a reference finds rows without reading the table. `first` is the first row, or null.",
  ].join("\n"),
  category: "data",
  kind: "data",
  effect: "pure",
  tags: ["tables"],
  permissions: ["tables.read"],
  literals: ["table"],
  firstFields: ["table", "where", "sort", "order", "limit"],
  input: z.strictObject({
    table: tableInput,
    where: whereInput.default({}),
    sort: z.string().min(1).max(63).default("id").describe("Column to sort by"),
    order: z.enum(ROW_ORDERS).default(ROW_ORDERS[0]),
    limit: z.int().min(1).max(MAX_ROWS_WRITTEN).default(100),
    offset: z.int().min(0).max(10_000_000).default(0),
  }),
  output: z.strictObject({ rows: rowsOutput, count: z.int(), truncated: z.boolean() }),
  outcomes: [
    { id: "rows", title: "Rows", guard: { key: "output.count", operator: ">", value: 0 } },
    { id: "none", title: "No rows" },
  ],
  async run({ input, principal, services }) {
    const { table, where, sort, order, limit, offset } = input;
    const query = { where, sort: { field: sort, order }, limit: limit + 1, offset };
    const found = await services.tables.rows.find(principal, table, query);
    const rows = found.slice(0, limit);
    return done(toOutput({ rows, count: rows.length, truncated: found.length > limit }));
  },
});
