import { z } from "zod";

const NAME = "[A-Za-z_][A-Za-z0-9_$]{0,62}";
const ColumnSchema = z.string().regex(new RegExp(`^${NAME}$`), "a column such as updated_at");

export const RowsConfigSchema = z.strictObject({
  table: z
    .string()
    .regex(new RegExp(`^${NAME}(?:\\.${NAME})?$`), "a table or view such as shop.orders")
    .describe("Table or view of the database that core.sql reads, written as it is there: shop.orders"),
  cursor: ColumnSchema.describe(
    "A column whose value grows with each new or changed row: id, updated_at. It needs an index",
  ),
  key: ColumnSchema.optional().describe(
    "A column that tells rows apart which have the same value there; not needed when no two have",
  ),
  existing: z.enum(["skip", "take"]).default("skip").describe("Rows that were there when the trigger was saved"),
  maxRows: z
    .int()
    .min(1)
    .max(500)
    .default(100)
    .describe("At most so many in one look; the others come at the next one"),
  everySeconds: z.int().min(10).max(86_400).default(60),
});
export type RowsConfig = z.output<typeof RowsConfigSchema>;
