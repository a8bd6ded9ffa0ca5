import { type Json, OvenError } from "@oven/contract";
import type { TriggerDelivery } from "@oven/contract/trigger";
import type { Database } from "@oven/db";
import { and, eq } from "@oven/db/drizzle";
import { triggerDeliveries } from "../schema.ts";
import type { TriggerRow } from "../triggers/trigger-row.ts";
import { comeLater } from "./come-later.ts";
import { insertArrivals, toDelivery } from "./delivery-rows.ts";
import { RefusalLog } from "./refusal-log.ts";
import type { TriggerHost } from "./trigger-host.ts";
import type { TriggerStarter } from "./trigger-starter.ts";

export interface DeliveryIntakeDeps {
  db: Database;
  starter: TriggerStarter;
  host: TriggerHost;
}

/** Something that a stranger sent, and was told to be right. */
export interface Arrived {
  payload: Json;
  key: string;
  bodyHash: string;
  /** The user who called, where they are known. */
  firedBy?: number | null;
}

/** Where things come in whose sender waits for the answer. What it is told to be accepted is written down, and starts one run at most. */
export class DeliveryIntake {
  readonly #deps: DeliveryIntakeDeps;
  readonly #refusals: RefusalLog;
  /** By trigger and key: a second request with the same id waits for what becomes of the first one. */
  readonly #deciding = new Map<string, Promise<unknown>>();

  constructor(deps: DeliveryIntakeDeps) {
    this.#deps = deps;
    this.#refusals = new RefusalLog(deps.db);
  }

  /** One row of something that was turned away. */
  refuse(
    trigger: { id: number; tenantId: number },
    refusal: { decision: "refused" | "skipped"; reason: string; payload: Json },
    now: Date,
  ): Promise<void> {
    return this.#refusals.write(trigger, refusal, now);
  }

  /** @throws OvenError TOO_MANY_RUNS 429, DELIVERY_ID_REUSED 409, TOO_MANY_REQUESTS 429 */
  async deliver(
    trigger: TriggerRow,
    arrived: Arrived,
    now: Date,
  ): Promise<{ delivery: TriggerDelivery; isReplay: boolean }> {
    const { db, starter, host } = this.#deps;
    const place = `${trigger.id}:${arrived.key}`;
    // Runs that must not overlap start one after the other: whoever is next in line is decided, which may be another one.
    const isOrdered = trigger.overlap !== "allow";
    const [id] = await insertArrivals(db, trigger, [arrived], now, !isOrdered);
    if (id === undefined) return { delivery: await this.#earlier(trigger, arrived, place, now), isReplay: true };
    const deciding = isOrdered ? host.work(id) : starter.work(id, now, "release");
    this.#deciding.set(place, deciding);
    try {
      const busy = await deciding;
      if (busy !== undefined) throw busy;
    } finally {
      this.#deciding.delete(place);
    }
    return { delivery: await this.#delivery(id), isReplay: false };
  }

  /** What became of the same thing before. @throws OvenError DELIVERY_ID_REUSED 409, TOO_MANY_REQUESTS 429 */
  async #earlier(trigger: TriggerRow, { key, bodyHash }: Arrived, place: string, now: Date): Promise<TriggerDelivery> {
    // Whether it went wrong is the first one's to say.
    await this.#deciding.get(place)?.catch(() => undefined);
    const [row] = await this.#deps.db.orm
      .select()
      .from(triggerDeliveries)
      .where(and(eq(triggerDeliveries.triggerId, trigger.id), eq(triggerDeliveries.key, key)));
    // Given back meanwhile.
    if (row === undefined) throw comeLater();
    if (row.bodyHash !== bodyHash) {
      const reason = `DELIVERY_ID_REUSED: The id came with another body as delivery ${row.id} already`;
      await this.refuse(trigger, { decision: "refused", reason, payload: {} }, now);
      throw reused(row.id);
    }
    // Another process is at it, and may still give it back: only what is certain is said to be accepted.
    if (row.decision === "received" && row.reason === null && trigger.overlap === "allow") throw comeLater();
    return toDelivery(row);
  }

  async #delivery(id: number): Promise<TriggerDelivery> {
    const [row] = await this.#deps.db.orm.select().from(triggerDeliveries).where(eq(triggerDeliveries.id, id));
    // Its trigger was deleted meanwhile.
    if (row === undefined) throw new OvenError("NOT_FOUND", "There is nothing at this address", { status: 404 });
    return toDelivery(row);
  }
}

function reused(deliveryId: number): OvenError {
  return new OvenError("DELIVERY_ID_REUSED", "This id came with another body before; nothing was started", {
    status: 409,
    fix: "Give each delivery an id of its own.",
    details: { deliveryId },
  });
}
