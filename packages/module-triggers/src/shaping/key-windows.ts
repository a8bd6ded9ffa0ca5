import type { Queryable } from "@oven/db";
import type { ShapedRow } from "./held-rows.ts";

/** What came to nothing does not count: it may be sent again. */
const COUNTS = "decision not in ('filtered', 'skipped', 'refused', 'failed')";

/**
 * The delivery that came with a key before. If there is none, this one is from now on.
 * @returns its id
 */
export async function firstWithKey(
  tx: Queryable,
  triggerId: number,
  { id, received_at }: ShapedRow,
  key: string,
  withinMs: number,
): Promise<number | undefined> {
  const since = new Date(received_at.getTime() - withinMs).toISOString();
  const [first] = await tx.query<{ id: number }>(
    `select id from trigger_deliveries
     where trigger_id = $1 and dedupe_key = $2 and received_at > $3 and id <> $4 and ${COUNTS} order by id limit 1`,
    [triggerId, key, since, id],
    "trigger-dedupe",
  );
  if (first !== undefined) return first.id;
  await tx.query("update trigger_deliveries set dedupe_key = $2 where id = $1", [id, key], "trigger-dedupe-first");
  return undefined;
}

export interface RateSlot {
  key: string;
  at: Date;
}

/** The first instant from now on at which one more run keeps the rate, whatever was promised already. */
export async function rateSlot(
  tx: Queryable,
  triggerId: number,
  id: number,
  key: string,
  { count, perMs }: { count: number; perMs: number },
  now: Date,
): Promise<Date> {
  const [row] = await tx.query<{ rate_at: Date }>(
    `select rate_at from trigger_deliveries
     where trigger_id = $1 and rate_key = $2 and rate_at > $3 and id <> $5 and ${COUNTS}
     order by rate_at desc offset $4::int limit 1`,
    [triggerId, key, new Date(now.getTime() - perMs).toISOString(), count - 1, id],
    "trigger-rate",
  );
  return row === undefined ? now : new Date(row.rate_at.getTime() + perMs);
}

export async function takeSlot(tx: Queryable, id: number, { key, at }: RateSlot): Promise<void> {
  await tx.query(
    "update trigger_deliveries set rate_key = $2, rate_at = $3 where id = $1",
    [id, key, at.toISOString()],
    "trigger-rate-slot",
  );
}
