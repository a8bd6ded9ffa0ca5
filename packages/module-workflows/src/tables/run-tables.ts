import type { Actor, Json, Principal } from "@oven/contract";
import type { TokenUsage, ToolCallRecord, Wait } from "@oven/contract/node";
import type { Checkpoint, ErrorInfo, RunOptions } from "@oven/contract/run";
import { createdAtColumn, exactJson, tenantColumn } from "@oven/db";
import { sql } from "@oven/db/drizzle";
import {
  bigint,
  boolean,
  index,
  integer,
  type PgColumn,
  pgSequence,
  pgTable,
  smallint,
  text,
  timestamp,
  unique,
  varchar,
} from "@oven/db/pg-core";

/** Both kinds draw execution ids from one sequence: an id alone names a run everywhere. */
export const executionIds = pgSequence("oven_execution_id");
export const nodeRunIds = pgSequence("oven_node_run_id");

const instant = (name: string) => timestamp(name, { withTimezone: true });
const json = <T>(name: string) => exactJson(name).$type<T>();

/** The run tables of one kind. Run data is `json`: NUL, lone surrogates and key order are kept. */
export function createRunTables(prefix: "" | "agent_", workflowId: () => PgColumn) {
  // Plain strings as names: the tables of both kinds then have one type.
  const named = (name: string): string => `${prefix}${name}`;
  const executions = pgTable(
    named("workflow_executions"),
    {
      id: bigint("id", { mode: "number" }).primaryKey().default(sql`nextval('oven_execution_id')`),
      tenantId: tenantColumn(),
      workflowId: bigint(named("workflow_id"), { mode: "number" })
        .notNull()
        .references(workflowId, { onDelete: "cascade" }),
      workflowVersion: integer("workflow_version").notNull(),
      agentId: bigint("agent_id", { mode: "number" }),
      sessionId: bigint("session_id", { mode: "number" }),
      parentId: bigint("parent_id", { mode: "number" }),
      rootId: bigint("root_id", { mode: "number" }),
      /** The node run of the parent that waits for this child run, and the end of the parent's log at that time. */
      parentNodeId: text("parent_node_id"),
      parentVisit: integer("parent_visit"),
      parentItem: text("parent_item"),
      parentSeq: integer("parent_seq"),
      /** The state of the parallel loop of which this child run executes one pass. */
      part: text("part"),
      depth: smallint("depth").notNull().default(0),
      retryOf: bigint("retry_of", { mode: "number" }),
      forkOf: bigint("fork_of", { mode: "number" }),
      /** Up to which entry of that run's log it was taken over. */
      originSeq: integer("origin_seq"),
      options: json<RunOptions | null>("options"),
      /** Versions of the workflows it calls, as they were when it started. */
      pinnedCalls: json<Record<string, number> | null>("pinned_calls"),
      priority: smallint("priority").notNull().default(0),
      triggerEvent: text("trigger_event"),
      triggeredBy: json<Actor>("triggered_by").notNull(),
      principal: json<Principal>("principal").notNull(),
      input: json<Json>("input").notNull(),
      status: varchar("status", { length: 16 }).notNull().default("pending"),
      outcome: text("outcome"),
      currentState: text("current_state").notNull().default(""),
      activeStates: json<string[]>("active_states").notNull().default(sql`'[]'`),
      stateValue: json<Json>("state_value").notNull().default(sql`'null'`),
      waitingUntil: instant("waiting_until"),
      checkpoint: json<Checkpoint | null>("checkpoint"),
      output: json<Json>("output").notNull().default(sql`'null'`),
      tokenUsage: json<TokenUsage>("token_usage").notNull().default(sql`'{"input":0,"output":0,"total":0}'`),
      costMicros: bigint("cost_micros", { mode: "number" }).notNull().default(0),
      steps: integer("steps").notNull().default(0),
      simulated: boolean("simulated").notNull().default(false),
      error: text("error"),
      errorInfo: json<ErrorInfo | null>("error_info"),
      /** The last full snapshot of the context, at `context_seq`; later patches are in the run's log. */
      context: json<Record<string, Json> | null>("context"),
      contextWriters: json<Record<string, string> | null>("context_writers"),
      contextSeq: integer("context_seq").notNull().default(0),
      /** The engine's own state; see RunState. */
      state: json<unknown>("state"),
      epoch: integer("epoch").notNull().default(0),
      seq: integer("seq").notNull().default(0),
      leaseOwner: varchar("lease_owner", { length: 100 }),
      leaseUntil: instant("lease_until"),
      wakeAt: instant("wake_at"),
      createdAt: createdAtColumn(),
      startedAt: instant("started_at"),
      completedAt: instant("completed_at"),
    },
    (table) => [
      index(named("workflow_executions_tenant")).on(table.tenantId, table.id),
      // Lists leave children out: they page and count over these alone.
      index(named("workflow_executions_listed")).on(table.tenantId, table.id).where(sql`parent_id is null`),
      index(named("workflow_executions_dated")).on(table.tenantId, table.createdAt).where(sql`parent_id is null`),
      index(named("workflow_executions_workflow")).on(table.workflowId, table.id),
      index(named("workflow_executions_test"))
        .on(table.workflowId, table.workflowVersion)
        .where(sql`workflow_version < 0`),
      index(named("workflow_executions_live")).on(table.id).where(sql`status in ('pending', 'running', 'paused')`),
      index(named("workflow_executions_wake")).on(table.wakeAt).where(sql`wake_at is not null`),
      index(named("workflow_executions_children")).on(table.parentId, table.id).where(sql`parent_id is not null`),
      index(named("workflow_executions_family")).on(table.rootId, table.id).where(sql`root_id is not null`),
    ],
  );
  const nodes = pgTable(
    prefix === "" ? "node_executions" : "agent_workflow_node_executions",
    {
      id: bigint("id", { mode: "number" }).primaryKey().default(sql`nextval('oven_node_run_id')`),
      tenantId: tenantColumn(),
      executionId: bigint("execution_id", { mode: "number" })
        .notNull()
        .references(() => executions.id, { onDelete: "cascade" }),
      nodeId: text("node_id").notNull(),
      parentNodeId: text("parent_node_id"),
      nodeType: text("node_type").notNull(),
      nodeVersion: integer("node_version").notNull(),
      visit: integer("visit").notNull(),
      attempt: integer("attempt").notNull(),
      item: text("item"),
      status: varchar("status", { length: 16 }).notNull(),
      input: json<Json>("input").notNull(),
      output: json<Json>("output").notNull().default(sql`'null'`),
      wait: json<Wait | null>("wait"),
      tokenUsage: json<TokenUsage | null>("token_usage"),
      toolCalls: json<ToolCallRecord[] | null>("tool_calls"),
      costMicros: bigint("cost_micros", { mode: "number" }).notNull().default(0),
      error: text("error"),
      errorInfo: json<ErrorInfo | null>("error_info"),
      durationMs: bigint("duration_ms", { mode: "number" }),
      startedAt: instant("started_at").notNull(),
      completedAt: instant("completed_at"),
    },
    (table) => [
      unique(named("node_executions_run"))
        .on(table.executionId, table.nodeId, table.visit, table.item)
        .nullsNotDistinct(),
    ],
  );
  return { executions, nodes };
}
export type RunTables = ReturnType<typeof createRunTables>;
