import { type JsonObject, notFound, OvenError, type Principal } from "@oven/contract";
import type { ChangeRows, DeleteRows, TableFilter, TableRow, WrittenRows } from "@oven/contract/table";
import type { Database, Transaction } from "@oven/db";
import type { EventService } from "@oven/module-registry";
import type { StoredTable } from "../definitions/stored-column.ts";
import type { TableReader } from "../definitions/table-reader.ts";
import { once } from "./once.ts";
import { type WritingRun, writeRowEvents } from "./row-events.ts";
import type { RowLimits } from "./row-limits.ts";
import { countRows, type RowQuery, readRows } from "./row-reader.ts";
import { type StoredRow, toRow } from "./row-shape.ts";
import { RowWriter } from "./row-writer.ts";
import { upsertRows } from "./upsert-rows.ts";

export interface RowServiceDeps {
  db: Database;
  events: EventService;
  tables: TableReader;
  limits: RowLimits;
}

/** How a write is made. */
export interface WriteOptions {
  /** The same for every attempt of this very write: a repeated one changes nothing, and answers as the first. */
  key?: string;
  /** The run that writes. */
  run?: WritingRun;
  /** Rows that may be written at all: each written row fulfils it before and after. */
  within?: TableFilter;
}

export type WriteWork<T> = (writer: RowWriter, table: StoredTable, tx: Transaction) => Promise<T>;

/** Rows of tables, as far as they are the principal's tenant's. */
export class RowService {
  readonly #deps: RowServiceDeps;

  constructor(deps: RowServiceDeps) {
    this.#deps = deps;
  }

  /** @throws OvenError NOT_FOUND, TABLE_FILTER_INVALID */
  async find(principal: Principal, idOrSlug: string, query: RowQuery): Promise<TableRow[]> {
    const table = await this.#deps.tables.get(principal, idOrSlug);
    return (await readRows(this.#deps.db, table, query)).map((row) => toRow(table, row));
  }

  /** One page, and how many rows match. @throws OvenError NOT_FOUND, TABLE_FILTER_INVALID */
  async list(principal: Principal, idOrSlug: string, query: RowQuery): Promise<{ rows: TableRow[]; total: number }> {
    const table = await this.#deps.tables.get(principal, idOrSlug);
    const rows = await readRows(this.#deps.db, table, query);
    const total = await countRows(this.#deps.db, table, query);
    return { rows: rows.map((row) => toRow(table, row)), total };
  }

  /** @throws OvenError NOT_FOUND */
  async get(principal: Principal, idOrSlug: string, id: number): Promise<TableRow> {
    const [row] = await this.find(principal, idOrSlug, { where: { id }, limit: 1 });
    if (row === undefined) throw notFound("row", id);
    return row;
  }

  /** All rows, or none. @throws OvenError as `RowWriter.insert` */
  async insert(
    principal: Principal,
    idOrSlug: string,
    rows: readonly JsonObject[],
    options: WriteOptions = {},
  ): Promise<WrittenRows> {
    return this.write(principal, idOrSlug, options, async (writer) =>
      toWritten(await writer.insert(rows, (index) => `$.rows[${index}]`)),
    );
  }

  /** All changes, or none. @throws OvenError NOT_FOUND, STALE_VERSION 409, and as `RowWriter.update` */
  async change(
    principal: Principal,
    idOrSlug: string,
    { changes }: ChangeRows,
    options: WriteOptions = {},
  ): Promise<WrittenRows> {
    return this.write(principal, idOrSlug, options, async (writer, table, tx) => {
      const current = await lockRows(tx, table, changes);
      const updates = changes.map(({ id, values }, index) => ({
        row: current(id),
        values,
        path: `$.changes[${index}].values`,
      }));
      return toWritten(await writer.update(updates));
    });
  }

  /** All rows, or none. @throws OvenError NOT_FOUND, STALE_VERSION 409, ROW_REFERENCED 409 */
  async delete(
    principal: Principal,
    idOrSlug: string,
    { rows }: DeleteRows,
    options: WriteOptions = {},
  ): Promise<void> {
    await this.write(principal, idOrSlug, options, async (writer, table, tx) => {
      const current = await lockRows(tx, table, rows);
      await writer.delete(rows.map(({ id }) => current(id)));
      return null;
    });
  }

  /** Sets values of all rows that match. @throws OvenError TOO_MANY_ROWS 409 where more than `most` match: then none changes */
  async updateWhere(
    principal: Principal,
    idOrSlug: string,
    { where, set, most }: { where: TableFilter; set: JsonObject; most: number },
    options: WriteOptions = {},
  ): Promise<WrittenRows> {
    return this.write(principal, idOrSlug, options, async (writer, table, tx) => {
      const rows = await lockMatching(tx, table, where, most, options.within);
      return toWritten(await writer.update(rows.map((row) => ({ row, values: set, path: "$.set" }))));
    });
  }

  /** @throws OvenError TOO_MANY_ROWS 409 where more than `most` match: then none is deleted; ROW_REFERENCED 409 */
  async deleteWhere(
    principal: Principal,
    idOrSlug: string,
    { where, most }: { where: TableFilter; most: number },
    options: WriteOptions = {},
  ): Promise<{ count: number }> {
    return this.write(principal, idOrSlug, options, async (writer, table, tx) => {
      const rows = await lockMatching(tx, table, where, most, options.within);
      await writer.delete(rows);
      return { count: rows.length };
    });
  }

  /**
   * Changes the rows that have the same values in unique columns, and inserts the others.
   * @param on names of one unique column, or of all columns of a unique group
   * @throws OvenError TABLE_NOT_UNIQUE 422 where two rows may have the same there
   */
  async upsert(
    principal: Principal,
    idOrSlug: string,
    { on, rows }: { on: readonly string[]; rows: readonly JsonObject[] },
    options: WriteOptions = {},
  ): Promise<WrittenRows & { inserted: number; updated: number }> {
    return this.write(principal, idOrSlug, options, (writer, table, tx) => upsertRows({ writer, table, tx }, on, rows));
  }

  /** One write as one transaction, with its events. What `work` answers must be JSON. */
  async write<T>(principal: Principal, idOrSlug: string, options: WriteOptions, work: WriteWork<T>): Promise<T> {
    const { db, tables, limits, events } = this.#deps;
    const result = await db.transaction((tx) =>
      once(tx, principal.tenantId, options.key, async () => {
        const table = await tables.lock(tx, principal, idOrSlug, "share");
        const writer = new RowWriter({ tx, table, limits });
        const answer = await work(writer, table, tx);
        if (options.within !== undefined) await requireWithin(tx, table, options.within, writer);
        await writeRowEvents({ tx, events, principal, run: options.run }, table, writer.changes);
        return answer;
      }),
    );
    events.wake();
    return result;
  }
}

function toWritten(rows: TableRow[]): WrittenRows {
  return { rows, count: rows.length };
}

/** @returns finds a locked row by its id */
async function lockRows(
  tx: Transaction,
  table: StoredTable,
  named: readonly { id: number; version: number }[],
): Promise<(id: number) => StoredRow> {
  const ids = named.map(({ id }) => id);
  if (new Set(ids).size < ids.length)
    throw new OvenError("INVALID_REQUEST", "A row is named twice", { fix: "Send one change for each row." });
  const rows = await readRows(tx, table, { where: { id: { in: ids } }, limit: ids.length, lock: true });
  const byId = new Map(rows.map((row) => [Number(row.id), row]));
  for (const { id, version } of named) {
    const row = byId.get(id);
    if (row === undefined) throw notFound("row", id);
    if (row.version !== version) throw stale(toRow(table, row));
  }
  return (id) => {
    const row = byId.get(id);
    if (row === undefined) throw notFound("row", id);
    return row;
  };
}

function stale(current: TableRow): OvenError {
  return new OvenError("STALE_VERSION", `Row ${current.id} has been changed since it was read`, {
    status: 409,
    fix: "Apply your change to the row as it is now (details.current), and send it with its version.",
    details: { current },
  });
}

async function lockMatching(
  tx: Transaction,
  table: StoredTable,
  where: TableFilter,
  most: number,
  within: TableFilter | undefined,
): Promise<StoredRow[]> {
  const rows = await readRows(tx, table, { where, within, limit: most + 1, lock: true });
  if (rows.length <= most) return rows;
  throw new OvenError("TOO_MANY_ROWS", `More than ${most} rows of ${table.slug} match; none was changed`, {
    status: 409,
    fix: "Narrow the filter, or raise `most`.",
    details: { most },
  });
}

/** What was written can still be reached: no write takes a row out of the filter or makes one beside it. @throws OvenError ROW_OUT_OF_REACH 422 */
async function requireWithin(
  tx: Transaction,
  table: StoredTable,
  within: TableFilter,
  { changes }: RowWriter,
): Promise<void> {
  const ids = changes.flatMap(({ change, row }) => (change === "deleted" ? [] : [row.id]));
  if (ids.length === 0) return;
  const reached = await countRows(tx, table, { where: { id: { in: ids } }, within });
  if (reached === ids.length) return;
  throw new OvenError("ROW_OUT_OF_REACH", `A row of ${table.slug} would be outside of what this tool reaches`, {
    status: 422,
    fix: "Write values with which the row stays within the tool's filter.",
  });
}
