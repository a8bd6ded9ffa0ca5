import type { TriggerShaping } from "@oven/contract/trigger";
import type { Queryable } from "@oven/db";
import { closeBatch, giveWay, hold, requireRoom, type ShapedRow } from "./held-rows.ts";

/** A batch that is as large as this is complete, so that its run can be started. */
const MAX_BATCH_BYTES = 1_048_576;

export interface Gathered {
  tx: Queryable;
  triggerId: number;
  row: ShapedRow;
  key: string;
  now: Date;
}

/** Holds the last event of a key until it was quiet; those before give way to it. */
export async function gatherQuiet(
  { tx, triggerId, row, key, now }: Gathered,
  { quietMs, maxMs }: NonNullable<TriggerShaping["debounce"]>,
): Promise<void> {
  const [known] = await tx.query<ShapedRow>(
    `select id, received_at, held_since, group_id, held_bytes as bytes from trigger_deliveries
     where trigger_id = $1 and hold_kind = 'debounce' and held_key = $2 and decision = 'held' order by id desc limit 1`,
    [triggerId, key],
    "trigger-quiet",
  );
  if (known === undefined) await requireRoom(tx, triggerId, row.bytes);
  const groupId = known?.group_id ?? row.id;
  // Events that arrive at once are worked on in any order: the last one is the one that was written down last.
  const [last, earlier] = known !== undefined && known.id > row.id ? [known, row] : [row, known];
  if (earlier !== undefined) await giveWay(tx, earlier.id, groupId, now);
  const since = earliest(row.received_at, known?.held_since);
  const quiet = new Date(last.received_at.getTime() + quietMs);
  const until = maxMs === undefined ? quiet : earliest(quiet, new Date(since.getTime() + maxMs));
  const reason = "Waits until no more events come";
  await hold(tx, last.id, { by: "debounce", key, since, until, groupId, bytes: last.bytes, reason });
}

/** Holds the events of a key until they are as many as asked for, or until the time is over. @param isReady the batch has no rate to keep */
export async function gatherBatch(
  { tx, triggerId, row, key, now }: Gathered,
  { count, withinMs }: NonNullable<TriggerShaping["batch"]>,
  isReady: boolean,
): Promise<void> {
  await requireRoom(tx, triggerId, row.bytes);
  const [open] = await tx.query<{ group_id: number; since: Date; events: number; bytes: number }>(
    `select group_id, min(held_since) as since, count(*)::int as events, sum(held_bytes)::float8 as bytes
     from trigger_deliveries where trigger_id = $1 and hold_kind = 'batch' and held_key = $2 and decision = 'held'
     group by group_id order by group_id desc limit 1`,
    [triggerId, key],
    "trigger-batch",
  );
  const isTooLarge = open !== undefined && open.bytes + row.bytes > MAX_BATCH_BYTES;
  if (isTooLarge) await closeBatch(tx, open.group_id, { now, isReady });
  const joined = isTooLarge ? undefined : open;
  const groupId = joined?.group_id ?? row.id;
  const since = earliest(row.received_at, joined?.since);
  const until = new Date(since.getTime() + withinMs);
  const reason = `Waits for up to ${count} events`;
  await hold(tx, row.id, { by: "batch", key, since, until, groupId, bytes: row.bytes, reason });
  if ((joined?.events ?? 0) + 1 >= count) await closeBatch(tx, groupId, { now, isReady });
}

function earliest(one: Date, other: Date | null | undefined): Date {
  return other != null && other < one ? other : one;
}
