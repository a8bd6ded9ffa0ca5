import type { Queue } from "@oven/contract/system";
import type { Database } from "@oven/db";
import type { Clock } from "@oven/engine";
import type { BossQueue } from "../runtime/boss-queue.ts";
import { namesOf, type RunKinds, stuckCondition } from "../runtime/run-kinds.ts";

/** How many of the newest runs are looked at for what ended lately: they have no index by their end. */
const NEWEST = 100_000;
const HOUR_MS = 3_600_000;

interface Counted extends Record<string, unknown> {
  count: number;
  oldest: Date | null;
}

/** Counts what waits and what came of the last hour, of all tenants. */
export async function countQueue({
  db,
  kinds,
  clock,
  queue,
}: {
  db: Database;
  kinds: RunKinds;
  clock: Clock;
  queue: BossQueue;
}): Promise<Queue> {
  const all = kinds.all();
  const live = `select status, created_at, wake_at, lease_until from (${all
    .map(
      (kind) => `select status, created_at, wake_at, lease_until from ${namesOf(kind).executions}
      where status in ('pending', 'running', 'paused')`,
    )
    .join(" union all ")}) live`;
  const statuses = await db.query<Counted & { status: string }>(
    `select status, count(*)::int as count, min(created_at) as oldest from (${live}) l group by status`,
  );
  const now = new Date(clock.now());
  const [timers] = await db.query<{ count: number; next: Date | null }>(
    `select count(*)::int as count, min(wake_at) as next from (${live}) l where status = 'running' and wake_at > $1`,
    [now],
  );
  const stuck = all
    .map((kind) => `select created_at from ${namesOf(kind).executions} e where ${stuckCondition(all, "$1")}`)
    .join(" union all ");
  const [overdue] = await db.query<Counted>(
    `select count(*)::int as count, min(created_at) as oldest from (${stuck}) s`,
    [now],
  );
  const ended = all
    .map(
      (kind) => `select status, completed_at, id from ${namesOf(kind).executions}
      where id > (select coalesce(max(id), 0) - ${NEWEST} from ${namesOf(kind).executions})`,
    )
    .join(" union all ");
  const lastHour = await db.query<{ status: string; count: number }>(
    `select status, count(*)::int as count from (${ended}) e where completed_at > $1 group by status`,
    [new Date(clock.now() - HOUR_MS)],
  );
  const of = (status: string) => toCounted(statuses.find((row) => row.status === status));
  const endedAs = (status: string) => lastHour.find((row) => row.status === status)?.count ?? 0;
  return {
    pending: of("pending"),
    running: of("running"),
    paused: of("paused"),
    timers: { count: timers?.count ?? 0, next: toInstant(timers?.next) },
    overdue: toCounted(overdue),
    wakeUps: await queue.depth(),
    lastHour: { completed: endedAs("completed"), failed: endedAs("failed"), cancelled: endedAs("cancelled") },
  };
}

function toCounted(row: Counted | undefined): Queue["pending"] {
  return { count: row?.count ?? 0, oldest: toInstant(row?.oldest) };
}

function toInstant(at: Date | null | undefined): string | null {
  return at == null ? null : new Date(at).toISOString();
}
