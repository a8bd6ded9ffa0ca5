import { randomUUID } from "node:crypto";
import { type ListParams, notFound, type Principal } from "@oven/contract";
import type { NotificationDelivery } from "@oven/contract/system";
import type { Clock, Database } from "@oven/db";
import { findVisible, listRows } from "@oven/module-registry";
import { notificationDeliveries } from "../schema.ts";
import { type DeliveryRow, toNotificationDelivery } from "./delivery-rows.ts";

export interface DeliveryServiceDeps {
  db: Database;
  clock: Clock;
  /** Something is to be sent. */
  onArrival(): void;
}

/** The log of messages, and repeating one. */
export class DeliveryService {
  readonly #deps: DeliveryServiceDeps;

  constructor(deps: DeliveryServiceDeps) {
    this.#deps = deps;
  }

  async list(principal: Principal, params: ListParams): Promise<{ rows: NotificationDelivery[]; total: number }> {
    const { id, ruleId, channel, status, kind, recipient, createdAt, sentAt, tenantId, subject } =
      notificationDeliveries;
    const { rows, total } = await listRows(this.#deps.db.orm, principal, params, {
      table: notificationDeliveries,
      fields: { id, ruleId, channel, status, kind, recipient, createdAt, sentAt },
      search: [recipient, subject],
      tenant: tenantId,
    });
    return { rows: rows.map(toNotificationDelivery), total };
  }

  /** @throws OvenError NOT_FOUND */
  async get(principal: Principal, id: number): Promise<NotificationDelivery> {
    return toNotificationDelivery(await this.#row(principal, id));
  }

  /** The same message to the same recipient, at once, as a delivery of its own. @throws OvenError NOT_FOUND */
  async replay(principal: Principal, id: number): Promise<NotificationDelivery> {
    const { db, clock, onArrival } = this.#deps;
    const row = await this.#row(principal, id);
    const now = await clock();
    const [repeated] = await db.orm
      .insert(notificationDeliveries)
      .values({
        tenantId: row.tenantId,
        ruleId: row.ruleId,
        ruleKey: `${row.ruleKey}#${randomUUID()}`,
        eventKey: row.eventKey,
        channel: row.channel,
        recipient: row.recipient,
        userId: row.userId,
        kind: row.kind,
        reviewId: row.reviewId,
        subject: row.subject,
        text: row.text,
        link: row.link,
        facts: row.facts,
        replayOf: row.id,
        nextAttemptAt: now,
        createdAt: now,
      })
      .returning();
    if (repeated === undefined) throw new Error("an insert answered no row");
    onArrival();
    return toNotificationDelivery(repeated);
  }

  async #row(principal: Principal, id: number): Promise<DeliveryRow> {
    const row = await findVisible(this.#deps.db.orm, notificationDeliveries, principal, id);
    if (row === undefined) throw notFound("delivery", id);
    return row;
  }
}
