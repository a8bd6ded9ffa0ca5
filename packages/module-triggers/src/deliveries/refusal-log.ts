import type { Json } from "@oven/contract";
import type { Database } from "@oven/db";
import { writeRefusal } from "./delivery-rows.ts";

/** Rows a minute for one trigger: whoever floods an address does not fill the database. */
const MOST = 120;
const MINUTE_MS = 60_000;

/** Writes down what was turned away at the door: that it came, and why; never what was in it. */
export class RefusalLog {
  readonly #db: Database;
  readonly #written = new Map<number, { since: number; rows: number }>();

  constructor(db: Database) {
    this.#db = db;
  }

  async write(
    trigger: { id: number; tenantId: number },
    refusal: { decision: "refused" | "skipped"; reason: string; payload: Json },
    now: Date,
  ): Promise<void> {
    const known = this.#written.get(trigger.id);
    const isOld = known === undefined || Math.abs(now.getTime() - known.since) >= MINUTE_MS;
    const counted = isOld ? { since: now.getTime(), rows: 0 } : known;
    this.#written.set(trigger.id, counted);
    counted.rows++;
    if (counted.rows <= MOST) await writeRefusal(this.#db, trigger, refusal, now);
  }
}
