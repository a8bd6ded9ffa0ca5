import { randomUUID } from "node:crypto";
import { type Json, type ListParams, notFound, type Principal } from "@oven/contract";
import type {
  CreateEventSubscription,
  EventSubscription,
  SubscriptionDelivery,
  UpdateEventSubscription,
} from "@oven/contract/trigger";
import type { Clock, Database } from "@oven/db";
import { and, eq, sql } from "@oven/db/drizzle";
import { findVisible, listRows, type ServiceMap, visibleTo } from "@oven/module-registry";
import { eventSubscriptions, subscriptionDeliveries } from "../schema.ts";
import { type EventSender, TEST_EVENT } from "./event-sender.ts";
import {
  insertSubscriptionDelivery,
  type SubscriptionDeliveryRow,
  type SubscriptionRow,
  toSubscription,
  toSubscriptionDelivery,
} from "./subscription-rows.ts";

export interface SubscriptionServiceDeps {
  db: Database;
  services: ServiceMap;
  sender: EventSender;
  clock: Clock;
  /** After a row changed: which events are wanted is known when it resolves. */
  onChange(): Promise<void>;
}

/** Event subscriptions as administrators see and change them. */
export class SubscriptionService {
  readonly #deps: SubscriptionServiceDeps;

  constructor(deps: SubscriptionServiceDeps) {
    this.#deps = deps;
  }

  async list(principal: Principal, params: ListParams): Promise<{ rows: EventSubscription[]; total: number }> {
    const { id, name, url, enabled, createdAt, updatedAt, tenantId } = eventSubscriptions;
    const { rows, total } = await listRows(this.#deps.db.orm, principal, params, {
      table: eventSubscriptions,
      fields: { id, name, url, enabled, createdAt, updatedAt },
      search: [name, url],
      tenant: tenantId,
    });
    return { rows: rows.map(toSubscription), total };
  }

  /** @throws OvenError NOT_FOUND, also for rows of other tenants */
  async get(principal: Principal, id: number): Promise<EventSubscription> {
    return toSubscription(await this.#row(principal, id));
  }

  /** @throws OvenError SECRET_UNKNOWN 422, SECRET_HOST_REFUSED 422 */
  async create({ tenantId }: Principal, body: CreateEventSubscription): Promise<EventSubscription> {
    await this.#deps.services.secrets.signingKey(tenantId, `secret:${body.secret}`);
    const [row] = await this.#deps.db.orm
      .insert(eventSubscriptions)
      .values({ ...body, tenantId })
      .returning();
    if (row === undefined) throw new Error("an insert answered no row");
    await this.#deps.onChange();
    return toSubscription(row);
  }

  /** @throws OvenError NOT_FOUND, SECRET_UNKNOWN 422, SECRET_HOST_REFUSED 422 */
  async update(principal: Principal, id: number, body: UpdateEventSubscription): Promise<EventSubscription> {
    const { tenantId } = await this.#row(principal, id);
    const { name, url, events, secret, headers, enabled } = body;
    if (secret !== undefined) await this.#deps.services.secrets.signingKey(tenantId, `secret:${secret}`);
    const given = Object.entries({ name, url, events, secret, headers, enabled }).filter(
      ([, value]) => value !== undefined,
    );
    const [row] = await this.#deps.db.orm
      .update(eventSubscriptions)
      .set({ ...Object.fromEntries(given), updatedAt: sql`now()` })
      .where(and(eq(eventSubscriptions.id, id), eq(eventSubscriptions.tenantId, principal.tenantId)))
      .returning();
    if (row === undefined) throw notFound("event subscription", id);
    await this.#deps.onChange();
    return toSubscription(row);
  }

  /** With its deliveries, also those that were not sent yet. @throws OvenError NOT_FOUND */
  async delete(principal: Principal, id: number): Promise<void> {
    const gone = await this.#deps.db.orm
      .delete(eventSubscriptions)
      .where(and(eq(eventSubscriptions.id, id), eq(eventSubscriptions.tenantId, principal.tenantId)))
      .returning({ id: eventSubscriptions.id });
    if (gone.length === 0) throw notFound("event subscription", id);
    await this.#deps.onChange();
  }

  /** @throws OvenError NOT_FOUND */
  async deliveries(
    principal: Principal,
    subscriptionId: number,
    params: ListParams,
  ): Promise<{ rows: SubscriptionDelivery[]; total: number }> {
    await this.#row(principal, subscriptionId);
    const { id, event, status, attempts, createdAt, deliveredAt, tenantId, messageId } = subscriptionDeliveries;
    const { rows, total } = await listRows(this.#deps.db.orm, principal, params, {
      table: subscriptionDeliveries,
      fields: { id, event, status, attempts, createdAt, deliveredAt },
      search: [event, messageId],
      tenant: tenantId,
      where: eq(subscriptionDeliveries.subscriptionId, subscriptionId),
    });
    return { rows: rows.map(toSubscriptionDelivery), total };
  }

  /** Once more, with the same `webhook-id`: a receiver that has it already can tell. @throws OvenError NOT_FOUND */
  async replay(principal: Principal, subscriptionId: number, deliveryId: number): Promise<SubscriptionDelivery> {
    const subscription = await this.#row(principal, subscriptionId);
    const { messageId, event, occurredAt, payload } = await this.#delivery(principal, subscriptionId, deliveryId);
    const id = await this.#insert(subscription, {
      key: `replay:${deliveryId}:${randomUUID()}`,
      messageId,
      event,
      occurredAt,
      payload: payload as Json, // cast: written as JSON
      replayOf: deliveryId,
    });
    this.#deps.sender.wake();
    return toSubscriptionDelivery(await this.#delivery(principal, subscriptionId, id));
  }

  /** Sends an example at once, and says what became of it. @throws OvenError NOT_FOUND */
  async test(principal: Principal, subscriptionId: number): Promise<SubscriptionDelivery> {
    const subscription = await this.#row(principal, subscriptionId);
    const key = `test:${randomUUID()}`;
    const example = { key, messageId: key.replace(":", "_"), event: TEST_EVENT };
    const payload = { subscriptionId, name: subscription.name };
    const id = await this.#insert(subscription, { ...example, occurredAt: await this.#deps.clock(), payload }, true);
    await this.#deps.sender.send(id);
    return toSubscriptionDelivery(await this.#delivery(principal, subscriptionId, id));
  }

  async #insert(
    subscription: SubscriptionRow,
    delivery: Parameters<typeof insertSubscriptionDelivery>[2],
    isClaimed = false,
  ): Promise<number> {
    const { db, clock } = this.#deps;
    const id = await insertSubscriptionDelivery(db, subscription, delivery, await clock(), isClaimed);
    if (id === undefined) throw new Error("a delivery with a new key was not written");
    return id;
  }

  async #row(principal: Principal, id: number): Promise<SubscriptionRow> {
    const row = await findVisible(this.#deps.db.orm, eventSubscriptions, principal, id);
    if (row === undefined) throw notFound("event subscription", id);
    return row;
  }

  async #delivery(principal: Principal, subscriptionId: number, id: number): Promise<SubscriptionDeliveryRow> {
    const { tenantId, subscriptionId: of, id: idColumn } = subscriptionDeliveries;
    const [row] = await this.#deps.db.orm
      .select()
      .from(subscriptionDeliveries)
      .where(and(eq(idColumn, id), eq(of, subscriptionId), visibleTo(principal, tenantId)));
    if (row === undefined) throw notFound("delivery", id);
    return row;
  }
}
