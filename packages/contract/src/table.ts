import { z } from "zod";
import { IdSchema, SlugSchema, UNSAFE_NAMES } from "./ids.ts";
import { type Json, type JsonObject, JsonSchema } from "./json.ts";

/** Columns of one table. */
export const MAX_COLUMNS = 100;
/** Rows that one request or step writes. */
export const MAX_ROWS_WRITTEN = 1_000;
/** Characters of one text value. */
export const MAX_TEXT = 100_000;

/** What every row has beside its columns. */
export const ROW_FIELDS = ["id", "version", "createdAt", "updatedAt"] as const;

/** Orders of rows; the first one is the default. */
export const ROW_ORDERS = ["ASC", "DESC"] as const;

export const ColumnTypeSchema = z.enum([
  "text",
  "number",
  "boolean",
  "date",
  "datetime",
  "choice",
  "json",
  "reference",
]);
export type ColumnType = z.infer<typeof ColumnTypeSchema>;

/** How expressions, the API and imports name a column. */
export const ColumnNameSchema = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,62}$/, "letters, digits and underscores, not beginning with a digit")
  .refine((name) => !(ROW_FIELDS as readonly string[]).includes(name), "every row has a field of this name already")
  .refine((name) => !UNSAFE_NAMES.has(name), "this name is reserved");

const TitleSchema = z.string().trim().min(1).max(200);

/** A column without the key that the server gives it. */
const columnShape = {
  name: ColumnNameSchema,
  title: TitleSchema.optional().describe("What people see; else the name"),
  type: ColumnTypeSchema,
  description: z.string().max(2_000).optional(),
  required: z.boolean().default(false),
  unique: z.boolean().default(false).describe("No two rows have the same value; empty ones do not count"),
  indexed: z.boolean().default(false).describe("Rows are found by a value of it without reading the table"),
  default: JsonSchema.optional().describe("The value of a new row that gives none"),
  choices: z.array(z.string().min(1).max(200)).min(1).max(200).optional().describe("Of the type `choice`"),
  references: SlugSchema.optional().describe("Of the type `reference`: slug of the table whose rows it names"),
};

interface ColumnKinds {
  type: ColumnType;
  choices?: string[] | undefined;
  references?: string | undefined;
  unique: boolean;
  indexed: boolean;
}

function checkColumn({ type, choices, references, unique, indexed }: ColumnKinds, context: z.RefinementCtx): void {
  const refuse = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
  if ((type === "choice") !== (choices !== undefined)) refuse("choices", "belongs to columns of the type `choice`");
  if ((type === "reference") !== (references !== undefined))
    refuse("references", "belongs to columns of the type `reference`");
  if (choices !== undefined && new Set(choices).size < choices.length) refuse("choices", "names one choice twice");
  if (type === "json" && (unique || indexed)) refuse("type", "a column of JSON can be neither unique nor indexed");
}

export const NewTableColumnSchema = z.strictObject(columnShape).superRefine(checkColumn);
export type NewTableColumn = z.infer<typeof NewTableColumnSchema>;

/** A column as the server has it. `key` stays when it is renamed. */
export const TableColumnSchema = z.strictObject({ key: z.string().regex(/^c[1-9]\d{0,8}$/), ...columnShape });
export type TableColumn = z.infer<typeof TableColumnSchema>;

const UniqueSchema = z
  .array(z.array(ColumnNameSchema).min(2).max(8))
  .max(10)
  .describe("Groups of columns whose values together no two rows share");

const editable = {
  name: TitleSchema,
  slug: SlugSchema,
  description: z.string().max(2_000).nullable(),
  unique: UniqueSchema,
};

/** A table, as `GET /api/tables/[id]` answers it. */
export const TableSchema = z.strictObject({
  id: IdSchema,
  ...editable,
  columns: z.array(TableColumnSchema),
  /** Of its columns and settings; rows have versions of their own. */
  version: z.int().positive(),
  rows: z.int().nonnegative(),
  /** Of its rows, as JSON text. */
  bytes: z.int().nonnegative(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Table = z.infer<typeof TableSchema>;

function checkColumns(
  { columns, unique }: { columns: readonly { name: string }[]; unique: readonly (readonly string[])[] },
  context: z.RefinementCtx,
): void {
  const names = new Set<string>();
  for (const [index, { name }] of columns.entries()) {
    if (names.has(name.toLowerCase()))
      context.addIssue({ code: "custom", path: ["columns", index, "name"], message: `two columns are called ${name}` });
    names.add(name.toLowerCase());
  }
  const known = new Set(columns.map(({ name }) => name));
  for (const [index, group] of unique.entries())
    for (const name of group)
      if (!known.has(name))
        context.addIssue({ code: "custom", path: ["unique", index], message: `there is no column ${name}` });
}

/** The body of `POST /api/tables`. */
export const CreateTableSchema = z
  .strictObject({
    name: editable.name,
    slug: editable.slug.optional(),
    description: editable.description.default(null),
    columns: z.array(NewTableColumnSchema).max(MAX_COLUMNS).default([]),
    unique: UniqueSchema.default([]),
  })
  .superRefine(checkColumns);
export type CreateTable = z.infer<typeof CreateTableSchema>;

const ChangedColumnSchema = z
  .strictObject({ key: TableColumnSchema.shape.key.optional().describe("Of a column that is there"), ...columnShape })
  .superRefine(checkColumn);

const changeShape = {
  name: editable.name,
  slug: editable.slug,
  description: editable.description,
  columns: z.array(ChangedColumnSchema).max(MAX_COLUMNS),
  unique: UniqueSchema,
  version: z.int().positive().describe("Of the table that was read"),
};

/** The body of `POST /api/tables/[id]/plan`: the table as it is to be. A column without `key` is new, one that is left out is removed. */
export const PlanTableSchema = z.strictObject(changeShape).superRefine(checkColumns);
export type PlanTable = z.infer<typeof PlanTableSchema>;

/** The body of `PUT /api/tables/[id]`. */
export const UpdateTableSchema = z
  .strictObject({
    ...changeShape,
    acceptLoss: z.boolean().default(false).describe("Values that the plan says are lost may be deleted"),
  })
  .superRefine(checkColumns);
export type UpdateTable = z.infer<typeof UpdateTableSchema>;

/** A row that stands in the way of a change, or loses a value by it. */
const ExampleSchema = z.strictObject({ row: IdSchema, value: JsonSchema, why: z.string() });

/** One step of a change of columns. */
export const TableChangeSchema = z.strictObject({
  change: z.enum(["add", "remove", "rename", "type", "required", "unique", "index"]),
  column: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** Values that are deleted. */
  lost: z.int().nonnegative(),
  /** Rows that refuse it: values are missing or stand twice. */
  refused: z.int().nonnegative(),
  examples: z.array(ExampleSchema),
});
export type TableChange = z.infer<typeof TableChangeSchema>;

/** What a change of columns would do, as `POST /api/tables/[id]/plan` answers it. */
export const TablePlanSchema = z.strictObject({
  changes: z.array(TableChangeSchema),
  lost: z.int().nonnegative(),
  refused: z.int().nonnegative(),
});
export type TablePlan = z.infer<typeof TablePlanSchema>;

/** Values by the names of columns. `null` or left out: empty. */
export const RowValuesSchema: z.ZodType<JsonObject> = z.record(z.string().max(63), JsonSchema);

/** A row, as `GET /api/tables/[id]/rows` lists it. Columns that are empty are `null`. */
export const TableRowSchema = z.strictObject({
  id: IdSchema,
  version: z.int().positive(),
  values: RowValuesSchema,
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type TableRow = z.infer<typeof TableRowSchema>;

const scalar = z.union([z.string().max(MAX_TEXT), z.number(), z.boolean(), z.null()]);
const bound = z.union([z.string().max(1_000), z.number()]);

/** What may be asked of one column. Several operators must all hold. */
export const ColumnFilterSchema = z.union([
  scalar,
  z.strictObject({
    eq: scalar.optional(),
    ne: scalar.optional(),
    in: z.array(scalar).max(1_000).optional(),
    gt: bound.optional(),
    gte: bound.optional(),
    lt: bound.optional(),
    lte: bound.optional(),
    contains: z.string().max(1_000).optional().describe("Of texts, in any case"),
    startsWith: z.string().max(1_000).optional().describe("Of texts, in any case"),
    exists: z.boolean().optional().describe("Whether the column has a value"),
  }),
]);
export type ColumnFilter = z.infer<typeof ColumnFilterSchema>;

/** Conditions on rows by column, `id`, `createdAt` or `updatedAt`; all must hold. */
export const TableFilterSchema = z
  .record(z.string().min(1).max(63), ColumnFilterSchema)
  .refine((filter) => Object.keys(filter).length <= 30, "at most 30 columns");
export type TableFilter = z.infer<typeof TableFilterSchema>;

const rows = z.array(RowValuesSchema).min(1).max(MAX_ROWS_WRITTEN);

/** The body of `POST /api/tables/[id]/rows`. */
export const InsertRowsSchema = z.strictObject({ rows });
export type InsertRows = z.infer<typeof InsertRowsSchema>;

/** One row's change: columns that are not named stay. */
const RowChangeSchema = z.strictObject({
  id: IdSchema,
  version: z.int().positive().describe("Of the row that was read; another one is refused"),
  values: RowValuesSchema,
});

/** The body of `PATCH /api/tables/[id]/rows`: all changes, or none. */
export const ChangeRowsSchema = z.strictObject({ changes: z.array(RowChangeSchema).min(1).max(MAX_ROWS_WRITTEN) });
export type ChangeRows = z.infer<typeof ChangeRowsSchema>;

/** The body of `PATCH /api/tables/[id]/rows/[row]`. The version stands here or in `If-Match`. */
export const ChangeRowSchema = z.strictObject({ version: z.int().positive().optional(), values: RowValuesSchema });

/** The body of `POST /api/tables/[id]/rows/delete`: all rows, or none. */
export const DeleteRowsSchema = z.strictObject({
  rows: z
    .array(z.strictObject({ id: IdSchema, version: z.int().positive() }))
    .min(1)
    .max(MAX_ROWS_WRITTEN),
});
export type DeleteRows = z.infer<typeof DeleteRowsSchema>;

/** Rows as they are after a write. */
export const WrittenRowsSchema = z.strictObject({ rows: z.array(TableRowSchema), count: z.int().nonnegative() });
export type WrittenRows = z.infer<typeof WrittenRowsSchema>;

/** The body of `POST /api/tables/[id]/import`. */
export const ImportTableSchema = z.strictObject({
  data: z.base64().describe("The file: CSV with a line of headings"),
  charset: z.string().min(1).max(40).optional().describe("Of the file; else by its byte order mark, else UTF-8"),
  delimiter: z.enum([",", ";", "\t", "|"]).optional().describe("Between values; else as the file looks"),
  columns: z
    .record(z.string().max(1_000), ColumnNameSchema.nullable())
    .default({})
    .describe("Column by heading, null: none. Else the column of that name or title"),
  on: z
    .array(ColumnNameSchema)
    .min(1)
    .max(8)
    .nullable()
    .default(null)
    .describe("Unique columns: rows that have the same values there are changed instead of added"),
  dryRun: z.boolean().default(true).describe("Says what would become of it, and writes nothing"),
  skipRefused: z.boolean().default(false).describe("Lines that do not fit are left out; else none is taken in"),
});
export type ImportTable = z.infer<typeof ImportTableSchema>;

/** What became of an import of a CSV file, or would become of it. */
export const TableImportSchema = z.strictObject({
  dryRun: z.boolean(),
  charset: z.string(),
  delimiter: z.string(),
  /** Headings of the file, and the column that each goes into; null: none. */
  headings: z.array(z.strictObject({ heading: z.string(), column: z.string().nullable() })),
  /** Lines below the headings. */
  lines: z.int().nonnegative(),
  inserted: z.int().nonnegative(),
  updated: z.int().nonnegative(),
  /** The first hundred lines that cannot be taken in. */
  problems: z.array(
    z.strictObject({ line: z.int().positive(), column: z.string().nullable(), value: JsonSchema, message: z.string() }),
  ),
  /** How many such lines there are. */
  refused: z.int().nonnegative(),
});
export type TableImport = z.infer<typeof TableImportSchema>;

/** What a tool of a table can do. */
export const TableToolActionSchema = z.enum(["find", "insert", "update", "delete"]);
export type TableToolAction = z.infer<typeof TableToolActionSchema>;

const toolShape = {
  /** Second part of the ids of its tools: `table.<name>.find`. */
  name: SlugSchema,
  table: SlugSchema,
  description: z.string().trim().min(1).max(2_000).describe("For the model: what is in the table, and when to use it"),
  enabled: z.boolean(),
  actions: z.array(TableToolActionSchema).min(1).max(4),
  where: TableFilterSchema.describe("Rows that it reaches; no call reaches others"),
  visible: z.array(ColumnNameSchema).max(MAX_COLUMNS).nullable().describe("null: all columns"),
  writable: z.array(ColumnNameSchema).max(MAX_COLUMNS).nullable().describe("null: all visible columns"),
  most: z.int().min(1).max(MAX_ROWS_WRITTEN).describe("Rows that one call finds or writes at most"),
  needsApproval: z.boolean().describe("A person approves each call that writes"),
};

/** Tools of a table for agents, as `GET /api/table-tools` lists them. */
export const TableToolSchema = z.strictObject({
  id: IdSchema,
  ...toolShape,
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type TableTool = z.infer<typeof TableToolSchema>;

/** The body of `POST /api/table-tools`. */
export const CreateTableToolSchema = z.strictObject({
  ...toolShape,
  enabled: toolShape.enabled.default(true),
  where: toolShape.where.default({}),
  visible: toolShape.visible.default(null),
  writable: toolShape.writable.default(null),
  most: toolShape.most.default(20),
  needsApproval: toolShape.needsApproval.default(true),
});
export type CreateTableTool = z.infer<typeof CreateTableToolSchema>;

/** The body of `PUT /api/table-tools/[id]`. */
export const UpdateTableToolSchema = z.strictObject(toolShape).partial().extend({
  // What else a row holds may be sent back and is ignored.
  id: z.unknown().optional(),
  createdAt: z.unknown().optional(),
  updatedAt: z.unknown().optional(),
});
export type UpdateTableTool = z.infer<typeof UpdateTableToolSchema>;

/** JSON Schema of a value of a column. */
export function columnSchema({ type, choices, title, name, description }: TableColumn): JsonObject {
  const words = { title: title ?? name, ...(description === undefined ? {} : { description }) };
  const of: Record<ColumnType, JsonObject> = {
    text: { type: "string" },
    number: { type: "number" },
    boolean: { type: "boolean" },
    date: { type: "string", format: "date" },
    datetime: { type: "string", format: "date-time" },
    choice: { type: "string", enum: choices ?? [] },
    json: {},
    reference: { type: "integer", minimum: 1 },
  };
  return { ...of[type], ...words };
}

/** JSON Schema of the values of a row, as it is read. */
export function valuesSchema(columns: readonly TableColumn[]): JsonObject {
  const properties = columns.map((column): [string, Json] => {
    const schema = columnSchema(column);
    if (column.required || schema.type === undefined) return [column.name, schema];
    const { enum: choices, ...rest } = schema;
    const nullable = { ...rest, type: [schema.type, "null"] };
    return [column.name, Array.isArray(choices) ? { ...nullable, enum: [...choices, null] } : nullable];
  });
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required: columns.map(({ name }) => name),
    additionalProperties: false,
  };
}

/** JSON Schema of a row, as it is read. */
export function rowSchema(columns: readonly TableColumn[]): JsonObject {
  return {
    type: "object",
    properties: {
      id: { type: "integer" },
      version: { type: "integer" },
      values: valuesSchema(columns),
      createdAt: { type: "string", format: "date-time" },
      updatedAt: { type: "string", format: "date-time" },
    },
    required: ["id", "version", "values", "createdAt", "updatedAt"],
  };
}
