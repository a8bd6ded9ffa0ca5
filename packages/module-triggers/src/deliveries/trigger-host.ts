import type { Clock, Database } from "@oven/db";
import { inArray } from "@oven/db/drizzle";
import { type ServiceMap, WorkLoop } from "@oven/module-registry";
import { triggers } from "../schema.ts";
import type { TriggerCatalog } from "../triggers/trigger-catalog.ts";
import type { TriggerRow } from "../triggers/trigger-row.ts";
import { claimDeliveries, insertArrivals, NEXT_DELIVERY } from "./delivery-rows.ts";
import type { TriggerStarter } from "./trigger-starter.ts";

export interface TriggerHostDeps {
  db: Database;
  services: ServiceMap;
  catalog: TriggerCatalog;
  starter: TriggerStarter;
  clock: Clock;
}

const BATCH = 50;
/** After that another process looks at a trigger whose process is gone. */
const CLAIM_SECONDS = 60;
const FIRE_TIMEOUT_MS = 45_000;

/** Looks at the clock and works on deliveries. Any number of processes may do it at once: each due instant starts one run. */
export class TriggerHost {
  readonly #deps: TriggerHostDeps;
  readonly #loop: WorkLoop;
  /** Looks at other machines that are under way. */
  readonly #firing = new Set<Promise<void>>();

  constructor(deps: TriggerHostDeps) {
    this.#deps = deps;
    const { db } = deps;
    this.#loop = new WorkLoop("looking at triggers", () => this.#look(), { db, untilNext: () => this.#untilNext() });
  }

  start(): void {
    this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    await Promise.all(this.#firing);
  }

  /** Looks now instead of at the next sweep. */
  wake(): void {
    this.#loop.wake();
  }

  /** A run has ended: what waits behind one is looked at again. */
  async wakeQueued(): Promise<void> {
    const { db, clock } = this.#deps;
    const waiting = await db.query(
      "select 1 from trigger_deliveries where decision = 'queued' limit 1",
      [],
      "trigger-any-queued",
    );
    if (waiting.length === 0) return;
    const now = (await clock()).toISOString();
    const woken = await db.query(
      "update trigger_deliveries set next_attempt_at = $1 where decision = 'queued' and next_attempt_at > $1 returning id",
      [now],
      "trigger-wake-queued",
    );
    if (woken.length > 0) this.wake();
  }

  /** Everything that is due now. Exposed for tests and simulations. */
  async tick(): Promise<void> {
    while (await this.#fireDue());
    await Promise.all(this.#firing);
    while (await this.#workDue());
  }

  /** Works on one delivery now, if it is due and nobody else has it. */
  async work(id: number): Promise<void> {
    const { db, starter, clock } = this.#deps;
    const now = await clock();
    // Where runs must not overlap, what the shaping let through takes its place in line first.
    for (const _stage of ["shape", "start"])
      for (const claimed of await claimDeliveries(db, now, { id })) await starter.work(claimed, now);
  }

  async #look(): Promise<void> {
    while (await this.#fireDue());
    while (await this.#workDue());
  }

  /** True when more may be due. */
  async #fireDue(): Promise<boolean> {
    const { db, clock } = this.#deps;
    const now = await clock();
    const claimed = await db.query<{ id: number }>(
      `update triggers set claimed_until = $1::timestamptz + make_interval(secs => ${CLAIM_SECONDS})
       where id in (select id from triggers
         where enabled and due_at <= $1 and (claimed_until is null or claimed_until <= $1)
         order by due_at limit ${BATCH} for update skip locked)
       returning id`,
      [now.toISOString()],
      "trigger-due",
    );
    if (claimed.length === 0) return false;
    const ids = claimed.map(({ id }) => id);
    const rows = await db.orm.select().from(triggers).where(inArray(triggers.id, ids));
    for (const row of rows) {
      const firing = this.#fire(row, now);
      if (this.#deps.catalog.find(row.type)?.clock?.isSlow) this.#inBackground(firing);
      else await firing;
    }
    return claimed.length === BATCH;
  }

  #inBackground(firing: Promise<void>): void {
    const work = firing
      .catch((error) => console.error("looking at a trigger failed, trying again when its claim is over:", error))
      .finally(() => {
        this.#firing.delete(work);
        this.wake();
      });
    this.#firing.add(work);
  }

  async #fire(trigger: TriggerRow, now: Date): Promise<void> {
    const { db, services, catalog } = this.#deps;
    const { id, tenantId, dueAt } = trigger;
    const type = catalog.find(trigger.type);
    if (type?.clock === undefined || dueAt === null) {
      // Its module is not installed any more: nobody looks until it is saved again.
      await this.#release(trigger, null, undefined);
      return;
    }
    try {
      const { arrivals, next, state, settle } = await type.clock.fire({
        config: catalog.parse(type, trigger.config),
        triggerId: id,
        tenantId,
        dueAt,
        now,
        state: trigger.state,
        services,
        signal: AbortSignal.timeout(FIRE_TIMEOUT_MS),
      });
      await insertArrivals(db, { id, tenantId }, arrivals, now);
      await settle?.();
      await this.#release(trigger, next, state);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      const message = services.secrets.redactText(text);
      console.warn(`looking at trigger ${id} failed: ${message}`);
      const again = new Date(now.getTime() + CLAIM_SECONDS * 1_000);
      await this.#release(trigger, again, { ...trigger.state, lastError: message });
    }
  }

  /**
   * Only if nobody saved it meanwhile: a new schedule is not to be overwritten by the old one's next instant. PostgreSQL keeps
   * microseconds, of which a Date knows nothing.
   */
  async #release({ id, dueAt, updatedAt }: TriggerRow, next: Date | null, state: object | undefined): Promise<void> {
    await this.#deps.db.query(
      `update triggers set due_at = case when due_at = $2::timestamptz and date_trunc('milliseconds', updated_at) = $5::timestamptz then $3::timestamptz else due_at end,
         state = case when date_trunc('milliseconds', updated_at) = $5::timestamptz then coalesce($4::jsonb, state) else state end, claimed_until = null
       where id = $1`,
      [
        id,
        dueAt?.toISOString() ?? null,
        next?.toISOString() ?? null,
        state === undefined ? null : JSON.stringify(state),
        updatedAt.toISOString(),
      ],
    );
  }

  async #workDue(): Promise<boolean> {
    const { db, starter, clock } = this.#deps;
    const now = await clock();
    const ids = await claimDeliveries(db, now, { limit: BATCH });
    await Promise.all(ids.map((id) => starter.work(id, now)));
    return ids.length > 0;
  }

  async #untilNext(): Promise<number | undefined> {
    const { db, clock } = this.#deps;
    const now = await clock();
    const [row] = await db.query<{ at: Date | null }>(
      `select least(
         (select min(greatest(due_at, coalesce(claimed_until, due_at))) from triggers where enabled and due_at is not null),
         (${NEXT_DELIVERY})) as at`,
      [],
      "trigger-next",
    );
    return row?.at == null ? undefined : Math.max(10, row.at.getTime() - now.getTime());
  }
}
