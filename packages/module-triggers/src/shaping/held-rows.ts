import type { Queryable } from "@oven/db";
import { comeLater } from "../deliveries/come-later.ts";

/** Of one trigger; what comes beyond is asked to come later. */
export const MAX_HELD_EVENTS = 10_000;
const MAX_HELD_BYTES = 64 * 1_048_576;

export type Holder = "debounce" | "batch" | "rate";

/** A delivery, as the process that has its trigger to itself sees it. */
export interface ShapedRow extends Record<string, unknown> {
  id: number;
  decision: string;
  is_batch: boolean;
  shaped_at: Date | null;
  hold_kind: Holder | null;
  held_key: string | null;
  held_until: Date | null;
  held_since: Date | null;
  group_id: number | null;
  received_at: Date;
  bytes: number;
}

export interface Held {
  by: Holder;
  key: string;
  since: Date;
  until: Date;
  groupId: number | null;
  bytes: number;
  reason: string;
}

/**
 * What happens to the held events of a trigger happens one after the other, in all processes, until the transaction ends. Saving the
 * trigger waits for it, too.
 * @returns false: it was deleted meanwhile
 */
export async function lockTrigger(tx: Queryable, triggerId: number): Promise<boolean> {
  const rows = await tx.query(
    "select id from triggers where id = $1 for no key update",
    [triggerId],
    "trigger-shaping-lock",
  );
  return rows.length > 0;
}

export async function readShaped(tx: Queryable, id: number): Promise<ShapedRow | undefined> {
  const [row] = await tx.query<ShapedRow>(
    `select id, decision, is_batch, shaped_at, hold_kind, held_key, held_until, held_since, group_id, received_at,
       octet_length(payload::text) as bytes from trigger_deliveries where id = $1`,
    [id],
    "trigger-shaping-row",
  );
  return row;
}

/** @throws OvenError TOO_MANY_REQUESTS 429 when too much is held already */
export async function requireRoom(tx: Queryable, triggerId: number, bytes: number): Promise<void> {
  const [held] = await tx.query<{ count: number; bytes: number }>(
    `select count(*)::int as count, coalesce(sum(held_bytes), 0)::float8 as bytes from trigger_deliveries
     where trigger_id = $1 and decision = 'held'`,
    [triggerId],
    "trigger-held",
  );
  if (held === undefined) return;
  if (held.count >= MAX_HELD_EVENTS) throw comeLater(`The trigger holds ${held.count} events already`);
  if (held.bytes + bytes > MAX_HELD_BYTES) throw comeLater(`The trigger holds ${held.bytes} bytes of events already`);
}

export async function hold(tx: Queryable, id: number, { by, key, since, until, groupId, bytes, reason }: Held) {
  await tx.query(
    `update trigger_deliveries set decision = 'held', hold_kind = $2, held_key = $3, held_since = $4, held_until = $5,
       next_attempt_at = $5, group_id = $6, held_bytes = $7, reason = $8 where id = $1`,
    [id, by, key, since.toISOString(), until.toISOString(), groupId, bytes, reason],
    "trigger-hold",
  );
}

/** The shaping has nothing more against it: it is behind all that is ready already. @param isClaimed the caller that let it through goes on with it */
export async function letThrough(tx: Queryable, id: number, now: Date, isClaimed: boolean): Promise<void> {
  await tx.query(
    `update trigger_deliveries set decision = 'received', shaped_at = $2, held_until = null, reason = null, attempts = 1,
       queue_position = nextval(pg_get_serial_sequence('trigger_deliveries', 'id')),
       next_attempt_at = case when $3 then next_attempt_at else $2 end where id = $1`,
    [id, now.toISOString(), isClaimed],
    "trigger-let-through",
  );
}

/** A later event took its place; which one starts the run is known when that is let through. */
export async function giveWay(tx: Queryable, id: number, groupId: number, now: Date): Promise<void> {
  await tx.query(
    `update trigger_deliveries set decision = 'merged', reason = 'A later event took its place', group_id = $2,
       held_until = null, decided_at = $3 where id = $1`,
    [id, groupId, now.toISOString()],
    "trigger-give-way",
  );
}

export async function nameLast(tx: Queryable, groupId: number, id: number): Promise<void> {
  await tx.query(
    "update trigger_deliveries set merged_into = $2 where group_id = $1 and id <> $2 and decision = 'merged'",
    [groupId, id],
    "trigger-name-last",
  );
}

/**
 * One delivery with the events of a batch, in the order in which they arrived; theirs are merged into it.
 * @param isReady it has no rate to keep
 * @returns the delivery; undefined: others made it already
 */
export async function closeBatch(
  tx: Queryable,
  groupId: number,
  { now, isReady }: { now: Date; isReady: boolean },
): Promise<number | undefined> {
  const [batch] = await tx.query<{ id: number }>(
    `insert into trigger_deliveries
       (tenant_id, trigger_id, key, event, payload, received_at, next_attempt_at, depth, is_batch, group_id, shaped_at)
     select tenant_id, trigger_id, 'batch:' || group_id,
       case when count(distinct event) = 1 and count(event) = count(*) then min(event) end,
       json_build_object('events', json_agg(payload order by id)), $2::timestamptz, $2::timestamptz, max(depth), true, group_id,
       case when $3 then $2::timestamptz end
     from trigger_deliveries where group_id = $1 and decision = 'held' and hold_kind = 'batch'
     group by tenant_id, trigger_id, group_id
     on conflict (trigger_id, key) do nothing returning id`,
    [groupId, now.toISOString(), isReady],
    "trigger-close-batch",
  );
  if (batch === undefined) return undefined;
  await tx.query(
    `update trigger_deliveries set decision = 'merged', merged_into = $2, reason = null, held_until = null, decided_at = $3
     where group_id = $1 and decision = 'held' and hold_kind = 'batch'`,
    [groupId, batch.id, now.toISOString()],
    "trigger-merge-batch",
  );
  return batch.id;
}

/** Switching a trigger off starts nothing of what it holds. */
export async function dropHeld(tx: Queryable, triggerId: number): Promise<void> {
  await tx.query(
    `update trigger_deliveries set decision = 'skipped', reason = 'The trigger was switched off while it was held',
       held_until = null, decided_at = now() where trigger_id = $1 and decision = 'held'`,
    [triggerId],
  );
}
