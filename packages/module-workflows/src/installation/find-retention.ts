import type { ExecutionKind } from "@oven/contract/run";
import type { RetentionState } from "@oven/contract/system";
import type { Database } from "@oven/db";
import type { Clock } from "@oven/engine";
import type { ConfigService } from "@oven/module-registry";
import { resolveCutoffs } from "../retention/retention-config.ts";
import { lastDay } from "../retention/retention-lease.ts";
import { namesOf, type RunKinds } from "../runtime/run-kinds.ts";

const DAY_MS = 86_400_000;

/** What retention keeps of a tenant, what is old enough to go, and what goes next. */
export async function findRetention(
  { db, kinds, clock, config }: { db: Database; kinds: RunKinds; clock: Clock; config: Pick<ConfigService, "resolve"> },
  tenantId: number,
): Promise<RetentionState> {
  const cutoffs = await resolveCutoffs(config, tenantId, clock.now());
  const runDays = Math.round((clock.now() - cutoffs.runs.getTime()) / DAY_MS);
  const events = { module: "module-registry", key: "RETENTION_EVENTS_DAYS", tenantId };
  const ended = kinds
    .all()
    .map(
      (kind) => `select id, '${kind.kind.kind}' as kind, completed_at, context_seq from ${namesOf(kind).executions}
        where tenant_id = $1 and completed_at is not null`,
    )
    .join(" union all ");
  const [due] = await db.query<{ details: number; runs: number }>(
    `select count(*) filter (where completed_at < $2 and context_seq >= 0)::int as details,
       count(*) filter (where completed_at < $3)::int as runs from (${ended}) e`,
    [tenantId, cutoffs.details, cutoffs.runs],
  );
  const [next] = await db.query<{ id: number; kind: ExecutionKind; completed_at: Date }>(
    `select id, kind, completed_at from (${ended}) e where context_seq >= 0 order by completed_at limit 1`,
    [tenantId],
  );
  const endedAt = next === undefined ? undefined : new Date(next.completed_at);
  return {
    detailDays: cutoffs.detailDays,
    runDays,
    eventDays: Number((await config.resolve(events)).value),
    due: { details: due?.details ?? 0, runs: due?.runs ?? 0 },
    next:
      next === undefined || endedAt === undefined
        ? null
        : {
            id: next.id,
            kind: next.kind,
            endedAt: endedAt.toISOString(),
            dueAt: new Date(endedAt.getTime() + cutoffs.detailDays * DAY_MS).toISOString(),
          },
    lastPass: await lastDay(db),
  };
}
