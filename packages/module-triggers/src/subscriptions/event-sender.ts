import { isOvenError } from "@oven/contract";
import type { Clock, Database } from "@oven/db";
import { eq } from "@oven/db/drizzle";
import type { ServiceMap } from "@oven/module-registry";
import { standardHeaders, WorkLoop } from "@oven/module-registry";
import { eventSubscriptions, subscriptionDeliveries } from "../schema.ts";
import {
  claimSubscriptionDeliveries,
  MOST_OF_ONE,
  nextAttemptAfter,
  type SubscriptionDeliveryRow,
  type SubscriptionRow,
} from "./subscription-rows.ts";

export interface EventSenderDeps {
  db: Database;
  services: ServiceMap;
  clock: Clock;
}

/** Waits between the eight attempts, in seconds. */
const WAITS = [5, 30, 120, 600, 1_800, 7_200, 21_600];
const MAX_ATTEMPTS = WAITS.length + 1;
const LONGEST_ASKED_SECONDS = 3_600;
const TIMEOUT_MS = 15_000;
const MOST_AT_ONCE = 50;
/** What a test sends; it is tried once. */
export const TEST_EVENT = "event-subscriptions.test";

/** Posts events to those who asked for them. A slow receiver holds up only its own events. */
export class EventSender {
  readonly #deps: EventSenderDeps;
  readonly #sending = new Map<number, { subscriptionId: number; done: Promise<void> }>();
  #stopping = new AbortController();
  readonly #loop: WorkLoop;
  /** Up to which instant all that is due was looked at. */
  #lookedAt = new Date(0);

  constructor(deps: EventSenderDeps) {
    this.#deps = deps;
    this.#loop = new WorkLoop("looking for events to send", () => this.#look(), {
      db: deps.db,
      untilNext: () => this.#untilNext(),
    });
  }

  start(): void {
    this.#stopping = new AbortController();
    this.#loop.start();
  }

  /** What is under way is broken off, and tried again by whoever runs next. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    this.#stopping.abort(new Error("the process stops"));
    await Promise.all([...this.#sending.values()].map(({ done }) => done));
  }

  /** Looks now instead of at the next sweep. */
  wake(): void {
    this.#loop.wake();
  }

  /** Sends everything that is due, and waits for it. Exposed for tests and simulations. */
  async tick(): Promise<void> {
    for (;;) {
      while (await this.#dispatch());
      if (this.#sending.size === 0) return;
      await Promise.race([...this.#sending.values()].map(({ done }) => done));
    }
  }

  async #look(): Promise<void> {
    while (await this.#dispatch());
  }

  /** True when something was sent on its way. Does not wait for it. */
  async #dispatch(): Promise<boolean> {
    const limit = MOST_AT_ONCE - this.#sending.size;
    if (limit <= 0 || this.#stopping.signal.aborted) return false;
    const now = await this.#deps.clock();
    this.#lookedAt = now;
    const claimed = await claimSubscriptionDeliveries(this.#deps.db, now, { limit, except: this.#full() });
    for (const { id, subscription_id: subscriptionId } of claimed) {
      const done = this.send(id).finally(() => {
        this.#sending.delete(id);
        this.wake();
      });
      this.#sending.set(id, { subscriptionId, done });
    }
    return claimed.length > 0;
  }

  /** What was due at the last look and not sent waits for others that are under way, each of which wakes the loop at its end. */
  async #untilNext(): Promise<number | undefined> {
    const { db, clock } = this.#deps;
    const next = await nextAttemptAfter(db, this.#lookedAt);
    return next === undefined ? undefined : Math.max(0, next.getTime() - (await clock()).getTime());
  }

  /** Subscriptions that have as much under way as they may. */
  #full(): number[] {
    const counts = new Map<number, number>();
    for (const { subscriptionId } of this.#sending.values())
      counts.set(subscriptionId, (counts.get(subscriptionId) ?? 0) + 1);
    return [...counts].flatMap(([id, count]) => (count >= MOST_OF_ONE ? [id] : []));
  }

  /** Tries once to send a delivery that was claimed. Never throws: what went wrong is written down. */
  async send(id: number): Promise<void> {
    try {
      const [found] = await this.#deps.db.orm
        .select()
        .from(subscriptionDeliveries)
        .innerJoin(eventSubscriptions, eq(eventSubscriptions.id, subscriptionDeliveries.subscriptionId))
        .where(eq(subscriptionDeliveries.id, id));
      if (found === undefined) return;
      await this.#attempt(found.subscription_deliveries, found.event_subscriptions);
    } catch (error) {
      // The row stays claimed for a minute, then it is tried again.
      console.error(`sending event delivery ${id} failed:`, error);
    }
  }

  async #attempt(delivery: SubscriptionDeliveryRow, subscription: SubscriptionRow): Promise<void> {
    const { services, db, clock } = this.#deps;
    let response: Response;
    try {
      response = await this.#post(delivery, subscription);
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      const message = isOvenError(error) ? `${error.code}: ${error.message}` : String(error);
      await this.#failed(delivery, null, services.secrets.redactText(message), 0);
      return;
    }
    const { status } = response;
    await response.body?.cancel();
    if (!response.ok) {
      await this.#failed(delivery, status, `The receiver answered ${status}`, secondsOf(response.headers));
      return;
    }
    await db.query(
      `update subscription_deliveries set status = 'delivered', last_status = $2, last_error = null, delivered_at = $3
       where id = $1`,
      [delivery.id, status, (await clock()).toISOString()],
      "subscription-delivered",
    );
  }

  async #post(delivery: SubscriptionDeliveryRow, subscription: SubscriptionRow): Promise<Response> {
    const { services, clock } = this.#deps;
    const { tenantId, secret, url, headers } = subscription;
    const { event, occurredAt, payload, messageId } = delivery;
    const key = await services.secrets.signingKey(tenantId, `secret:${secret}`);
    const body = JSON.stringify({ type: event, timestamp: occurredAt.toISOString(), data: payload });
    return services.outbound.fetch(url, {
      method: "POST",
      headers: {
        ...headers,
        "content-type": "application/json",
        ...standardHeaders(key, messageId, await clock(), body),
      },
      tenantId,
      body,
      timeoutMs: TIMEOUT_MS,
      // A signed body is for the address that was entered, and for no other.
      maxRedirects: 0,
      signal: this.#stopping.signal,
    });
  }

  async #failed(
    { id, attempts, event }: SubscriptionDeliveryRow,
    status: number | null,
    message: string,
    askedSeconds: number,
  ): Promise<void> {
    // 410: the receiver says that it will never take it.
    const isDead = attempts >= MAX_ATTEMPTS || status === 410 || event === TEST_EVENT;
    const wait = Math.max(WAITS[attempts - 1] ?? 0, Math.min(askedSeconds, LONGEST_ASKED_SECONDS));
    const now = await this.#deps.clock();
    await this.#deps.db.query(
      `update subscription_deliveries set status = $2, last_status = $3, last_error = $4, next_attempt_at = $5 where id = $1`,
      [id, isDead ? "dead" : "pending", status, message, new Date(now.getTime() + wait * 1_000).toISOString()],
      "subscription-delivery-failed",
    );
  }
}

/** Of a Retry-After in seconds; dates are rare, and left alone. */
function secondsOf(headers: Headers): number {
  const text = headers.get("retry-after") ?? "";
  return /^\d{1,6}$/.test(text) ? Number(text) : 0;
}
