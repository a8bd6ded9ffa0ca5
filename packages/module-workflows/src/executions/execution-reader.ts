import {
  type Actor,
  type Json,
  type JsonObject,
  type ListParams,
  MAX_PAGE,
  notFound,
  type Principal,
} from "@oven/contract";
import type { Execution, ExecutionSummary, NodeRun, RunStats, RunStatsQuery } from "@oven/contract/run";
import type { Database } from "@oven/db";
import { and, desc, eq, getTableColumns, gt, ilike, inArray, isNull, lt, or, type SQL, sql } from "@oven/db/drizzle";
import { nextTurn, type RunBases } from "@oven/engine";
import { findVisible, invalidListQuery, listRows, visibleTo } from "@oven/module-registry";
import { boundTo } from "../definitions/bound-to.ts";
import type { RunKind } from "../runtime/run-kinds.ts";
import type { SqlStore } from "../runtime/sql-store.ts";
import type { Page, PageRange } from "./answer-rows.ts";
import { type ExecutionRow, toExecution, toSummary } from "./execution-row.ts";
import { type Conversation, NodeRunReader } from "./node-run-reader.ts";
import type { PastReadings } from "./past-readings.ts";
import { takeRunFilters } from "./run-filters.ts";
import { summarizeRuns } from "./run-stats.ts";

export interface NewestRuns {
  workflowId: number;
  startedBy?: Actor;
  status?: ExecutionSummary["status"];
  limit: number;
}

/** Runs of a workflow that have ended. */
export interface EndedRuns {
  workflowId: number;
  status: readonly ExecutionSummary["status"][];
  /** This one alone, if it is one of them. */
  id?: number;
  /** Only those that were given one of these, whatever the order of its keys. */
  inputs?: readonly JsonObject[];
}

/** A JSON column as it can be compared; null where `jsonb` has no room for what it holds. */
function toComparable(column: unknown): SQL {
  return sql`(case when strpos(${column}::text, '\\u0000') > 0 then null else ${column}::jsonb end)`;
}

function toJsonb(inputs: readonly JsonObject[]): string {
  return JSON.stringify(inputs.filter((input) => !JSON.stringify(input).includes("\\u0000")));
}

/** Entries of a log since its last snapshot. */
const LONG_LOG = 2_000;

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
  readonly #nodes: NodeRunReader;
  readonly #readings: PastReadings;

  constructor(deps: { db: Database; kind: RunKind; store: SqlStore; bases: RunBases; readings: PastReadings }) {
    this.#db = deps.db;
    this.#kind = deps.kind;
    this.#store = deps.store;
    this.#bases = deps.bases;
    this.#readings = deps.readings;
    this.#nodes = new NodeRunReader(deps.db, deps.kind);
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
    // Child runs are shown with their parents, unless the filter names ids or a family.
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

  /** Ids of the newest runs of a workflow that have ended: no tests, no children, none that goes on from another one. */
  async endedOf(
    principal: Principal,
    { before, limit, ...which }: EndedRuns & { before?: number | undefined; limit: number },
  ): Promise<number[]> {
    const { executions: table } = this.#kind.tables;
    const rows = await this.#db.orm
      .select({ id: table.id })
      .from(table)
      .where(and(this.#hasEnded(principal, which), before === undefined ? undefined : lt(table.id, before)))
      .orderBy(desc(table.id))
      .limit(limit);
    return rows.map(({ id }) => id);
  }

  /** The newest runs of a workflow whose input, as it is stored, has one of these texts: no tests, no children. */
  withInput(
    principal: Principal,
    of: { workflowId: number; texts: readonly string[]; before: number | undefined; limit: number },
  ): Promise<{ id: number; input: Json }[]> {
    const { executions: table } = this.#kind.tables;
    return this.#db.orm
      .select({ id: table.id, input: table.input })
      .from(table)
      .where(
        and(
          visibleTo(principal, table.tenantId),
          this.#bounds(principal),
          eq(table.workflowId, of.workflowId),
          isNull(table.parentId),
          gt(table.workflowVersion, 0),
          or(...of.texts.map((text) => sql`position(${text}::text in ${table.input}::text) > 0`)),
          of.before === undefined ? undefined : lt(table.id, of.before),
        ),
      )
      .orderBy(desc(table.id))
      .limit(of.limit);
  }

  /** Of the runs that `endedOf` lists: when the oldest one began that has its details still, and how many have none any more. */
  async recordingsOf(principal: Principal, which: EndedRuns): Promise<{ since: string | null; removed: number }> {
    const { executions: table } = this.#kind.tables;
    const [row] = await this.#db.orm
      .select({
        since: sql<Date | string | null>`min(${table.createdAt}) filter (where ${table.contextSeq} >= 0)`,
        removed: sql<number>`(count(*) filter (where ${table.contextSeq} < 0))::int`,
      })
      .from(table)
      .where(this.#hasEnded(principal, which));
    const since = row?.since ?? null;
    return { since: since === null ? null : new Date(since).toISOString(), removed: row?.removed ?? 0 };
  }

  /** How many of these inputs no run was given that `endedOf` lists. */
  async neverGiven(principal: Principal, which: EndedRuns, inputs: readonly JsonObject[]): Promise<number> {
    const { executions: table } = this.#kind.tables;
    const given = this.#db.orm
      .select({ one: sql`1` })
      .from(table)
      .where(and(this.#hasEnded(principal, which), sql`${toComparable(table.input)} = asked.value`));
    const [row] = await this.#db.orm
      .select({ count: sql<number>`count(*)::int` })
      .from(sql`jsonb_array_elements(${toJsonb(inputs)}::jsonb) asked`)
      .where(sql`not exists ${given}`);
    return row?.count ?? 0;
  }

  #hasEnded(principal: Principal, { workflowId, status, id, inputs }: EndedRuns): SQL | undefined {
    const { executions: table } = this.#kind.tables;
    return and(
      visibleTo(principal, table.tenantId),
      this.#bounds(principal),
      eq(table.workflowId, workflowId),
      isNull(table.parentId),
      isNull(table.retryOf),
      isNull(table.forkOf),
      isNull(table.options),
      gt(table.workflowVersion, 0),
      inArray(table.status, [...status]),
      id === undefined ? undefined : eq(table.id, id),
      inputs === undefined
        ? undefined
        : sql`${toComparable(table.input)} in (select value from jsonb_array_elements(${toJsonb(inputs)}::jsonb))`,
    );
  }

  /** The run with its folded context and all its node runs. @throws OvenError NOT_FOUND */
  async get(principal: Principal, id: number): Promise<Execution> {
    return this.#execution(await this.row(principal, id), (row, conversation) => this.#nodes.all(row, conversation));
  }

  /** As `get`, as large as an answer may be: of many node runs the newest, and how many there are. @throws OvenError NOT_FOUND */
  async shown(principal: Principal, id: number): Promise<Execution> {
    let total = 0;
    const execution = await this.#execution(await this.row(principal, id), async (row, conversation) => {
      const page = await this.#nodes.newest(row, conversation, MAX_PAGE);
      total = page.total;
      return page.rows;
    });
    if (total === execution.nodes.length) return execution;
    await nextTurn();
    return { ...execution, nodesTotal: total };
  }

  /** The run with its folded context, and its node runs in parts. @throws OvenError NOT_FOUND */
  async inParts(
    principal: Principal,
    id: number,
  ): Promise<{ execution: Execution; nodes: AsyncGenerator<NodeRun[], void> }> {
    const row = await this.row(principal, id);
    let known: Conversation = async () => [];
    const execution = await this.#execution(row, async (_, conversation) => {
      known = conversation;
      return [];
    });
    return { execution, nodes: this.#nodes.parts(row, known) };
  }

  async nodes(principal: Principal, id: number): Promise<NodeRun[]> {
    const row = await this.row(principal, id);
    return this.#nodes.all(row, this.#conversation(row));
  }

  async nodePage(principal: Principal, id: number, range: PageRange): Promise<Page<NodeRun>> {
    const row = await this.row(principal, id);
    return this.#nodes.page(row, this.#conversation(row), range);
  }

  #conversation(row: ExecutionRow): Conversation {
    let reading: Promise<JsonObject> | undefined;
    return async () => {
      reading ??= this.#context(row);
      return (await reading).messages ?? [];
    };
  }

  async #execution(
    row: ExecutionRow,
    read: (row: ExecutionRow, conversation: Conversation) => Promise<NodeRun[]>,
  ): Promise<Execution> {
    const [names, context] = await Promise.all([this.#workflowNames([row.workflowId]), this.#context(row)]);
    const nodes = await read(row, async () => context.messages ?? []);
    return toExecution(row, this.#kind.kind, names.get(row.workflowId), { context, nodes });
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
    const fold = () => this.#bases.at(record);
    const isLong = record.seq - (record.snapshot?.seq ?? 0) > LONG_LOG;
    // Many readers of long runs at once would take all connections, and the memory. What belongs to a transaction does not wait.
    const { facts, context } = await (isLong && !this.#db.isJoint ? this.#readings.take(fold) : fold());
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
