import type { Json } from "@oven/contract";
import type { TriggerDelivery } from "@oven/contract/trigger";
import type { Database, Queryable } from "@oven/db";
import type { Arrival } from "@oven/module-registry";
import type { triggerDeliveries } from "../schema.ts";

export type DeliveryRow = typeof triggerDeliveries.$inferSelect;

/** So long one process has a delivery to itself; after a crash another one takes it. */
const CLAIM_SECONDS = 30;
const OPEN = "d.decision in ('received', 'queued', 'held')";
/** The trigger's shaping has not let it through yet. What is repeated by a person is not shaped. */
const isUnshaped = (delivery: "d" | "o") =>
  `(${delivery}.decision = 'held' or t.shaping is not null and ${delivery}.shaped_at is null and ${delivery}.replay_of is null)`;
/** Where runs of one trigger must not overlap, its deliveries go one after the other, in the order in which they were ready. */
const IS_NEXT = `(t.overlap = 'allow' or ${isUnshaped("d")} or not exists (
  select from trigger_deliveries o where o.trigger_id = d.trigger_id
    and coalesce(o.queue_position, o.id) < coalesce(d.queue_position, d.id) and o.decision in ('received', 'queued') and not ${isUnshaped("o")}))`;

/** When the next delivery may be worked on; one that waits for another of its trigger does not count. */
export const NEXT_DELIVERY = `select min(d.next_attempt_at) from trigger_deliveries d join triggers t on t.id = d.trigger_id
  where ${OPEN} and ${IS_NEXT}`;

export interface ClaimedDelivery extends Record<string, unknown> {
  id: number;
}

/** What arrived, with what only this module knows of it. */
export type NewDelivery = Arrival & {
  replayOf?: number;
  firedBy?: number | null;
  depth?: number;
  bodyHash?: string;
  isBatch?: boolean;
};

/**
 * Writes down what arrived; what is known by its key already is left out.
 * @param isClaimed its writer works on it at once; should the writer die, others do after half a minute
 * @returns the ids of what is new
 */
export async function insertArrivals(
  db: Queryable,
  trigger: { id: number; tenantId: number },
  arrivals: readonly NewDelivery[],
  now: Date,
  isClaimed = false,
): Promise<number[]> {
  const ids: number[] = [];
  for (const { key, payload, event, delayMs = 0, replayOf, firedBy, depth, bodyHash, isBatch = false } of arrivals) {
    const due = new Date(now.getTime() + (isClaimed ? CLAIM_SECONDS * 1_000 : delayMs)).toISOString();
    const [row] = await db.query<{ id: number }>(
      `insert into trigger_deliveries
         (tenant_id, trigger_id, key, event, payload, received_at, next_attempt_at, replay_of, depth, body_hash, attempts, fired_by, is_batch)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) on conflict (trigger_id, key) do nothing returning id`,
      [
        trigger.tenantId,
        trigger.id,
        key,
        event ?? null,
        JSON.stringify(payload),
        now.toISOString(),
        due,
        replayOf ?? null,
        depth ?? 0,
        bodyHash ?? null,
        isClaimed ? 1 : 0,
        firedBy ?? null,
        isBatch,
      ],
      "trigger-arrival",
    );
    if (row !== undefined) ids.push(row.id);
  }
  return ids;
}

/** Takes deliveries that are due: of one id, or the oldest ones, the oldest first. No other process has them for half a minute. */
export async function claimDeliveries(
  db: Queryable,
  now: Date,
  { id, limit = 1 }: { id?: number; limit?: number },
): Promise<number[]> {
  const rows = await db.query<ClaimedDelivery>(
    `update trigger_deliveries set attempts = attempts + 1,
       next_attempt_at = $1::timestamptz + make_interval(secs => ${CLAIM_SECONDS})
     where id in (
       select d.id from trigger_deliveries d join triggers t on t.id = d.trigger_id
       where ${OPEN} and d.next_attempt_at <= $1 and ${IS_NEXT} and ($2::bigint is null or d.id = $2)
       order by d.id limit $3 for update of d skip locked)
     returning id`,
    [now.toISOString(), id ?? null, limit],
    "trigger-claim",
  );
  return rows.map((row) => row.id).sort((one, other) => one - other);
}

/** Says what became of a delivery. The run that it started is that of the deliveries that were merged into it, too. */
export async function decide(
  db: Database,
  id: number,
  now: Date,
  decided: Pick<TriggerDelivery, "decision" | "reason"> & {
    run?: { kind: string; id: number };
    nextAttemptAt?: Date;
  },
): Promise<void> {
  const { decision, reason, run, nextAttemptAt } = decided;
  await db.query(
    `with merged as (
       update trigger_deliveries set execution_kind = $4, execution_id = $5
       where $5::bigint is not null and merged_into = $1 returning id)
     update trigger_deliveries set decision = $2, reason = $3, execution_kind = $4, execution_id = $5,
       decided_at = case when $2 in ('received', 'queued', 'held') then null else $6::timestamptz end,
       next_attempt_at = coalesce($7::timestamptz, next_attempt_at)
     where id = $1`,
    [id, decision, reason, run?.kind ?? null, run?.id ?? null, now.toISOString(), nextAttemptAt?.toISOString() ?? null],
    "trigger-decide",
  );
}

/** Not taken after all: its key is free, so that the same thing may come again. */
export async function release(db: Queryable, id: number, now: Date, reason: string): Promise<void> {
  await db.query(
    `update trigger_deliveries set decision = 'refused', reason = $2, key = 'released:' || id, body_hash = null,
       decided_at = $3 where id = $1`,
    [id, reason, now.toISOString()],
    "trigger-release",
  );
}

/** One row of what was turned away before anybody looked at its content, which is not kept. */
export async function writeRefusal(
  db: Queryable,
  trigger: { id: number; tenantId: number },
  { decision, reason, payload }: { decision: "refused" | "skipped"; reason: string; payload: Json },
  now: Date,
): Promise<void> {
  await db.query(
    `insert into trigger_deliveries (tenant_id, trigger_id, key, payload, decision, reason, received_at, decided_at)
     values ($1, $2, 'refused:' || gen_random_uuid(), $3, $4, $5, $6, $6)`,
    [trigger.tenantId, trigger.id, JSON.stringify(payload), decision, reason, now.toISOString()],
    "trigger-refusal",
  );
}

export function toDelivery(row: DeliveryRow): TriggerDelivery {
  return {
    id: row.id,
    triggerId: row.triggerId,
    key: row.key,
    payload: row.payload as Json, // cast: written as JSON
    decision: row.decision,
    reason: row.reason,
    executionKind: row.executionKind,
    executionId: row.executionId,
    replayOf: row.replayOf,
    mergedInto: row.mergedInto,
    heldUntil: row.decision === "held" ? (row.heldUntil?.toISOString() ?? null) : null,
    attempts: row.attempts,
    receivedAt: row.receivedAt.toISOString(),
    decidedAt: row.decidedAt?.toISOString() ?? null,
  };
}
