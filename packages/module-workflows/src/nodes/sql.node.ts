import { JsonSchema } from "@oven/contract";
import { defineNode, done } from "@oven/module-registry";
import { z } from "zod";

export const sqlNode = {
  ...defineNode({
    id: "core.sql",
    version: 1,
    title: "SQL query",
    synonyms: ["database", "postgres", "query", "db"],
    docs: [
      "Reads rows from the PostgreSQL database that the operator has opened to workflows (`OVEN_SQL_URL`). It is a database of its own with a login that may only read; OVEN's own tables are not in it.",
      "",
      "One statement that reads: `select`, `with … select`, `values` or `table`. Values of the run are bound as `params` (`$1`, `$2`, …); `query` itself must be written out, without paths or templates, so that data can never become SQL.",
      "Integers, floats, booleans, JSON and instants come as such, everything else as text (`numeric` too, and numbers past 2⁵³, also in JSON: it has more digits than a number; cast it to `float8` for a number, and lists with `to_json(…)`). Two columns of one name are refused: name them with `as`. At most `maxRows` rows, 2 MiB and `timeoutMs`.",
    ].join("\n"),
    category: "core",
    kind: "data",
    effect: "pure",
    input: z.strictObject({
      query: z.string().trim().min(1).max(20_000).describe("One statement, such as select * from orders where id = $1"),
      params: z
        .array(JsonSchema)
        .max(1_000)
        .default([])
        .describe("Values of $1, $2, …; objects and lists are bound as JSON"),
      maxRows: z.int().positive().max(1_000).default(100),
      timeoutMs: z.int().positive().max(30_000).default(5_000),
    }),
    output: z.strictObject({
      rows: z.array(z.record(z.string(), JsonSchema)),
      rowCount: z.int(),
      truncated: z.boolean().describe("There were more rows than maxRows"),
    }),
    outcomes: [
      { id: "rows", title: "Rows", guard: { key: "output.rowCount", operator: ">", value: 0 } },
      { id: "none", title: "No rows" },
    ],
    async run({ input, principal, signal, services }) {
      const { rows, truncated } = await services.sql.query({ tenantId: principal.tenantId, signal, ...input });
      return done({ rows, rowCount: rows.length, truncated });
    },
  }),
  literals: ["query"],
};
