import type { EvalResult, EvalRun } from "@oven/contract/eval";
import type { Queryable } from "@oven/db";
import type { evalResults, evalRuns } from "../schema.ts";

export type RunRow = typeof evalRuns.$inferSelect;
export type ResultRow = typeof evalResults.$inferSelect;

interface Totals extends Record<string, unknown> {
  run_id: number;
  cases: number;
  passed: number;
  failed: number;
  errors: number;
  tokens: number;
  cost_micros: number;
}

/** Runs as they are shown, with what their results add up to. */
export async function toRuns(db: Queryable, rows: readonly RunRow[]): Promise<EvalRun[]> {
  if (rows.length === 0) return [];
  const totals = await db.query<Totals>(
    `select run_id, count(*)::int as cases,
       count(*) filter (where status = 'passed')::int as passed,
       count(*) filter (where status = 'failed')::int as failed,
       count(*) filter (where status = 'error')::int as errors,
       coalesce(sum(tokens), 0)::float8 as tokens, coalesce(sum(cost_micros), 0)::float8 as cost_micros
     from eval_results where run_id = any($1::bigint[]) group by run_id`,
    [rows.map(({ id }) => id)],
    "eval-totals",
  );
  const byRun = new Map(totals.map((total) => [Number(total.run_id), total]));
  return rows.map((row) => toRun(row, byRun.get(row.id)));
}

function toRun(row: RunRow, totals: Totals | undefined): EvalRun {
  const { cases = 0, passed = 0, failed = 0, errors = 0, tokens = 0, cost_micros: costMicros = 0 } = totals ?? {};
  const ended = passed + failed + errors;
  return {
    id: row.id,
    datasetId: row.datasetId,
    target: { kind: row.targetKind, id: row.targetId, version: row.targetVersion },
    status: row.status,
    mode: row.mode,
    recording: row.recording,
    concurrency: row.concurrency,
    allowEffects: row.allowEffects,
    ...{ cases, passed, failed, errors, tokens, costMicros },
    passRate: ended === 0 ? null : passed / ended,
    durationMs: row.endedAt === null || row.startedAt === null ? null : row.endedAt.getTime() - row.startedAt.getTime(),
    startedBy: row.principal.userId,
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
  };
}

export function toResult(row: ResultRow): EvalResult {
  return {
    id: row.id,
    runId: row.runId,
    caseId: row.caseId,
    caseName: row.caseName,
    position: row.position,
    tags: row.tags,
    status: row.status,
    executionKind: row.executionKind,
    executionId: row.executionId,
    input: row.input,
    output: (row.output ?? null) as EvalResult["output"], // cast: written as JSON
    score: row.score,
    checks: row.checks,
    error: row.error ?? null,
    tokens: row.tokens,
    costMicros: row.costMicros,
    durationMs: row.durationMs,
    startedAt: row.startedAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
  };
}
