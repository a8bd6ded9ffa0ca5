import type { EventEnvelope, NewEvent } from "@oven/contract";
import type { Database, Queryable } from "@oven/db";
import type { ModuleDefinition } from "../define/define-module.ts";
import type { Listener, SelectiveListener, UnwrittenEvent } from "../define/listener.ts";
import type { ServiceMap } from "../define/services.ts";
import { within } from "../work/within.ts";
import { WorkLoop } from "../work/work-loop.ts";

declare module "../define/services.ts" {
  interface ServiceMap {
    events: EventService;
  }
}

export interface EventService {
  /** Writes events inside the caller's transaction; call `wake` after it committed. */
  write(tx: Queryable, events: readonly NewEvent[]): Promise<void>;
  /** Whether any listener takes events of this name; high-volume ones are made only then. */
  hasListeners(name: string): boolean;
  /** Whether the event concerns any listener. What an answer leads to must go by that one answer: the next may be another. */
  hasMatchingListener(event: UnwrittenEvent): boolean;
  /** Delivers what is due soon instead of at the next sweep. */
  wake(): void;
  /**
   * A listener whose events are known at run time only. Every process that delivers events must have it under the same `id`.
   * @param takes asked at each event; one it does not take is settled without it
   */
  subscribe(id: string, takes: (name: string) => boolean, listener: Listener | SelectiveListener): void;
}

const MAX_ATTEMPTS = 8;
/** After that a delivery whose process is gone is tried again. */
const CLAIM_SECONDS = 30;
const BATCH = 100;

/** Events come in groups while their causes wait for an answer, so one look a moment later serves all of them. */
const GATHER_MS = 5;
/** Between looks for what is due already and was not taken. */
const SOONEST_MS = 250;
/** Listeners that are done within this time are settled in one statement; a slow one keeps no other from being settled. */
const SETTLE_TOGETHER_MS = 50;

const DELIVERED = `update outbox_deliveries set delivered_at = now(), next_attempt_at = now(), attempts = attempts + 1
  where event_id = $1 and listener = any($2::text[])`;
const ALL_DELIVERED = "update outbox_events set delivered_at = now() where id = $1";

/** Of one listener: it has had the event; it is to be tried again; it failed too often. */
type Delivered = "delivered" | "again" | "given up";

interface Subscription extends SelectiveListener {
  /** Stable name of the listener: module and event pattern. */
  id: string;
  takes(name: string): boolean;
}

interface EventRow extends Record<string, unknown> {
  id: number;
  tenant_id: number;
  name: string;
  at: Date;
  actor: EventEnvelope["actor"];
  payload: EventEnvelope["payload"];
  order_key: string | null;
}

/**
 * Delivers outbox events to listeners: at least once, in order per order key, each listener on its own. A listener that
 * throws is tried again with back-off, eight times; its last error stays on the delivery row.
 */
export class Outbox implements EventService {
  readonly #db: Database;
  readonly #services: ServiceMap;
  readonly #subscriptions: Subscription[];
  readonly #loop: WorkLoop;
  #stopping = false;

  constructor(db: Database, modules: readonly ModuleDefinition[], services: ServiceMap) {
    this.#db = db;
    this.#services = services;
    this.#loop = new WorkLoop("delivering events", () => this.deliverDue(), {
      db,
      gatherMs: GATHER_MS,
      // Elsewhere it looks at each sweep anyway, and after each event.
      ...(db.writes === undefined ? {} : { untilNext: () => this.#untilNext() }),
    });
    this.#subscriptions = modules.flatMap((module) =>
      Object.entries(module.events.listeners).map(([pattern, listener]) => ({
        id: `${module.name}:${pattern}`,
        takes: (name: string) => matchesEvent(pattern, name),
        ...toSelective(listener),
      })),
    );
  }

  async write(tx: Queryable, events: readonly NewEvent[]): Promise<void> {
    for (const event of events) {
      await tx.query(
        `insert into outbox_events (tenant_id, name, actor, payload, order_key, delivered_at)
         values ($1, $2, $3, $4, $5, case when $6 then null else now() end)`,
        [
          event.tenantId,
          event.name,
          JSON.stringify(event.actor),
          JSON.stringify(event.payload),
          event.orderKey ?? null,
          this.hasMatchingListener(event),
        ],
        "outbox-write",
      );
    }
  }

  hasListeners(name: string): boolean {
    return this.#subscriptions.some(({ takes }) => takes(name));
  }

  hasMatchingListener(event: UnwrittenEvent): boolean {
    return this.#subscriptions.some(
      (subscription) => subscription.takes(event.name) && mayConcern(subscription, event),
    );
  }

  subscribe(id: string, takes: (name: string) => boolean, listener: Listener | SelectiveListener): void {
    this.#subscriptions.push({ id, takes, ...toSelective(listener) });
  }

  start(): void {
    this.#stopping = false;
    this.#loop.start();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#loop.stop();
  }

  wake(): void {
    this.#loop.wake();
  }

  /** Delivers until nothing is due. Exposed for tests and for a drain before stopping. */
  async deliverDue(): Promise<void> {
    while (await this.#deliverBatch());
  }

  /** Milliseconds until a delivery is to be tried again, or is taken from a listener that has had it for too long. */
  async #untilNext(): Promise<number | undefined> {
    const [row] = await this.#db.query<{ left: number | null }>(
      `select (extract(epoch from min(d.next_attempt_at) - now()) * 1000)::float8 as "left"
       from outbox_events e join outbox_deliveries d on d.event_id = e.id
       where e.delivered_at is null and d.delivered_at is null and d.failed_at is null`,
      [],
      "outbox-next",
    );
    return row?.left == null ? undefined : Math.max(SOONEST_MS, row.left);
  }

  /** True when something was finished and more may follow. */
  async #deliverBatch(): Promise<boolean> {
    const events = await this.#db.query<EventRow>(
      // What waits for its next attempt, and what must stay behind it, does not take the places of the others.
      `select id, tenant_id, name, at, actor, payload, order_key from outbox_events e
       where delivered_at is null and not exists (
         select 1 from outbox_events b join outbox_deliveries d on d.event_id = b.id
         where b.delivered_at is null and (b.id = e.id or (b.order_key = e.order_key and b.id < e.id))
           and d.delivered_at is null and d.failed_at is null and d.next_attempt_at > now())
       order by id limit $1`,
      [BATCH],
      "outbox-due",
    );
    const held = new Set<string>();
    let finished = 0;
    for (const event of events) {
      if (this.#stopping) return false;
      if (event.order_key !== null && held.has(event.order_key)) continue;
      if (await this.#deliverEvent(event)) finished++;
      else if (event.order_key !== null) held.add(event.order_key);
    }
    return finished > 0 && events.length === BATCH;
  }

  async #deliverEvent(event: EventRow): Promise<boolean> {
    const wanted = this.#subscriptions.filter(({ takes }) => takes(event.name));
    const claimed = await this.#claim(wanted, event);
    const others = wanted.filter(({ id }) => !claimed.has(id));
    const settled = others.length === 0 || (await this.#areSettled(others, event));
    const called = wanted.filter(({ id }) => claimed.has(id));
    const done: string[] = [];
    const calls = called.map(async (subscription) => {
      const outcome = await this.#call(subscription, event);
      if (outcome === "delivered") done.push(subscription.id);
      return outcome;
    });
    const outcomes = Promise.all(calls);
    let open = called.length;
    /** Settles those that are done by now: with the last of them the whole event, in the same statement. */
    const settle = async () => {
      const ids = done.splice(0);
      if (ids.length === 0) return false;
      open -= ids.length;
      const isLast = settled && open === 0;
      await this.#db.query(
        isLast ? `with d as (${DELIVERED}) ${ALL_DELIVERED}` : DELIVERED,
        [event.id, ids],
        isLast ? "outbox-last-delivered" : "outbox-delivered",
      );
      return isLast;
    };
    await within(outcomes, SETTLE_TOGETHER_MS);
    let isEnded = await settle();
    await Promise.all(calls.map((call) => call.then(async () => (isEnded = (await settle()) || isEnded))));
    if (!settled || (await outcomes).includes("again")) return false;
    if (!isEnded) await this.#db.query(ALL_DELIVERED, [event.id], "outbox-event-delivered");
    return true;
  }

  async #call(subscription: Subscription, event: EventRow): Promise<Delivered> {
    try {
      await subscription.handle(toEnvelope(event), this.#services);
      return "delivered";
    } catch (error) {
      return (await this.#recordFailure(subscription, event, error)) ? "given up" : "again";
    }
  }

  /**
   * Takes deliveries for as long as a listener may need: no other process calls it meanwhile, and a crash gives them back.
   * @returns the listeners that are to be called here
   */
  async #claim(wanted: readonly Subscription[], event: EventRow): Promise<Set<string>> {
    if (wanted.length === 0) return new Set();
    const claimed = await this.#db.query<{ listener: string }>(
      `insert into outbox_deliveries as d (event_id, listener, tenant_id, next_attempt_at)
       select $1, listener, $3, now() + make_interval(secs => ${CLAIM_SECONDS}) from unnest($2::text[]) listener
       on conflict (event_id, listener) do update set next_attempt_at = excluded.next_attempt_at
         where d.delivered_at is null and d.failed_at is null and d.next_attempt_at <= now()
       returning d.listener`,
      [event.id, wanted.map(({ id }) => id), event.tenant_id],
      "outbox-claim",
    );
    return new Set(claimed.map(({ listener }) => listener));
  }

  async #areSettled(subscriptions: readonly Subscription[], event: EventRow): Promise<boolean> {
    const settled = await this.#db.query(
      `select 1 from outbox_deliveries where event_id = $1 and listener = any($2::text[])
         and (delivered_at is not null or failed_at is not null)`,
      [event.id, subscriptions.map(({ id }) => id)],
    );
    return settled.length === subscriptions.length;
  }

  /** True when the attempts are used up, so that later events may pass. */
  async #recordFailure(subscription: Subscription, event: EventRow, error: unknown): Promise<boolean> {
    const message = error instanceof Error ? error.message : String(error);
    const [row] = await this.#db.query<{ failed: boolean }>(
      `update outbox_deliveries set attempts = attempts + 1, last_error = $3,
         next_attempt_at = now() + make_interval(secs => least(600, power(2, attempts))),
         failed_at = case when attempts + 1 >= ${MAX_ATTEMPTS} then now() end
       where event_id = $1 and listener = $2 returning failed_at is not null as failed`,
      [event.id, subscription.id, message],
    );
    console.warn(`${subscription.id} failed on event ${event.id} ${event.name}: ${message}`);
    return row?.failed === true;
  }
}

function toSelective(listener: Listener | SelectiveListener): SelectiveListener {
  if (typeof listener === "function") return { handle: listener, concerns: () => true };
  return { handle: listener.handle, concerns: (event) => listener.concerns(event) };
}

/** One that cannot tell does not keep what it was asked about from being written. */
function mayConcern({ id, concerns }: Subscription, event: UnwrittenEvent): boolean {
  try {
    return concerns(event);
  } catch (error) {
    console.warn(`${id} could not say whether ${event.name} concerns it, and is delivered it: ${String(error)}`);
    return true;
  }
}

function toEnvelope(row: EventRow): EventEnvelope {
  return {
    id: row.id,
    name: row.name,
    at: row.at.toISOString(),
    tenantId: row.tenant_id,
    actor: row.actor,
    payload: row.payload,
  };
}

/** `*` takes everything, `a.b.*` everything below. */
export function matchesEvent(pattern: string, name: string): boolean {
  if (pattern === "*" || pattern === name) return true;
  return pattern.endsWith(".*") && name.startsWith(pattern.slice(0, -1));
}
