import {
  type Definition,
  type Execution,
  type ExecutionSummary,
  type JsonObject,
  type ListParams,
  type NodeRun,
  notFound,
  type Principal,
} from "@oven/contract";
import type { Database } from "@oven/db";
import { foldLog, fromSnapshot, initialContext } from "@oven/engine";
import { invalidListQuery, listRows, visibleTo } from "@oven/module-registry";
import { and, asc, eq, getTableColumns, ilike, inArray, or, type SQL } from "drizzle-orm";
import type { WorkflowService } from "../definitions/workflow-service.ts";
import type { RunKind } from "../runtime/run-kinds.ts";
import type { SqlStore } from "../runtime/sql-store.ts";
import { type ExecutionRow, toExecution, toNodeRun, toSummary } from "./execution-row.ts";

/** Reads runs of one kind as the API shows them. */
export class ExecutionReader {
  readonly #db: Database;
  readonly #kind: RunKind;
  readonly #store: SqlStore;
  readonly #workflows: WorkflowService;

  constructor(deps: { db: Database; kind: RunKind; store: SqlStore; workflows: WorkflowService }) {
    this.#db = deps.db;
    this.#kind = deps.kind;
    this.#store = deps.store;
    this.#workflows = deps.workflows;
  }

  /** `q` looks into the names of workflows, the current state and the error. */
  async list(principal: Principal, params: ListParams): Promise<{ rows: ExecutionSummary[]; total: number }> {
    const { executions: table } = this.#kind.tables;
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
    const {
      id,
      status,
      outcome,
      parentId,
      rootId,
      createdAt,
      startedAt,
      completedAt,
      costMicros,
      steps,
      workflowVersion,
    } = table;
    const fields = {
      id,
      [this.#kind.kind.workflowIdField]: table.workflowId,
      status,
      outcome,
      parentId,
      rootId,
      createdAt,
      startedAt,
      completedAt,
      costMicros,
      steps,
      workflowVersion,
    };
    const { q, ...filter } = params.filter;
    const where = await this.#search(principal, q);
    const listing = { table, fields, columns, tenant: table.tenantId, ...(where === undefined ? {} : { where }) };
    const { rows, total } = await listRows(this.#db.orm, principal, { ...params, filter }, listing);
    const names = await this.#workflowNames(rows.map(({ workflowId }) => workflowId));
    return { rows: rows.map((row) => toSummary(row, this.#kind.kind, names.get(row.workflowId))), total };
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

  async summary(principal: Principal, id: number): Promise<ExecutionSummary> {
    const row = await this.row(principal, id);
    const names = await this.#workflowNames([row.workflowId]);
    return toSummary(row, this.#kind.kind, names.get(row.workflowId));
  }

  /** The run with its folded context and node runs. @throws OvenError NOT_FOUND */
  async get(principal: Principal, id: number): Promise<Execution> {
    const row = await this.row(principal, id);
    const [names, context] = await Promise.all([this.#workflowNames([row.workflowId]), this.#context(row)]);
    const nodes = await this.#nodes(id, context);
    return toExecution(row, this.#kind.kind, names.get(row.workflowId), { context, nodes });
  }

  async nodes(principal: Principal, id: number): Promise<NodeRun[]> {
    const row = await this.row(principal, id);
    return this.#nodes(id, await this.#context(row));
  }

  async #nodes(id: number, context: JsonObject): Promise<NodeRun[]> {
    const { nodes } = this.#kind.tables;
    const rows = await this.#db.orm.select().from(nodes).where(eq(nodes.executionId, id)).orderBy(asc(nodes.id));
    return rows.map((row) => toNodeRun(row, context.messages ?? []));
  }

  /** @throws OvenError NOT_FOUND, also for runs of other tenants */
  async row(principal: Principal, id: number): Promise<ExecutionRow> {
    const { executions } = this.#kind.tables;
    const [row] = await this.#db.orm
      .select()
      .from(executions)
      .where(and(visibleTo(principal, executions.tenantId), eq(executions.id, id)));
    if (row === undefined) throw notFound("execution", id);
    return row;
  }

  /** Never read from a copy: the last full snapshot and the patches since. */
  async #context(row: ExecutionRow): Promise<JsonObject> {
    const snapshot =
      row.context === null ? null : { seq: row.contextSeq, values: row.context, writers: row.contextWriters ?? {} };
    const { log, outputs } = await this.#store.load(row.id, snapshot?.seq ?? 0);
    const start = snapshot === null ? await this.#initialContext(row) : fromSnapshot(snapshot);
    return { trigger: row.input, ...foldLog(start, log, outputs).values };
  }

  async #initialContext(row: ExecutionRow) {
    const { definition } = await this.#workflows.pinned(row.workflowId, row.workflowVersion);
    return initialContext((definition as unknown as Definition).context ?? {}, row.input); // cast: published definitions are valid
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
