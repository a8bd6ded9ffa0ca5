import type { Queryable } from "@oven/db";

/*
 * One row per day among the idempotency keys, which go after a day by themselves: the process that inserts it does the day's work.
 */
const SCOPE = "retention";
/** A holder that has not been heard of for so long is gone. */
const LEASE_MS = 600_000;

/** Whether the work of this day is ours to do. */
export async function takeDay(db: Queryable, now: number): Promise<boolean> {
  const rows = await db.query(
    `insert into idempotency_keys (tenant_id, scope, key, body_hash, execution_id, created_at)
     values (0, '${SCOPE}', $1, 'running', 0, $2)
     on conflict (tenant_id, scope, key) do update set created_at = excluded.created_at
       where idempotency_keys.body_hash = 'running' and idempotency_keys.created_at < $3 returning key`,
    [dayOf(now), new Date(now), new Date(now - LEASE_MS)],
  );
  return rows.length > 0;
}

/** Says that the work goes on, or is done. */
export async function noteDay(db: Queryable, day: number, now: number, state: "running" | "done"): Promise<void> {
  await db.query(
    `update idempotency_keys set created_at = $2, body_hash = $3 where tenant_id = 0 and scope = '${SCOPE}' and key = $1`,
    [dayOf(day), new Date(now), state],
  );
}

function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}

/** The newest day whose work was taken up; it is known for a day. */
export async function lastDay(db: Queryable): Promise<{ day: string; at: string; state: "running" | "done" } | null> {
  const [row] = await db.query<{ key: string; body_hash: string; created_at: Date }>(
    `select key, body_hash, created_at from idempotency_keys where tenant_id = 0 and scope = '${SCOPE}' order by key desc limit 1`,
  );
  if (row === undefined) return null;
  const state = row.body_hash === "done" ? "done" : "running";
  return { day: row.key, at: new Date(row.created_at).toISOString(), state };
}
