import type { NotificationDelivery } from "@oven/contract/system";
import type { Database, Queryable } from "@oven/db";
import type { notificationDeliveries } from "../schema.ts";

export type DeliveryRow = typeof notificationDeliveries.$inferSelect;

/** So long one process has a message to itself; after a crash another one takes it. Longer than any attempt. */
const CLAIM_SECONDS = 60;
const MAX_ATTEMPTS = 8;
const FIRST_WAIT_MS = 10_000;

/** Messages that are due and go alone, the oldest first. No other process has them meanwhile. */
export async function claimSingles(db: Queryable, now: Date, limit: number): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `update notification_deliveries set attempts = attempts + 1,
       next_attempt_at = $1::timestamptz + make_interval(secs => ${CLAIM_SECONDS})
     where id in (select id from notification_deliveries
       where status = 'pending' and not digest and next_attempt_at <= $1
       order by id limit $2 for update skip locked)
     returning id`,
    [now.toISOString(), limit],
    "notification-claim",
  );
  return rows.map(({ id }) => id);
}

/** All that is due of somebody whose messages go together. */
export async function claimDigest(db: Queryable, now: Date): Promise<number[]> {
  const [oldest] = await db.query<{ tenant_id: number; recipient: string }>(
    `select tenant_id, recipient from notification_deliveries
     where status = 'pending' and digest and next_attempt_at <= $1 order by id limit 1`,
    [now.toISOString()],
    "notification-digest",
  );
  if (oldest === undefined) return [];
  // Another process that found the same waits here, and then finds nothing.
  const rows = await db.query<{ id: number }>(
    `update notification_deliveries set attempts = attempts + 1,
       next_attempt_at = $1::timestamptz + make_interval(secs => ${CLAIM_SECONDS})
     where id in (select id from notification_deliveries
       where tenant_id = $2 and recipient = $3 and digest and status = 'pending' and next_attempt_at <= $1
       order by id for update)
     returning id`,
    [now.toISOString(), oldest.tenant_id, oldest.recipient],
    "notification-claim-digest",
  );
  return rows.map(({ id }) => id);
}

/** The first instant after this one at which a message is to be sent. */
export async function nextAttemptAfter(db: Queryable, instant: Date): Promise<Date | undefined> {
  const [row] = await db.query<{ at: Date | null }>(
    "select min(next_attempt_at) as at from notification_deliveries where status = 'pending' and next_attempt_at > $1",
    [instant.toISOString()],
    "notification-next",
  );
  return row?.at ?? undefined;
}

export async function settle(
  db: Queryable,
  ids: readonly number[],
  status: "sent" | "skipped" | "failed",
  reason: string | null,
  now: Date,
): Promise<void> {
  await db.query(
    `update notification_deliveries set status = $2, reason = $3, sent_at = case when $2 = 'sent' then $4::timestamptz end
     where id = any($1::bigint[])`,
    [ids, status, reason, now.toISOString()],
    "notification-settle",
  );
}

/** Tried again later, each as often as it has attempts left. */
export async function postpone(db: Database, rows: readonly DeliveryRow[], reason: string, now: Date): Promise<void> {
  for (const { id, attempts } of rows) {
    if (attempts >= MAX_ATTEMPTS) {
      await settle(db, [id], "failed", reason, now);
      continue;
    }
    const wait = FIRST_WAIT_MS * 2 ** Math.max(0, attempts - 1);
    await db.query(
      "update notification_deliveries set reason = $2, next_attempt_at = $3 where id = $1",
      [id, reason, new Date(now.getTime() + wait).toISOString()],
      "notification-postpone",
    );
  }
}

export function toNotificationDelivery(row: DeliveryRow): NotificationDelivery {
  return {
    id: row.id,
    ruleId: row.ruleId,
    channel: row.channel,
    recipient: row.recipient,
    kind: row.kind,
    eventKey: row.eventKey,
    subject: row.subject,
    text: row.text,
    link: row.link,
    facts: row.facts,
    status: row.status,
    reason: row.reason,
    attempts: row.attempts,
    digest: row.digest,
    replayOf: row.replayOf,
    nextAttemptAt: row.nextAttemptAt.toISOString(),
    sentAt: row.sentAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}
