import type { Queryable } from "@oven/db";
import { type Finding, ofInstallation } from "./finding.ts";
import { hasTable } from "./read-published.ts";

/** Deliveries that were given up, by table: which, when, and why. */
const FAILED = {
  notifications: ["notification_deliveries", "status = 'failed'", "created_at", "reason"],
  "event subscriptions": ["subscription_deliveries", "status = 'dead'", "created_at", "last_error"],
  events: ["outbox_deliveries", "failed_at is not null", "failed_at", "last_error"],
} as const;
const DAYS = 7;
const RUNS = ["workflow_executions", "agent_workflow_executions"];
const MOST_SHOWN = 200;

/** What was to leave this installation in the last days and did not. */
export async function findFailedDeliveries(db: Queryable): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [name, [table, failed, at, why]] of Object.entries(FAILED)) {
    if (!(await hasTable(db, table))) continue;
    const [row] = await db.query<{ count: number; last: string | null }>(
      `select count(*)::int as count, (array_agg(${why} order by ${at} desc))[1] as last from ${table}
       where ${failed} and ${at} > now() - interval '${DAYS} days'`,
    );
    if (row === undefined || row.count === 0) continue;
    const last = row.last === null ? "" : `, the last one: ${row.last.slice(0, MOST_SHOWN)}`;
    findings.push(
      ofInstallation(
        "deliveries of",
        name,
        `${row.count} were given up in the last ${DAYS} days${last}`,
        "Correct what they are sent to, and send them again from their lists.",
      ),
    );
  }
  return findings;
}

/** Runs that are due and that no worker has, and wake-ups in the queue. */
export async function noteOnQueue(db: Queryable): Promise<string[]> {
  let count = 0;
  let oldest: Date | undefined;
  for (const table of RUNS) {
    if (!(await hasTable(db, table))) continue;
    const [row] = await db.query<{ count: number; oldest: Date | null }>(
      `select count(*)::int as count, min(wake_at) as oldest from ${table}
       where wake_at < now() and (lease_until is null or lease_until < now())`,
    );
    count += row?.count ?? 0;
    if (row?.oldest != null && (oldest === undefined || row.oldest < oldest)) oldest = row.oldest;
  }
  if (oldest === undefined) return [];
  const [wakeUps] = (await hasTable(db, "pgboss.job"))
    ? await db.query<{ count: number }>(
        "select count(*)::int as count from pgboss.job where name = 'oven-run' and state < 'active' and start_after <= now()",
      )
    : [];
  return [
    `${count === 1 ? "One run is" : `${count} runs are`} due and no worker has ${count === 1 ? "it" : "them"}, the oldest since ${oldest.toISOString()}; ${wakeUps?.count ?? 0} wake-ups are in the queue. They go on when a server or worker runs that has room.`,
  ];
}
