import type { EventEnvelope } from "@oven/contract";
import type { Clock, Database } from "@oven/db";
import { and, eq } from "@oven/db/drizzle";
import { type EventService, matchesEvent, type ServiceMap } from "@oven/module-registry";
import { WantedEvents } from "../deliveries/wanted-events.ts";
import { eventSubscriptions } from "../schema.ts";
import { insertSubscriptionDelivery } from "./subscription-rows.ts";

export interface SubscriptionIntakeDeps {
  db: Database;
  services: ServiceMap;
  clock: Clock;
  onArrival(): void;
}

/** Writes down which events of the outbox are to be posted to whom. */
export class SubscriptionIntake {
  readonly #deps: SubscriptionIntakeDeps;
  readonly wanted: WantedEvents;

  constructor(deps: SubscriptionIntakeDeps) {
    this.#deps = deps;
    this.wanted = new WantedEvents(deps.db, async () => {
      const rows = await deps.db.orm.select().from(eventSubscriptions).where(eq(eventSubscriptions.enabled, true));
      return rows.flatMap(({ events }) => events);
    });
  }

  listen(events: EventService): void {
    events.subscribe(
      "module-triggers:subscription",
      (name) => this.wanted.includes(name),
      (event) => this.take(event),
    );
  }

  async take({ id, tenantId, name, at, payload }: EventEnvelope): Promise<void> {
    const { db, services, clock } = this.#deps;
    const rows = await db.orm
      .select()
      .from(eventSubscriptions)
      .where(and(eq(eventSubscriptions.tenantId, tenantId), eq(eventSubscriptions.enabled, true)));
    const wanted = rows.filter(({ events }) => events.some((pattern) => matchesEvent(pattern, name)));
    if (wanted.length === 0) return;
    const now = await clock();
    const told = services.secrets.redact(tenantId, payload);
    for (const row of wanted) {
      const messageId = `evt_${id}_${row.id}`;
      const delivery = { key: `event:${id}`, messageId, event: name, occurredAt: new Date(at), payload: told };
      await insertSubscriptionDelivery(db, row, delivery, now);
    }
    this.#deps.onArrival();
  }
}
