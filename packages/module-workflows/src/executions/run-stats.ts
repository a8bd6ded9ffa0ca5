import { type Principal, SHARED_TENANT } from "@oven/contract";
import type { ExecutionStatus, RunStats, RunStatsQuery } from "@oven/contract/run";
import type { Database } from "@oven/db";
import { and, desc, eq, gt, inArray, isNull, type SQL, sql } from "@oven/db/drizzle";
import type { RunKind } from "../runtime/run-kinds.ts";

const MAX_GROUPS = 1_000;

/** What runs came to: days in order, workflows with the most runs first. `bounds`: which of them the principal may see. */
export async function summarizeRuns(
  db: Database,
  { tables: { executions: table, workflows } }: RunKind,
  { tenantId }: Principal,
  { by, days }: RunStatsQuery,
  bounds: SQL | undefined,
): Promise<RunStats[]> {
  const key: SQL<string> =
    by === "day"
      ? sql<string>`to_char(${table.createdAt} at time zone 'UTC', 'YYYY-MM-DD')`
      : sql<string>`${table.workflowId}::text`;
  const took = sql`extract(epoch from ${table.completedAt} - ${table.startedAt}) * 1000`;
  const rows = await db.orm
    .select({
      key: key.as("key"),
      runs: sql<string>`count(*)`.as("runs"),
      completed: sql<string>`count(*) filter (where ${table.status} = 'completed')`,
      failed: sql<string>`count(*) filter (where ${table.status} = 'failed')`,
      tokens: sql<string>`coalesce(sum((${table.tokenUsage} ->> 'total')::bigint), 0)`,
      costMicros: sql<string>`coalesce(sum(${table.costMicros}), 0)`,
      medianMs: sql<string | null>`percentile_cont(0.5) within group (order by ${took})`,
      p95Ms: sql<string | null>`percentile_cont(0.95) within group (order by ${took})`,
      lastId: sql<string>`max(${table.id})`,
    })
    .from(table)
    .where(
      and(
        inArray(table.tenantId, [tenantId, SHARED_TENANT]),
        isNull(table.parentId),
        gt(table.workflowVersion, 0),
        sql`${table.createdAt} >= now() - make_interval(days => ${days}::int)`,
        bounds,
      ),
    )
    .groupBy(sql`1`)
    .orderBy(by === "day" ? sql`1` : desc(sql`runs`), sql`1`)
    .limit(MAX_GROUPS);
  const last = await lastRuns(rows.map(({ lastId }) => Number(lastId)));
  return rows.flatMap(({ key: group, medianMs, p95Ms, lastId, ...sums }) => {
    const run = last.get(Number(lastId));
    if (run === undefined) return [];
    return {
      key: group,
      name: by === "workflow" ? run.name : null,
      runs: Number(sums.runs),
      completed: Number(sums.completed),
      failed: Number(sums.failed),
      tokens: Number(sums.tokens),
      costMicros: Number(sums.costMicros),
      medianMs: toMs(medianMs),
      p95Ms: toMs(p95Ms),
      last: { id: Number(lastId), status: run.status as ExecutionStatus, at: run.at.toISOString() }, // cast: only the engine writes it
    };
  });

  async function lastRuns(ids: readonly number[]) {
    if (ids.length === 0) return new Map<number, { status: string; at: Date; name: string }>();
    const found = await db.orm
      .select({ id: table.id, status: table.status, at: table.createdAt, name: workflows.name })
      .from(table)
      .innerJoin(workflows, eq(workflows.id, table.workflowId))
      .where(inArray(table.id, [...ids]));
    return new Map(found.map(({ id, ...run }) => [id, run]));
  }
}

/** A duration is never negative, although begin and end may come from two clocks. */
function toMs(text: string | null): number | null {
  return text === null ? null : Math.max(0, Number(text));
}
