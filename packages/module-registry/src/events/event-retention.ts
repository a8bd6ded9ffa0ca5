import type { Database } from "@oven/db";
import { z } from "zod";
import type { ConfigService } from "../config/config-service.ts";
import type { ConfigKey } from "../define/define-module.ts";

const DAYS = z.int().min(1).max(3_650);
const DAY_MS = 86_400_000;
const FIRST_MS = 60_000;
const EVERY_MS = 3_600_000;
const ROWS_PER_BATCH = 5_000;

export const eventConfigKeys: ConfigKey[] = [
  {
    key: "RETENTION_EVENTS_DAYS",
    type: "number",
    description: "Days for which the log keeps events that were delivered",
    defaultValue: 30,
    schema: DAYS,
  },
];

/** Removes old events that every listener has had, or was given up on. Any number of processes may do it. */
export class EventRetention {
  readonly #db: Database;
  readonly #config: Pick<ConfigService, "resolve">;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #stopped = true;
  #stopping = false;

  constructor(db: Database, config: Pick<ConfigService, "resolve">) {
    this.#db = db;
    this.#config = config;
  }

  start(): void {
    this.#stopped = false;
    this.#stopping = false;
    this.#arm(FIRST_MS);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stopping = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** @returns how many events went */
  async sweep(now: Date): Promise<number> {
    const tenants = await this.#db.query<{ tenant_id: number }>(
      "select distinct tenant_id from outbox_events order by 1",
    );
    let removed = 0;
    for (const { tenant_id: tenantId } of tenants) {
      const key = { module: "module-registry", key: "RETENTION_EVENTS_DAYS", tenantId };
      const days = DAYS.parse((await this.#config.resolve(key)).value);
      removed += await this.#removeOf(tenantId, new Date(now.getTime() - days * DAY_MS));
    }
    return removed;
  }

  async #removeOf(tenantId: number, before: Date): Promise<number> {
    for (let removed = 0; ; ) {
      const gone = await this.#db.query<{ id: number }>(
        `delete from outbox_events where id = any(array(select id from outbox_events
           where tenant_id = $1 and at < $2 and delivered_at is not null order by id limit ${ROWS_PER_BATCH})) returning id`,
        [tenantId, before.toISOString()],
      );
      const ids = gone.map(({ id }) => id);
      await this.#db.query("delete from outbox_deliveries where event_id = any($1::bigint[])", [ids]);
      removed += ids.length;
      if (ids.length < ROWS_PER_BATCH || this.#stopping) return removed;
    }
  }

  #arm(milliseconds: number): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#turn();
    }, milliseconds);
    this.#timer.unref();
  }

  async #turn(): Promise<void> {
    try {
      await this.sweep(new Date());
    } catch (error) {
      console.error("removing old events failed, trying again in an hour:", error);
    }
    this.#arm(EVERY_MS);
  }
}
