import { type Json, JsonSchema } from "@oven/contract";
import { MAX_ROWS_WRITTEN, RowValuesSchema, TableFilterSchema, TableRowSchema } from "@oven/contract/table";
import type { NodeContext } from "@oven/module-registry";
import { z } from "zod";
import type { WriteOptions } from "../rows/row-service.ts";

/** The table of a step is written out: it is known before a run what a version reads and writes. */
export const tableInput = z.string().min(1).max(63).describe("Slug of the table");

export const whereInput = TableFilterSchema.describe(
  'Conditions by column, such as {"status": "open", "total": {"gte": 100}}; all must hold. `id`, `createdAt` and `updatedAt` are columns, too',
);

export const rowsInput = z
  .array(RowValuesSchema)
  .min(1)
  .max(MAX_ROWS_WRITTEN)
  .describe('Values by column, such as [{"email": "$.email"}]');

export const mostInput = z
  .int()
  .min(1)
  .max(MAX_ROWS_WRITTEN)
  .default(1)
  .describe("When more rows match, the step fails and changes none");

/** Rows whose type is known from the columns of the table. */
export const rowsOutput = z.array(TableRowSchema.extend({ values: z.record(z.string(), JsonSchema) })).meta({
  "x-type-from": { called: "table" },
});

/** How a step writes: a repeated call writes nothing. */
export function writeOptions({ node, idempotencyKey }: NodeContext): WriteOptions {
  return { key: idempotencyKey(), run: { kind: node.kind, id: node.executionId } };
}

/** What the services answer, as a node hands it on. */
export function toOutput(answer: object): { [key: string]: Json } {
  return JSON.parse(JSON.stringify(answer)) as { [key: string]: Json }; // cast: an object of JSON values
}
