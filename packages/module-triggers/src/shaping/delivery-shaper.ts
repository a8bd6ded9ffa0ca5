import type { TriggerShaping } from "@oven/contract/trigger";
import type { Database, Queryable } from "@oven/db";
import type { Scope } from "@oven/engine";
import type { DeliveryRow } from "../deliveries/delivery-rows.ts";
import { type Event, refusing, scopeOf } from "../deliveries/judge.ts";
import type { TriggerRow } from "../triggers/trigger-row.ts";
import { gatherBatch, gatherQuiet } from "./gather.ts";
import {
  closeBatch,
  hold,
  letThrough,
  lockTrigger,
  nameLast,
  readShaped,
  requireRoom,
  type ShapedRow,
} from "./held-rows.ts";
import { firstWithKey, type RateSlot, rateSlot, takeSlot } from "./key-windows.ts";
import { keyOf } from "./shaping-key.ts";

/** `through`: it may start its run; `held`: later, by itself or by what it is merged into; `closed`: never. */
export type Shaped =
  | { outcome: "through" }
  | { outcome: "held" }
  | { outcome: "closed"; decision: "skipped" | "filtered" | "refused"; reason: string };

interface Keys {
  dedupe?: string;
  gather?: string;
  rate?: string;
}

interface Shaping {
  tx: Queryable;
  trigger: TriggerRow;
  row: ShapedRow;
  keys: Keys;
  now: Date;
}

/**
 * Decides which events start a run, and when: first those with a known key are left out, then events are gathered, then the rate is
 * held. All of it is in rows, and one event of a trigger after the other, in whatever process.
 */
export class DeliveryShaper {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * @param isClaimed its caller goes on with what is let through
   * @throws OvenError TOO_MANY_REQUESTS when too much is held
   */
  async shape(
    { id }: Pick<DeliveryRow, "id">,
    trigger: TriggerRow,
    event: Event,
    now: Date,
    isClaimed: boolean,
  ): Promise<Shaped> {
    return this.#db.transaction(async (tx): Promise<Shaped> => {
      if (!(await lockTrigger(tx, trigger.id))) return { outcome: "held" };
      const row = await readShaped(tx, id);
      // Others have merged or decided it while this process waited.
      if (row === undefined || row.shaped_at !== null || !["received", "held"].includes(row.decision))
        return { outcome: "held" };
      const keys = refusing(() => keysOf(trigger.shaping, row, scopeOf(event)));
      if ("decision" in keys) return { outcome: "closed", ...keys };
      const shaped = await advance({ tx, trigger, row, keys, now });
      if (shaped.outcome === "through") await letThrough(tx, id, now, isClaimed);
      return shaped;
    });
  }
}

/** A held event was counted by its keys already; what was gathered counts for the rate. */
function keysOf(shaping: TriggerShaping | null, { decision, hold_kind, is_batch }: ShapedRow, scope: Scope): Keys {
  if (shaping === null) return {};
  const { dedupe, debounce, batch, rate } = shaping;
  const keys: Keys = {};
  const isNew = decision === "received" && !is_batch;
  if (isNew && dedupe !== undefined) keys.dedupe = keyOf("dedupe", dedupe.key, scope);
  if (isNew && debounce !== undefined) keys.gather = keyOf("debounce", debounce.key, scope);
  if (isNew && batch !== undefined) keys.gather = keyOf("batch", batch.key, scope);
  const isGathered = isNew ? keys.gather === undefined : hold_kind !== "batch";
  if (rate !== undefined && isGathered && hold_kind !== "rate") keys.rate = keyOf("rate", rate.key, scope);
  return keys;
}

async function advance(shaping: Shaping): Promise<Shaped> {
  const { tx, trigger, row, now } = shaping;
  if (row.decision === "received") return row.is_batch ? keepRate(shaping) : admit(shaping);
  if (row.held_until !== null && row.held_until > now) return { outcome: "held" };
  if (row.hold_kind === "rate") return { outcome: "through" };
  if (row.hold_kind === "batch") {
    if (row.group_id !== null)
      await closeBatch(tx, row.group_id, { now, isReady: trigger.shaping?.rate === undefined });
    return { outcome: "held" };
  }
  if (row.group_id !== null) await nameLast(tx, row.group_id, row.id);
  return keepRate(shaping);
}

async function admit(shaping: Shaping): Promise<Shaped> {
  const { tx, trigger, row, keys, now } = shaping;
  const { dedupe, debounce, batch, rate } = trigger.shaping ?? {};
  if (dedupe !== undefined && keys.dedupe !== undefined) {
    const first = await firstWithKey(tx, trigger.id, row, keys.dedupe, dedupe.withinMs);
    if (first !== undefined) {
      const reason = `Delivery ${first} had the same key within ${toWords(dedupe.withinMs)}`;
      return { outcome: "closed", decision: "skipped", reason };
    }
  }
  const event = { tx, triggerId: trigger.id, row, key: keys.gather ?? "", now };
  if (debounce !== undefined) await gatherQuiet(event, debounce);
  else if (batch !== undefined) await gatherBatch(event, batch, rate === undefined);
  else return keepRate(shaping);
  return { outcome: "held" };
}

async function keepRate({ tx, trigger, row, keys, now }: Shaping): Promise<Shaped> {
  const rate = trigger.shaping?.rate;
  if (rate === undefined || keys.rate === undefined) return { outcome: "through" };
  const { count, perMs, over } = rate;
  const slot: RateSlot = {
    key: keys.rate,
    at: await rateSlot(tx, trigger.id, row.id, keys.rate, { count, perMs }, now),
  };
  const limit = `${count} ${count === 1 ? "run" : "runs"} in ${toWords(perMs)}`;
  if (slot.at <= now) {
    await takeSlot(tx, row.id, slot);
    return { outcome: "through" };
  }
  if (over === "skip") return { outcome: "closed", decision: "skipped", reason: `More than ${limit}` };
  await requireRoom(tx, trigger.id, row.bytes);
  await takeSlot(tx, row.id, slot);
  const held = { by: "rate", key: slot.key, since: now, until: slot.at, bytes: row.bytes } as const;
  await hold(tx, row.id, { ...held, groupId: row.group_id, reason: `Waits for its turn: at most ${limit}` });
  return { outcome: "held" };
}

const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
] as const;

function toWords(milliseconds: number): string {
  const [unit, size] = UNITS.find(([, size]) => milliseconds >= size && milliseconds % size === 0) ?? ["ms", 1];
  return `${milliseconds / size} ${unit}`;
}
