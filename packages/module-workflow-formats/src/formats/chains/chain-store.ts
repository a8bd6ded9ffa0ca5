import { notFound } from "@oven/contract";
import type { ChainScheduleType, ChainStatus } from "@oven/contract/formats/chains.ts";
import type { TokenUsage } from "@oven/contract/node";
import type { Database } from "@oven/db";
import { and, desc, eq, sql } from "@oven/db/drizzle";
import type { Owner } from "../../shared/owner.ts";
import { RunContinuations } from "../../shared/run-continuations.ts";
import { freeSlug } from "../../shared/slug.ts";
import { executorChains } from "./tables/executor-chains.table.ts";

export type ChainRow = typeof executorChains.$inferSelect;
export type NewChainRow = typeof executorChains.$inferInsert;

export interface UsageOfNode {
  execution: number;
  node: string;
  model: string;
  used: TokenUsage;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The rows of chains, one user's. */
export class ChainStore {
  readonly continuations: RunContinuations;
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
    this.continuations = new RunContinuations(db);
  }

  list(
    owner: Owner,
    filter: { status?: ChainStatus | undefined; scheduleType?: ChainScheduleType | undefined },
  ): Promise<ChainRow[]> {
    const { status, scheduleType } = filter;
    return this.#db.orm
      .select()
      .from(executorChains)
      .where(
        and(
          of(owner),
          status === undefined ? undefined : eq(executorChains.status, status),
          scheduleType === undefined ? undefined : eq(executorChains.scheduleType, scheduleType),
        ),
      )
      .orderBy(desc(executorChains.id));
  }

  /** By its UUID or its slug. @param change it is to be changed: others wait. @throws OvenError NOT_FOUND */
  async get(owner: Owner, id: string, change = false): Promise<ChainRow> {
    const { uuid, slug } = executorChains;
    const query = this.#db.orm
      .select()
      .from(executorChains)
      .where(and(of(owner), UUID.test(id) ? eq(uuid, id.toLowerCase()) : eq(slug, id)));
    const [row] = await (change ? query.for("update") : query);
    if (row === undefined) throw notFound("workflow", id);
    return row;
  }

  async insert(row: NewChainRow): Promise<ChainRow> {
    const [inserted] = await this.#db.orm.insert(executorChains).values(row).returning();
    if (inserted === undefined) throw new Error("an insert answered no row");
    return inserted;
  }

  async update(uuid: string, change: Partial<NewChainRow>): Promise<ChainRow> {
    const [row] = await this.#db.orm
      .update(executorChains)
      .set({ ...change, updatedAt: sql`clock_timestamp()` })
      .where(eq(executorChains.uuid, uuid))
      .returning();
    if (row === undefined) throw notFound("workflow", uuid);
    return row;
  }

  async delete({ uuid, agentWorkflowId }: ChainRow): Promise<void> {
    await this.continuations.forgetRuns(agentWorkflowId);
    await this.#db.orm.delete(executorChains).where(eq(executorChains.uuid, uuid));
  }

  /** The chains whose agent workflow somebody deleted. */
  async forget(agentWorkflowId: number): Promise<void> {
    await this.#db.orm.delete(executorChains).where(eq(executorChains.agentWorkflowId, agentWorkflowId));
  }

  /** The slug itself, or the first with a number behind it that is free. */
  async freeSlug(owner: Owner, wanted: string): Promise<string> {
    const rows = await this.#db.orm.select({ slug: executorChains.slug }).from(executorChains).where(of(owner));
    return freeSlug(wanted, new Set(rows.map(({ slug }) => slug)));
  }

  /** The zone that a user has chosen. */
  async zoneOf({ userId }: Owner): Promise<string | undefined> {
    const [row] = await this.#db.query<{ timezone: string | null }>(
      "select preferences->>'timezone' as timezone from notification_preferences where user_id = $1",
      [userId],
    );
    return row?.timezone ?? undefined;
  }

  /** The next instant of each trigger. */
  async dueTimes(triggerIds: readonly number[]): Promise<Map<number, Date | null>> {
    if (triggerIds.length === 0) return new Map();
    const rows = await this.#db.query<{ id: number; due_at: Date | string | null }>(
      "select id, due_at from triggers where id = any($1::bigint[]) and enabled",
      [[...triggerIds]],
    );
    return new Map(rows.map(({ id, due_at }) => [Number(id), due_at === null ? null : new Date(due_at)]));
  }

  /** By what it was compiled to. @throws OvenError NOT_FOUND */
  async byCompiled(owner: Owner, agentWorkflowId: number): Promise<ChainRow> {
    const [row] = await this.#db.orm
      .select()
      .from(executorChains)
      .where(and(of(owner), eq(executorChains.agentWorkflowId, agentWorkflowId)));
    if (row === undefined) throw notFound("workflow", agentWorkflowId);
    return row;
  }

  /** The runs of single items of loops. */
  async childrenOf(executionIds: readonly number[]): Promise<number[]> {
    const rows = await this.#db.query<{ id: number }>(
      "select id from agent_workflow_executions where parent_id = any($1::bigint[]) order by id",
      [[...executionIds]],
    );
    return rows.map(({ id }) => Number(id));
  }

  /** The conversation that an execution belongs to; null: none. */
  async sessionOf(executionId: number): Promise<number | null> {
    const [row] = await this.#db.query<{ session_id: number | null }>(
      "select session_id from agent_workflow_executions where id = $1",
      [executionId],
    );
    return row?.session_id == null ? null : Number(row.session_id);
  }

  /** What models were asked in executions, call by call. */
  async usageOf(executionIds: readonly number[]): Promise<UsageOfNode[]> {
    const rows = await this.#db.query<{ execution: number; node: string | null; model: string; used: TokenUsage }>(
      `select execution_id as execution, node_id as node, model_id as model, token_usage as used from ai_usage_logs
       where execution_id = any($1::bigint[]) and operation in ('generate', 'stream') order by id`,
      [[...executionIds]],
    );
    return rows.map(({ execution, node, model, used }) => ({
      execution: Number(execution),
      node: node ?? "",
      model,
      used,
    }));
  }

  /** Runs of chains, newest first: what they began with, and what they are by now. */
  async runs(
    owner: Owner,
    filter: { agentWorkflowId?: number | undefined; failed?: boolean; live?: boolean; limit: number },
  ): Promise<{ first: number; newest: number; workflow: number }[]> {
    const { tenantId, userId } = owner;
    const rows = await this.#db.query<{ first: number; newest: number; workflow: number }>(
      `select * from (
         select e.id as first, coalesce(n.id, e.id) as newest, c.agent_workflow_id as workflow, coalesce(n.status, e.status) as status,
           case when n.id is null then e.outcome else n.outcome end as outcome
         from executor_chains c
         join agent_workflow_executions e on e.agent_workflow_id = c.agent_workflow_id and e.parent_id is null
         left join lateral (
           select x.id, x.status, x.outcome from executor_chain_resumes r join agent_workflow_executions x on x.id = r.execution_id
           where r.first_id = e.id order by r.execution_id desc limit 1) n on true
         where c.tenant_id = $1 and c.user_id = $2 and ($3::bigint is null or c.agent_workflow_id = $3)
           and not exists (select 1 from executor_chain_resumes r where r.execution_id = e.id)) runs
       where (not $4::boolean or status = 'failed' or outcome = 'partial_success')
         and (not $5::boolean or status in ('pending', 'running', 'paused'))
       order by first desc limit $6`,
      [tenantId, userId, filter.agentWorkflowId ?? null, filter.failed ?? false, filter.live ?? false, filter.limit],
    );
    return rows.map(({ first, newest, workflow }) => ({
      first: Number(first),
      newest: Number(newest),
      workflow: Number(workflow),
    }));
  }

  /** How many runs each workflow has had, and how they ended. */
  async tallies(
    agentWorkflowIds: readonly number[],
  ): Promise<Map<number, { total: number; good: number; bad: number }>> {
    if (agentWorkflowIds.length === 0) return new Map();
    const rows = await this.#db.query<{ workflow: number; total: number; good: number; bad: number }>(
      `select workflow, count(*)::int as total, (count(*) filter (where status = 'completed' and outcome is distinct from 'partial_success'))::int as good,
         (count(*) filter (where status = 'failed' or outcome = 'partial_success'))::int as bad
       from (select e.agent_workflow_id as workflow, coalesce(n.status, e.status) as status, case when n.id is null then e.outcome else n.outcome end as outcome
         from agent_workflow_executions e
         left join lateral (
           select x.id, x.status, x.outcome from executor_chain_resumes r join agent_workflow_executions x on x.id = r.execution_id
           where r.first_id = e.id order by r.execution_id desc limit 1) n on true
         where e.agent_workflow_id = any($1::bigint[]) and e.parent_id is null
           and not exists (select 1 from executor_chain_resumes r where r.execution_id = e.id)) runs
       group by workflow`,
      [[...agentWorkflowIds]],
    );
    return new Map(rows.map(({ workflow, ...tally }) => [Number(workflow), tally]));
  }
}

const of = ({ tenantId, userId }: Owner) =>
  and(eq(executorChains.tenantId, tenantId), eq(executorChains.userId, userId));
