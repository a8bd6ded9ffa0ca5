import type { ColumnValue } from "@oven/db";
import { getTableColumns } from "@oven/db/drizzle";
import type { ExecutionRow } from "../executions/execution-row.ts";
import type { RunTables } from "../tables/run-tables.ts";

type Executions = RunTables["executions"];

/** Columns of a run's row that a worker reads when it claims the run. */
const CLAIMED = [
  "id",
  "tenantId",
  "workflowId",
  "workflowVersion",
  "agentId",
  "sessionId",
  "principal",
  "input",
  "parentId",
  "rootId",
  "parentNodeId",
  "parentVisit",
  "parentItem",
  "parentSeq",
  "part",
  "depth",
  "options",
  "pinnedCalls",
  "triggerEvent",
  "status",
  "createdAt",
  "startedAt",
  "epoch",
  "seq",
  "state",
  "context",
  "contextWriters",
  "contextSeq",
] as const satisfies readonly (keyof ExecutionRow)[];

/** A run's row as a claim reads it. */
export type RunRow = Pick<ExecutionRow, (typeof CLAIMED)[number]> & {
  workflowName: string;
  /** Whether another worker held the run before. */
  takenOver: boolean;
  /** Whether the run has signals that nobody has read. */
  signalled: boolean;
};

/** Values of columns that are not null and have a default in the table. */
const DEFAULTS = {
  depth: 0,
  priority: 0,
  status: "pending",
  currentState: "",
  activeStates: [],
  stateValue: null,
  output: null,
  tokenUsage: { input: 0, output: 0, total: 0 },
  costMicros: 0,
  steps: 0,
  simulated: false,
  contextSeq: 0,
  epoch: 0,
  seq: 0,
} satisfies Partial<ExecutionRow>;

/** What an insert must give: all other columns are null or have a default. */
export type NewRunValues = Partial<ExecutionRow> &
  Pick<
    ExecutionRow,
    "id" | "tenantId" | "workflowId" | "workflowVersion" | "triggeredBy" | "principal" | "input" | "createdAt"
  >;

interface TableColumns {
  sql: ReadonlyMap<string, { name: string; type: string; isJson: boolean }>;
  claimed: string;
  /** All columns with their defaults; null where there is none. */
  empty: Readonly<Record<string, unknown>>;
}

const known = new WeakMap<Executions, TableColumns>();

function columnsOf(table: Executions): TableColumns {
  const found = known.get(table);
  if (found !== undefined) return found;
  const columns = getTableColumns(table);
  const sql = new Map(
    Object.entries(columns).map(([key, column]) => {
      const type = column.getSQLType().replace(/\(.*\)$/, "");
      return [key, { name: column.name, type: type === "varchar" ? "text" : type, isJson: type === "json" }];
    }),
  );
  const claimed = CLAIMED.map((key) => `e.${columns[key].name} as "${key}"`).join(", ");
  const empty = { ...Object.fromEntries([...sql.keys()].map((key) => [key, null])), ...DEFAULTS };
  const made = { sql, claimed, empty };
  known.set(table, made);
  return made;
}

/** The columns of `RunRow` as a select list over the table `e`. */
export function claimedColumns(table: Executions): string {
  return columnsOf(table).claimed;
}

/** The values with names and types of their columns, for an insert. `undefined` is left out. */
export function toColumnValues(table: Executions, values: Partial<ExecutionRow>): ColumnValue[] {
  const { sql } = columnsOf(table);
  return Object.entries(values).flatMap(([key, value]) => {
    const column = sql.get(key);
    if (column === undefined || value === undefined) return [];
    const { name, type, isJson } = column;
    if (value instanceof Date) return [{ name, type, value: value.toISOString() }];
    return [{ name, type, value: isJson && value !== null ? JSON.stringify(value) : value }];
  });
}

/** The row that an insert of the values makes, as the database returns it. */
export function toInsertedRow(table: Executions, values: NewRunValues): ExecutionRow {
  const { sql, empty } = columnsOf(table);
  const row: Record<string, unknown> = { ...empty };
  for (const [key, value] of Object.entries(values)) {
    if (value === undefined) continue;
    row[key] = sql.get(key)?.isJson === true ? JSON.parse(JSON.stringify(value)) : value;
  }
  return row as ExecutionRow; // cast: `empty` has every column
}
