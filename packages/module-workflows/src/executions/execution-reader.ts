import {
  type Actor,
  type Execution,
  type ExecutionSummary,
  type JsonObject,
  type ListParams,
  type NodeRun,
  notFound,
  type Principal,
  type RunStats,
  type RunStatsQuery,
} from "@oven/contract";
import type { Database } from "@oven/db";
import { and, asc, desc, eq, getTableColumns, ilike, inArray, isNull, or, type SQL, sql } from "@oven/db/drizzle";
import type { RunBases } from "@oven/engine";
import { findVisible, invalidListQuery, listRows, visibleTo } from "@oven/module-registry";
import { boundTo } from "../definitions/bound-to.ts";
import type { RunKind } from "../runtime/run-kinds.ts";
import type { SqlStore } from "../runtime/sql-store.ts";
import { type ExecutionRow, toExecution, toNodeRun, toSummary } from "./execution-row.ts";
import { takeRunFilters } from "./run-filters.ts";
import { summarizeRuns } from "./run-stats.ts";

export interface NewestRuns {
  workflowId: number;
  startedBy?: Actor;
  status?: ExecutionSummary["status"];
  limit: number;
}

function isStartedBy({ triggeredBy }: RunKind["tables"]["executions"], { kind, id }: Actor): SQL | undefined {
  return and(
    sql`${triggeredBy}->>'kind' = ${kind}`,
    sql`${triggeredBy}->>'id' is not distinct from ${id === null ? null : String(id)}`,
  );
}

/** Without what only the run's own page shows. */
function lightColumns(table: RunKind["tables"]["executions"]) {
  const {
    input,
    context,
    contextWriters,
    contextSeq,
    stateValue,
    checkpoint,
    state,
    principal: by,
    ...columns
  } = getTableColumns(table);
  return columns;
}

/** Reads runs of one kind as the API shows them. */
export class ExecutionReader {
  readonly #db: Database;
  readonly #kind: RunKind;
  readonly #store: SqlStore;
  readonly #bases: RunBases;

  constructor(deps: { db: Database; kind: RunKind; store: SqlStore; bases: RunBases }) {
    this.#db = deps.db;
    this.#kind = deps.kind;
    this.#store = deps.store;
    this.#bases = deps.bases;
  }

  /** `q` looks into the names of workflows, the current state and the error; `takeRunFilters` has what else is no column. */
  async list(principal: Principal, params: ListParams): Promise<{ rows: ExecutionSummary[]; total: number }> {
    const { executions: table } = this.#kind.tables;
    const columns = lightColumns(table);
    const {
      id,
      status,
      outcome,
      parentId,
      rootId,
      parentNodeId,
      parentItem,
      depth,
      retryOf,
      forkOf,
      priority,
      createdAt,
      startedAt,
      completedAt,
      costMicros,
      steps,
      workflowVersion,
      sessionId,
      triggerEvent,
    } = table;
    const fields = {
      id,
      [this.#kind.kind.workflowIdField]: table.workflowId,
      status,
      outcome,
      parentId,
      rootId,
      parentNodeId,
      parentItem,
      depth,
      retryOf,
      forkOf,
      priority,
      createdAt,
      startedAt,
      completedAt,
      costMicros,
      steps,
      workflowVersion,
      sessionId,
      triggerEvent,
    };
    const { q, ...asked } = params.filter;
    const { filter, where: special, readsAll } = takeRunFilters(asked, this.#kind.tables);
    // Children are shown with their parents; whoever asks for ids or a family means them.
    const named = ["id", "parentId", "rootId", "depth"].some((key) => Object.hasOwn(filter, key));
    const where = and(
      await this.#search(principal, q),
      named ? undefined : isNull(table.parentId),
      this.#bounds(principal),
      ...special,
    );
    const listing = {
      table,
      fields,
      columns,
      readsAll,
      tenant: table.tenantId,
      ...(where === undefined ? {} : { where }),
    };
    const { rows, total } = await listRows(this.#db.orm, principal, { ...params, filter }, listing);
    const names = await this.#workflowNames(rows.map(({ workflowId }) => workflowId));
    return { rows: rows.map((row) => toSummary(row, this.#kind.kind, names.get(row.workflowId))), total };
  }

  stats(principal: Principal, query: RunStatsQuery): Promise<RunStats[]> {
    return summarizeRuns(this.#db, this.#kind, principal, query, this.#bounds(principal));
  }

  /** @throws OvenError INVALID_LIST_QUERY when `q` is no text */
  async #search(principal: Principal, q: unknown): Promise<SQL | undefined> {
    if (q === undefined) return undefined;
    if (typeof q !== "string") throw invalidListQuery("filter", "takes text for `q`");
    const { executions, workflows } = this.#kind.tables;
    const pattern = `%${q.replace(/[\\%_]/g, "\\$&")}%`;
    const named = await this.#db.orm
      .select({ id: workflows.id })
      .from(workflows)
      .where(and(visibleTo(principal, workflows.tenantId), ilike(workflows.name, pattern)));
    const ofNamed = inArray(
      executions.workflowId,
      named.map(({ id }) => id),
    );
    return or(ofNamed, ilike(executions.currentState, pattern), ilike(executions.error, pattern));
  }

  /** @throws OvenError NOT_FOUND, also for runs of other tenants */
  async summary(principal: Principal, id: number): Promise<ExecutionSummary> {
    return (await this.pulse(principal, id)).summary;
  }

  /** `signalled`: a decision or another message is on its way to the run. @throws OvenError NOT_FOUND */
  async pulse(principal: Principal, id: number): Promise<{ summary: ExecutionSummary; signalled: boolean }> {
    const { executions, workflows } = this.#kind.tables;
    const open = sql<boolean>`exists (select 1 from run_signals s where s.execution_id = ${executions.id} and s.consumed_at is null)`;
    const [found] = await this.#db.orm
      .select({
        row: lightColumns(executions),
        workflow: { name: workflows.name, slug: workflows.slug },
        signalled: open.as("signalled"),
      })
      .from(executions)
      .innerJoin(workflows, eq(workflows.id, executions.workflowId))
      .where(this.#isMine(principal, id));
    if (found === undefined) throw notFound("execution", id);
    const { row, workflow, signalled } = found;
    return { summary: toSummary(row, this.#kind.kind, workflow), signalled };
  }

  /** The newest runs of a workflow, children left out; with an actor only those that it started. */
  async newest(
    principal: Principal,
    { workflowId, startedBy, status, limit }: NewestRuns,
  ): Promise<ExecutionSummary[]> {
    const { executions: table } = this.#kind.tables;
    const rows = await this.#db.orm
      .select()
      .from(table)
      .where(
        and(
          visibleTo(principal, table.tenantId),
          this.#bounds(principal),
          eq(table.workflowId, workflowId),
          isNull(table.parentId),
          status === undefined ? undefined : eq(table.status, status),
          startedBy === undefined ? undefined : isStartedBy(table, startedBy),
        ),
      )
      .orderBy(desc(table.id))
      .limit(limit);
    const names = await this.#workflowNames([workflowId]);
    return rows.map((row) => toSummary(row, this.#kind.kind, names.get(row.workflowId)));
  }

  /** The run with its folded context and node runs. @throws OvenError NOT_FOUND */
  async get(principal: Principal, id: number): Promise<Execution> {
    const row = await this.row(principal, id);
    const [names, context] = await Promise.all([this.#workflowNames([row.workflowId]), this.#context(row)]);
    const nodes = await this.#nodes(row, context);
    return toExecution(row, this.#kind.kind, names.get(row.workflowId), { context, nodes });
  }

  async nodes(principal: Principal, id: number): Promise<NodeRun[]> {
    const row = await this.row(principal, id);
    return this.#nodes(row, await this.#context(row));
  }

  /** Of a run that took another one over, what that one had finished by then, too: by reference, with its execution id. */
  async #nodes(row: ExecutionRow, context: JsonObject): Promise<NodeRun[]> {
    const { nodes } = this.#kind.tables;
    const rows = await this.#db.orm.select().from(nodes).where(eq(nodes.executionId, row.id)).orderBy(asc(nodes.id));
    const own = rows.map((node) => toNodeRun(node, context.messages ?? []));
    const taken = new Set(own.map(placeOf));
    const earlier = await this.#takenOver(row, context);
    return parentsFirst([...earlier.filter((node) => !taken.has(placeOf(node))), ...own]);
  }

  async #takenOver(row: ExecutionRow, context: JsonObject): Promise<NodeRun[]> {
    const originId = row.retryOf ?? row.forkOf;
    if (originId === null || row.originSeq === null) return [];
    const { executions } = this.#kind.tables;
    const [origin] = await this.#db.orm.select().from(executions).where(eq(executions.id, originId));
    if (origin === undefined) return [];
    const finished = await this.#db.query<{ node_id: string; visit: number; item: string | null }>(
      `select fields->>'nodeId' as node_id, (fields->>'visit')::int as visit, fields->>'item' as item from run_events
       where execution_id = $1 and seq <= $2 and event in ('node.completed', 'node.failed', 'node.cancelled')`,
      [originId, row.originSeq],
    );
    const places = new Set(finished.map(({ node_id, visit, item }) => placeOf({ nodeId: node_id, visit, item })));
    return (await this.#nodes(origin, context)).filter(
      (node) => places.has(placeOf(node)) || node.executionId !== originId,
    );
  }

  /** @throws OvenError NOT_FOUND, also for runs of other tenants */
  async row(principal: Principal, id: number): Promise<ExecutionRow> {
    const { executions } = this.#kind.tables;
    const bounds = this.#bounds(principal);
    const row =
      bounds === undefined
        ? await findVisible(this.#db.orm, executions, principal, id)
        : (await this.#db.orm.select().from(executions).where(this.#isMine(principal, id)))[0];
    if (row === undefined) throw notFound("execution", id);
    return row;
  }

  #isMine(principal: Principal, id: number): SQL | undefined {
    const { executions } = this.#kind.tables;
    return and(visibleTo(principal, executions.tenantId), this.#bounds(principal), eq(executions.id, id));
  }

  /** Runs of the workflows that it is bound to, and of the agents. */
  #bounds(principal: Principal): SQL | undefined {
    const { workflowId, agentId } = this.#kind.tables.executions;
    const ofWorkflows = boundTo(principal, this.#kind.kind.kind, workflowId);
    const { agents = [] } = principal;
    return ofWorkflows === undefined || agents.length === 0 ? ofWorkflows : or(ofWorkflows, inArray(agentId, agents));
  }

  /** Never read from a copy: the last full snapshot and the patches since; of a child, on top of its parent's. */
  async #context(row: ExecutionRow): Promise<JsonObject> {
    const record = await this.#store.read(row.id);
    if (record === undefined) throw notFound("execution", row.id);
    const { facts, context } = await this.#bases.at(record);
    return { trigger: facts.input, ...context.values };
  }

  async #workflowNames(ids: readonly number[]): Promise<Map<number, { name: string; slug: string }>> {
    const { workflows } = this.#kind.tables;
    const wanted = [...new Set(ids)];
    if (wanted.length === 0) return new Map();
    const rows = await this.#db.orm
      .select({ id: workflows.id, name: workflows.name, slug: workflows.slug })
      .from(workflows)
      .where(inArray(workflows.id, wanted));
    return new Map(rows.map(({ id, ...names }) => [id, names]));
  }
}

/** Items taken over stand behind their node, which the run has a row of its own for. */
function parentsFirst(nodes: readonly NodeRun[]): NodeRun[] {
  const keyOf = ({ nodeId, visit }: NodeRun): string => placeOf({ nodeId, visit, item: null });
  const waiting = new Map(nodes.flatMap((node) => (node.item === null ? [[keyOf(node), [] as NodeRun[]]] : [])));
  const ordered: NodeRun[] = [];
  for (const node of nodes) {
    const key = keyOf(node);
    const held = waiting.get(key);
    if (node.item !== null && held) {
      held.push(node);
      continue;
    }
    ordered.push(node, ...(held ?? []));
    if (node.item === null) waiting.delete(key);
  }
  return ordered;
}

function placeOf({ nodeId, visit, item }: Pick<NodeRun, "nodeId" | "visit" | "item">): string {
  return JSON.stringify([nodeId, visit, item]);
}
