import { type EventEnvelope, type JsonObject, type ListParams, notFound, type Principal } from "@oven/contract";
import type { EventDelivery, EventType, LoggedEvent } from "@oven/contract/system";
import type { Database } from "@oven/db";
import { and, eq, gte, inArray, like, lt, or, type SQL, sql } from "@oven/db/drizzle";
import { z } from "zod";
import type { RegistryView } from "../define/define-module.ts";
import type { ServiceMap } from "../define/services.ts";
import { invalid } from "../list/list-query.ts";
import { listRows, visibleTo } from "../list/list-rows.ts";
import { outboxDeliveries, outboxEvents } from "./outbox.table.ts";

type EventRow = typeof outboxEvents.$inferSelect;
type DeliveryRow = typeof outboxDeliveries.$inferSelect;

export interface EventLogDeps {
  db: Database;
  registry: RegistryView;
  services: Pick<ServiceMap, "events" | "secrets">;
}

/** The outbox as people read it: what happened, and what each listener made of it. */
export class EventLog {
  readonly #deps: EventLogDeps;

  constructor(deps: EventLogDeps) {
    this.#deps = deps;
  }

  /**
   * Filters: `name`, `pattern` (`agents-workflow.execution.*`), `from` and `to` (instants), `executionId`, `failed` (some
   * listener was given up on).
   * @throws OvenError INVALID_LIST_QUERY
   */
  async list(principal: Principal, params: ListParams): Promise<{ rows: LoggedEvent[]; total: number }> {
    const { pattern, from, to, executionId, failed, ...filter } = params.filter;
    const where = and(
      pattern === undefined ? undefined : matching(pattern),
      from === undefined ? undefined : gte(outboxEvents.at, toInstant("from", from)),
      to === undefined ? undefined : lt(outboxEvents.at, toInstant("to", to)),
      executionId === undefined ? undefined : eq(outboxEvents.orderKey, `execution:${toId(executionId)}`),
      failed === undefined ? undefined : hasFailed(failed),
    );
    const { id, name, at, deliveredAt, tenantId } = outboxEvents;
    const { rows, total } = await listRows(
      this.#deps.db.orm,
      principal,
      { ...params, filter },
      {
        table: outboxEvents,
        fields: { id, name, at, deliveredAt },
        search: [name],
        tenant: tenantId,
        ...(where === undefined ? {} : { where }),
      },
    );
    return { rows: await this.#withDeliveries(rows), total };
  }

  /** @throws OvenError NOT_FOUND */
  async get(principal: Principal, id: number): Promise<LoggedEvent> {
    const rows = await this.#deps.db.orm
      .select()
      .from(outboxEvents)
      .where(and(eq(outboxEvents.id, id), visibleTo(principal, outboxEvents.tenantId)));
    const [event] = await this.#withDeliveries(rows);
    if (event === undefined) throw notFound("event", id);
    return event;
  }

  /** Gives listeners that were given up on all their attempts anew: one, or all of the event. @throws OvenError NOT_FOUND */
  async retry(principal: Principal, id: number, listener: string | undefined): Promise<LoggedEvent> {
    await this.get(principal, id);
    await this.#deps.db.transaction(async (tx) => {
      const again = await tx.query(
        `update outbox_deliveries set failed_at = null, attempts = 0, next_attempt_at = now()
         where event_id = $1 and tenant_id = $2 and failed_at is not null and ($3::text is null or listener = $3)
         returning listener`,
        [id, principal.tenantId, listener ?? null],
      );
      if (again.length > 0) await tx.query("update outbox_events set delivered_at = null where id = $1", [id]);
    });
    this.#deps.services.events.wake();
    return this.get(principal, id);
  }

  types(): EventType[] {
    return this.#deps.registry
      .modules()
      .flatMap((module) =>
        Object.entries(module.events.emits).map(([name, schema]) => ({
          name,
          module: module.name,
          description: schema.description ?? "",
          // cast: a JSON Schema is JSON
          payloadSchema: z.toJSONSchema(schema, { unrepresentable: "any" }) as JsonObject,
        })),
      )
      .sort((one, other) => one.name.localeCompare(other.name));
  }

  async #withDeliveries(events: readonly EventRow[]): Promise<LoggedEvent[]> {
    if (events.length === 0) return [];
    const ids = events.map(({ id }) => id);
    const rows = await this.#deps.db.orm
      .select()
      .from(outboxDeliveries)
      .where(inArray(outboxDeliveries.eventId, ids))
      .orderBy(outboxDeliveries.listener);
    const deliveries = Map.groupBy(rows, ({ eventId }) => eventId);
    const { secrets } = this.#deps.services;
    return events.map((row) => {
      const { id, tenantId, name, at, deliveredAt } = row;
      const payload = row.payload as EventEnvelope["payload"]; // cast: written as JSON
      return {
        id,
        name,
        tenantId,
        at: at.toISOString(),
        actor: row.actor as EventEnvelope["actor"], // cast: written as an actor
        payload: secrets.redact(tenantId, payload),
        executionId: Number(/^execution:(\d+)$/.exec(row.orderKey ?? "")?.[1] ?? Number.NaN) || null,
        deliveredAt: deliveredAt?.toISOString() ?? null,
        deliveries: (deliveries.get(id) ?? []).map((delivery) => ({
          ...toEventDelivery(delivery),
          lastError: delivery.lastError === null ? null : secrets.redact(tenantId, delivery.lastError),
        })),
      };
    });
  }
}

function toEventDelivery(row: DeliveryRow): EventDelivery {
  return {
    listener: row.listener,
    status: row.failedAt !== null ? "failed" : row.deliveredAt !== null ? "delivered" : "pending",
    attempts: row.attempts,
    lastError: row.lastError,
    nextAttemptAt: row.nextAttemptAt.toISOString(),
    deliveredAt: row.deliveredAt?.toISOString() ?? null,
  };
}

/** As `matchesEvent` decides. */
function matching(pattern: unknown): SQL | undefined {
  if (typeof pattern !== "string")
    throw invalid("filter", "takes text for `pattern`, such as agents-workflow.execution.*");
  if (pattern === "*") return undefined;
  const same = eq(outboxEvents.name, pattern);
  if (!pattern.endsWith(".*")) return same;
  return or(same, like(outboxEvents.name, `${pattern.slice(0, -1).replace(/[\\%_]/g, "\\$&")}%`));
}

function hasFailed(failed: unknown): SQL {
  if (typeof failed !== "boolean") throw invalid("filter", "takes true or false for `failed`");
  const some = sql`exists (select 1 from ${outboxDeliveries} d where d.event_id = ${outboxEvents.id} and d.failed_at is not null)`;
  return failed ? some : sql`not ${some}`;
}

function toInstant(key: string, value: unknown): Date {
  const date = typeof value === "string" ? new Date(value) : undefined;
  if (date === undefined || Number.isNaN(date.getTime()))
    throw invalid("filter", `takes instants such as 2026-01-31T12:00:00Z for \`${key}\``);
  return date;
}

function toId(value: unknown): number {
  const id = typeof value === "string" ? Number(value) : value;
  if (typeof id !== "number" || !Number.isSafeInteger(id))
    throw invalid("filter", "takes the id of a run for `executionId`");
  return id;
}
