import { type JsonObject, type NewEvent, type Principal, toActor } from "@oven/contract";
import { RowValuesSchema } from "@oven/contract/table";
import type { Transaction } from "@oven/db";
import type { EventService } from "@oven/module-registry";
import { z } from "zod";
import type { StoredTable } from "../definitions/stored-column.ts";
import type { RowChange } from "./row-writer.ts";

/** The run that wrote a row. */
export interface WritingRun {
  kind: "workflow" | "agent-workflow";
  id: number;
}

const payload = z.looseObject({
  tableId: z.int(),
  table: z.string(),
  rowId: z.int(),
  version: z.int(),
  values: RowValuesSchema,
  before: RowValuesSchema.nullable(),
  changed: z.array(z.string()),
  run: z.looseObject({ kind: z.string(), id: z.int() }).nullable(),
});

export const rowEvents = {
  "tables.row.inserted": payload.describe("When a row was added to a table"),
  "tables.row.updated": payload.describe("When values of a row of a table changed"),
  "tables.row.deleted": payload.describe("When a row of a table was deleted"),
};

/** Writes what was done to rows within their transaction, for those kinds of changes that anything listens to. */
export async function writeRowEvents(
  {
    tx,
    events,
    principal,
    run,
  }: { tx: Transaction; events: EventService; principal: Principal; run?: WritingRun | undefined },
  table: StoredTable,
  changes: readonly RowChange[],
): Promise<void> {
  const heard = changes.filter(({ change }) => events.hasListeners(`tables.row.${change}`));
  await events.write(
    tx,
    heard.map((change) => toEvent(table, change, principal, run)),
  );
}

function toEvent(
  { id, tenantId, slug }: StoredTable,
  { change, row, before }: RowChange,
  principal: Principal,
  run: WritingRun | undefined,
): NewEvent {
  const body: JsonObject = {
    tableId: id,
    table: slug,
    rowId: row.id,
    version: row.version,
    values: row.values,
    before: before ?? null,
    changed: before === undefined ? Object.keys(row.values) : changedOf(before, row.values),
    run: run === undefined ? null : { ...run },
  };
  return {
    name: `tables.row.${change}`,
    tenantId,
    actor: toActor(principal),
    orderKey: `table-row:${row.id}`,
    payload: body,
  };
}

function changedOf(before: JsonObject, now: JsonObject): string[] {
  return Object.keys(now).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]));
}
