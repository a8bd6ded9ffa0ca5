import type { JsonObject } from "@oven/contract";
import type { ToolInfo } from "@oven/contract/ai";
import { columnSchema, type TableFilter, type TableToolAction, valuesSchema } from "@oven/contract/table";
import type { StoredColumn, StoredTable } from "../definitions/stored-column.ts";
import { USE_TOOLS } from "../permissions.ts";

/** First part of the ids of tools. */
export const TOOL_NAMESPACE = "table";

/** A tool as it is called: of one table, with one filter. */
export interface ToolDefinition {
  table: StoredTable;
  name: string;
  description: string;
  /** undefined: a column that it names is gone, and nothing is reached. */
  within: TableFilter | undefined;
  visible: StoredColumn[];
  writable: StoredColumn[];
  actions: TableToolAction[];
  most: number;
  needsApproval: boolean;
}

const VERBS: Record<TableToolAction, string> = {
  find: "Find rows",
  insert: "Add rows",
  update: "Change rows",
  delete: "Delete rows",
};

const OPERATORS =
  'A value, or conditions such as {"gte": 10, "lt": 20}: eq, ne, in, gt, gte, lt, lte, contains, startsWith, exists';

/** One tool for each thing that it may do. */
export function toToolInfos(tool: ToolDefinition): ToolInfo[] {
  return tool.actions.map((action) => ({
    id: `${TOOL_NAMESPACE}.${tool.name}.${action}`,
    title: `${VERBS[action]} of ${tool.table.name}`,
    description: `${VERBS[action]}: ${tool.description.replace(/\.?$/, ".")} ${limitOf(tool, action)}`,
    inputSchema: inputOf(tool, action),
    outputSchema: outputOf(tool, action),
    effect: action === "find" ? "pure" : "idempotent",
    needsApproval: action !== "find" && tool.needsApproval,
    permission: USE_TOOLS,
    source: "tool",
    ...(tool.within === undefined ? { note: "A column of its filter is gone: it reaches no rows" } : {}),
    tags: ["tables"],
  }));
}

function limitOf({ most }: ToolDefinition, action: TableToolAction): string {
  if (action === "find") return `At most ${most} rows are answered.`;
  return action === "insert"
    ? `At most ${most} rows in one call.`
    : `When more than ${most} rows match, the call is refused and changes nothing.`;
}

function inputOf(tool: ToolDefinition, action: TableToolAction): JsonObject {
  const { most, visible } = tool;
  const sorts = ["id", "createdAt", "updatedAt", ...visible.map(({ name }) => name)];
  const of: Record<TableToolAction, JsonObject> = {
    find: {
      where: whereOf(tool),
      sort: { type: "string", enum: sorts, default: "id" },
      order: { type: "string", enum: ["ASC", "DESC"], default: "ASC" },
      limit: { type: "integer", minimum: 1, maximum: most, default: most },
      offset: { type: "integer", minimum: 0, maximum: 1_000_000, default: 0 },
    },
    insert: { rows: { type: "array", minItems: 1, maxItems: most, items: writtenOf(tool, true) } },
    update: { where: whereOf(tool), set: writtenOf(tool, false) },
    delete: { where: whereOf(tool) },
  };
  const required: Record<TableToolAction, string[]> = {
    find: [],
    insert: ["rows"],
    update: ["where", "set"],
    delete: ["where"],
  };
  return { type: "object", properties: of[action], required: required[action], additionalProperties: false };
}

/** Only what the model sees can be asked for: answers to conditions tell of hidden columns otherwise. */
function whereOf({ visible }: ToolDefinition): JsonObject {
  const columns = visible.map(({ name, description }) => [
    name,
    { description: description === undefined ? OPERATORS : `${description}. ${OPERATORS}` },
  ]);
  return {
    type: "object",
    description: "Conditions by column; all must hold",
    properties: { id: { description: "Id of a row" }, ...Object.fromEntries(columns) },
    additionalProperties: false,
  };
}

function writtenOf({ writable }: ToolDefinition, isNew: boolean): JsonObject {
  const needed = writable.filter(({ required, default: fallback }) => isNew && required && fallback === undefined);
  return {
    type: "object",
    properties: Object.fromEntries(
      writable.map((column) => [column.name, nullable(columnSchema(toShown(column)), column.required)]),
    ),
    required: needed.map(({ name }) => name),
    additionalProperties: false,
  };
}

function nullable(schema: JsonObject, required: boolean): JsonObject {
  if (required || typeof schema.type !== "string") return schema;
  const { enum: choices, ...rest } = schema;
  const types = { ...rest, type: [schema.type, "null"] };
  return Array.isArray(choices) ? { ...types, enum: [...choices, null] } : types;
}

function outputOf({ visible }: ToolDefinition, action: TableToolAction): JsonObject {
  const count = { type: "integer" };
  if (action === "delete") return { type: "object", properties: { count }, required: ["count"] };
  const row = {
    type: "object",
    properties: { id: { type: "integer" }, values: valuesSchema(visible.map(toShown)) },
    required: ["id", "values"],
  };
  const rows = { type: "array", items: row };
  const properties: JsonObject = { rows, count };
  if (action === "find") properties.truncated = { type: "boolean" };
  return { type: "object", properties, required: ["rows", "count"] };
}

/** What a schema of a value does not depend on is left out. */
function toShown({ references: _references, ...column }: StoredColumn) {
  return column;
}
