import type { Json } from "@oven/contract";
import type { EventSubscription, SubscriptionDelivery } from "@oven/contract/trigger";
import type { Queryable } from "@oven/db";
import type { eventSubscriptions, subscriptionDeliveries } from "../schema.ts";

export type SubscriptionRow = typeof eventSubscriptions.$inferSelect;
export type SubscriptionDeliveryRow = typeof subscriptionDeliveries.$inferSelect;

/** So long one process has a delivery to itself; after a crash another one takes it. Longer than an attempt takes. */
const CLAIM_SECONDS = 60;
/** Of one subscription at once, so that a slow receiver takes no place of others. */
export const MOST_OF_ONE = 5;

export interface NewSubscriptionDelivery {
  key: string;
  messageId: string;
  event: string;
  occurredAt: Date;
  payload: Json;
  replayOf?: number;
}

/** Writes down what is to be sent; what is known by its key already is left out. @returns its id, when it is new */
export async function insertSubscriptionDelivery(
  db: Queryable,
  subscription: { id: number; tenantId: number },
  { key, messageId, event, occurredAt, payload, replayOf }: NewSubscriptionDelivery,
  now: Date,
  isClaimed = false,
): Promise<number | undefined> {
  const due = new Date(now.getTime() + (isClaimed ? CLAIM_SECONDS * 1_000 : 0));
  const [row] = await db.query<{ id: number }>(
    `insert into subscription_deliveries
       (tenant_id, subscription_id, key, message_id, event, occurred_at, payload, next_attempt_at, replay_of, attempts, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict (subscription_id, key) do nothing returning id`,
    [
      subscription.tenantId,
      subscription.id,
      key,
      messageId,
      event,
      occurredAt.toISOString(),
      JSON.stringify(payload),
      due.toISOString(),
      replayOf ?? null,
      isClaimed ? 1 : 0,
      now.toISOString(),
    ],
    "subscription-delivery-insert",
  );
  return row?.id;
}

/** Takes what is due, a few of each subscription; of those in `except` nothing. */
export async function claimSubscriptionDeliveries(
  db: Queryable,
  now: Date,
  { limit, except }: { limit: number; except: readonly number[] },
): Promise<{ id: number; subscription_id: number }[]> {
  return db.query<{ id: number; subscription_id: number }>(
    `update subscription_deliveries set attempts = attempts + 1,
       next_attempt_at = $1::timestamptz + make_interval(secs => ${CLAIM_SECONDS})
     where id in (
       select d.id from subscription_deliveries d where d.status = 'pending' and d.next_attempt_at <= $1 and d.id in (
         select due.id from event_subscriptions s cross join lateral (
           select o.id from subscription_deliveries o
           where o.subscription_id = s.id and o.status = 'pending' and o.next_attempt_at <= $1
           order by o.next_attempt_at limit ${MOST_OF_ONE}) due
         where s.enabled and not (s.id = any($2::bigint[])))
       order by d.next_attempt_at limit $3 for update of d skip locked)
     returning id, subscription_id`,
    [now.toISOString(), [...except], limit],
    "subscription-delivery-claim",
  );
}

/** The first instant after this one at which something is to be sent. */
export async function nextAttemptAfter(db: Queryable, instant: Date): Promise<Date | undefined> {
  const [row] = await db.query<{ at: Date | null }>(
    `select min(n.at) as at from event_subscriptions s cross join lateral (
       select d.next_attempt_at as at from subscription_deliveries d
       where d.subscription_id = s.id and d.status = 'pending' and d.next_attempt_at > $1
       order by d.next_attempt_at limit 1) n
     where s.enabled`,
    [instant.toISOString()],
    "subscription-delivery-next",
  );
  return row?.at ?? undefined;
}

export function toSubscription(row: SubscriptionRow): EventSubscription {
  const { id, name, url, events, secret, headers, enabled, createdAt, updatedAt } = row;
  return {
    id,
    name,
    url,
    events,
    secret,
    headers,
    enabled,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

export function toSubscriptionDelivery(row: SubscriptionDeliveryRow): SubscriptionDelivery {
  return {
    id: row.id,
    subscriptionId: row.subscriptionId,
    messageId: row.messageId,
    event: row.event,
    payload: row.payload as Json, // cast: written as JSON
    status: row.status,
    attempts: row.attempts,
    lastStatus: row.lastStatus,
    lastError: row.lastError,
    nextAttemptAt: row.status === "pending" ? row.nextAttemptAt.toISOString() : null,
    replayOf: row.replayOf,
    createdAt: row.createdAt.toISOString(),
    deliveredAt: row.deliveredAt?.toISOString() ?? null,
  };
}
