import type { UsageSummary } from "@oven/contract/ai";
import type { Database } from "@oven/db";
import { and, eq, gte, lt, type SQL, sql } from "@oven/db/drizzle";
import { aiUsageLogs } from "../tables/ai-usage-logs.table.ts";

export interface SummaryQuery {
  by: "day" | "model" | "workflow";
  /** Instants; `from` is part of it, `to` is not. */
  from?: Date | undefined;
  to?: Date | undefined;
  workflow?: string | undefined;
  agent?: string | undefined;
}

const MAX_GROUPS = 1_000;

const KEYS: Record<SummaryQuery["by"], SQL<string | null>> = {
  day: sql`to_char(${aiUsageLogs.createdAt} at time zone 'UTC', 'YYYY-MM-DD')`,
  model: sql`${aiUsageLogs.providerId} || ':' || ${aiUsageLogs.modelId}`,
  workflow: sql`${aiUsageLogs.workflow}`,
};

/** What a tenant's calls came to: days in order, models and workflows dearest first; 1,000 groups at most. */
export async function summarizeUsage(db: Database, tenantId: number, query: SummaryQuery): Promise<UsageSummary[]> {
  const { by, from, to, workflow, agent } = query;
  const { status, latencyMs, costMicros, tokenUsage } = aiUsageLogs;
  const tokens = (name: string) => sql<string>`coalesce(sum((${tokenUsage} ->> ${sql.raw(`'${name}'`)})::bigint), 0)`;
  const rows = await db.orm
    .select({
      key: KEYS[by].as("key"),
      calls: sql<string>`count(*)`,
      errors: sql<string>`count(*) filter (where ${status} <> 'ok')`,
      input: tokens("input"),
      output: tokens("output"),
      cached: tokens("cached"),
      reasoning: tokens("reasoning"),
      costMicros: sql<string>`coalesce(sum(${costMicros}), 0)`.as("cost"),
      latencyMs: sql<string | null>`round(avg(${latencyMs}) filter (where ${status} = 'ok'))`,
    })
    .from(aiUsageLogs)
    .where(
      and(
        eq(aiUsageLogs.tenantId, tenantId),
        from === undefined ? undefined : gte(aiUsageLogs.createdAt, from),
        to === undefined ? undefined : lt(aiUsageLogs.createdAt, to),
        workflow === undefined ? undefined : eq(aiUsageLogs.workflow, workflow),
        agent === undefined ? undefined : eq(aiUsageLogs.agent, agent),
      ),
    )
    .groupBy(sql`1`)
    .orderBy(by === "day" ? sql`1` : sql`cost desc`, sql`1`)
    .limit(MAX_GROUPS);
  return rows.map(({ key, latencyMs: mean, ...sums }) => ({
    key,
    calls: Number(sums.calls),
    errors: Number(sums.errors),
    input: Number(sums.input),
    output: Number(sums.output),
    cached: Number(sums.cached),
    reasoning: Number(sums.reasoning),
    costMicros: Number(sums.costMicros),
    latencyMs: mean === null ? null : Number(mean),
  }));
}
