import { type Json, type JsonObject, OvenError, type Principal } from "@oven/contract";
import { ROW_ORDERS, RowValuesSchema, type TableFilter, TableFilterSchema, type TableRow } from "@oven/contract/table";
import type { Database } from "@oven/db";
import { and, eq } from "@oven/db/drizzle";
import type { ToolCallOptions } from "@oven/module-agent-core";
import { fromZod } from "@oven/module-registry";
import { z } from "zod";
import type { RowService, WriteOptions } from "../rows/row-service.ts";
import { userTables, userTableTools } from "../schema.ts";
import { toDefinition } from "./tool-catalogue.ts";
import type { ToolDefinition } from "./tool-shape.ts";

const FindSchema = z.strictObject({
  where: TableFilterSchema.default({}),
  sort: z.string().default("id"),
  order: z.enum(ROW_ORDERS).default(ROW_ORDERS[0]),
  limit: z.int().min(1).optional(),
  offset: z.int().min(0).max(1_000_000).default(0),
});
const InsertSchema = z.strictObject({ rows: z.array(RowValuesSchema).min(1) });
const UpdateSchema = z.strictObject({ where: TableFilterSchema, set: RowValuesSchema });
const DeleteSchema = z.strictObject({ where: TableFilterSchema });

/** Calls tools of tables: within their filters, by the columns that they show. */
export class TableToolCaller {
  readonly #db: Database;
  readonly #rows: RowService;

  constructor(db: Database, rows: RowService) {
    this.#db = db;
    this.#rows = rows;
  }

  /** @throws OvenError TOOL_UNKNOWN, TOOL_INPUT_INVALID, TABLE_FILTER_INVALID, ROW_OUT_OF_REACH, and what writing throws */
  async call(id: string, args: JsonObject, options: ToolCallOptions): Promise<Json> {
    const { principal } = options;
    const [, name = "", action = ""] = id.split(".");
    const tool = await this.#find(principal, name);
    if (tool === undefined || !(tool.actions as readonly string[]).includes(action)) throw unknownTool(id);
    const { within } = tool;
    if (within === undefined) throw outOfOrder(id);
    const reached = { ...tool, within };
    const write = { ...writeOptions(id, options), within };
    switch (action) {
      case "find":
        return this.#findRows(principal, reached, parse(id, FindSchema, args));
      case "insert":
        return this.#insert(principal, reached, parse(id, InsertSchema, args), write);
      case "update":
        return this.#update(principal, reached, parse(id, UpdateSchema, args), write);
      default: {
        const { where } = parse(id, DeleteSchema, args);
        requireVisible(reached, where);
        return this.#rows.deleteWhere(principal, String(tool.table.id), { where, most: tool.most }, write);
      }
    }
  }

  async #findRows(principal: Principal, tool: Reached, asked: z.output<typeof FindSchema>): Promise<Json> {
    const { where, sort, order, offset } = asked;
    requireVisible(tool, { ...where, [sort]: null });
    const limit = Math.min(asked.limit ?? tool.most, tool.most);
    const query = { where, within: tool.within, sort: { field: sort, order }, limit: limit + 1, offset };
    const found = await this.#rows.find(principal, String(tool.table.id), query);
    return { ...shown(tool, found.slice(0, limit)), truncated: found.length > limit };
  }

  async #insert(
    principal: Principal,
    tool: Reached,
    { rows }: z.output<typeof InsertSchema>,
    write: WriteOptions,
  ): Promise<Json> {
    if (rows.length > tool.most)
      throw inputInvalid(`table.${tool.name}.insert`, `at most ${tool.most} rows in one call`, "$.rows");
    for (const row of rows) requireWritable(tool, row);
    const made = rows.map((row) => ({ ...fixedValues(tool), ...row }));
    return shown(tool, (await this.#rows.insert(principal, String(tool.table.id), made, write)).rows);
  }

  async #update(
    principal: Principal,
    tool: Reached,
    { where, set }: z.output<typeof UpdateSchema>,
    write: WriteOptions,
  ): Promise<Json> {
    requireVisible(tool, where);
    requireWritable(tool, set);
    const change = { where, set, most: tool.most };
    return shown(tool, (await this.#rows.updateWhere(principal, String(tool.table.id), change, write)).rows);
  }

  /** As it is now: what the catalogue remembers may be older. */
  async #find({ tenantId }: Principal, name: string): Promise<ToolDefinition | undefined> {
    const [row] = await this.#db.orm
      .select({ tool: userTableTools, table: userTables })
      .from(userTableTools)
      .innerJoin(userTables, eq(userTables.id, userTableTools.tableId))
      .where(
        and(eq(userTableTools.tenantId, tenantId), eq(userTableTools.name, name), eq(userTableTools.enabled, true)),
      );
    return row === undefined ? undefined : toDefinition(row.tool, row.table);
  }
}

type Reached = ToolDefinition & { within: TableFilter };

function writeOptions(id: string, { idempotencyKey, run }: ToolCallOptions): WriteOptions {
  const kind = run?.workflow?.startsWith("agent-workflow:") === true ? "agent-workflow" : "workflow";
  return {
    key: `${id}:${idempotencyKey}`,
    ...(run === undefined ? {} : { run: { kind, id: run.executionId } }),
  };
}

function parse<T>(id: string, schema: z.ZodType<T>, args: JsonObject): T {
  const parsed = schema.safeParse(args);
  if (parsed.success) return parsed.data;
  const { message, path = "$" } = fromZod(parsed.error, "$");
  throw inputInvalid(id, message, path);
}

/** Conditions on hidden columns would tell of them. */
function requireVisible({ name, visible }: Reached, where: TableFilter): void {
  const known = new Set(["id", "createdAt", "updatedAt", ...visible.map((column) => column.name)]);
  for (const asked of Object.keys(where))
    if (!known.has(asked)) throw inputInvalid(`table.${name}`, `there is no column \`${asked}\``, `$.where.${asked}`);
}

function requireWritable({ name, writable }: Reached, values: JsonObject): void {
  const known = new Set(writable.map((column) => column.name));
  for (const asked of Object.keys(values))
    if (!known.has(asked))
      throw inputInvalid(`table.${name}`, `the column \`${asked}\` cannot be written`, `$.${asked}`);
}

/** What the filter says that a column must be, for columns that the model does not write. */
function fixedValues({ within, writable }: Reached): JsonObject {
  const open = new Set(writable.map(({ name }) => name));
  return Object.fromEntries(
    Object.entries(within).flatMap(([name, wanted]): [string, Json][] => {
      const value = typeof wanted === "object" && wanted !== null ? wanted.eq : wanted;
      return open.has(name) || value === undefined || ROW_FIELDS.has(name) ? [] : [[name, value]];
    }),
  );
}

const ROW_FIELDS: ReadonlySet<string> = new Set(["id", "createdAt", "updatedAt"]);

function shown({ visible }: Reached, rows: readonly TableRow[]): { rows: Json[]; count: number } {
  const names = visible.map(({ name }) => name);
  return {
    rows: rows.map(({ id, values }) => ({
      id,
      values: Object.fromEntries(names.map((name): [string, Json] => [name, values[name] ?? null])),
    })),
    count: rows.length,
  };
}

function inputInvalid(id: string, message: string, path: string): OvenError {
  return new OvenError("TOOL_INPUT_INVALID", `The arguments of ${id} do not fit: ${message}`, {
    path,
    fix: "Send the call again with arguments that fit the tool's input schema",
  });
}

function unknownTool(id: string): OvenError {
  return new OvenError("TOOL_UNKNOWN", `There is no tool \`${id}\``, {
    status: 422,
    fix: "See the list of tools at /api/tools.",
  });
}

function outOfOrder(id: string): OvenError {
  return new OvenError("TABLE_FILTER_INVALID", `A column of the filter of ${id} is gone: it reaches no rows`, {
    status: 422,
    fix: "Set the filter of the tool anew.",
  });
}
