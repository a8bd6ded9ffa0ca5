import { randomUUID } from "node:crypto";
import { type Json, type ListParams, notFound, type Principal } from "@oven/contract";
import type { TriggerDelivery, TriggerTest } from "@oven/contract/trigger";
import type { Clock, Database } from "@oven/db";
import { findVisible, listRows } from "@oven/module-registry";
import { triggerDeliveries } from "../schema.ts";
import type { TriggerCatalog } from "../triggers/trigger-catalog.ts";
import type { TriggerService } from "../triggers/trigger-service.ts";
import { type DeliveryRow, insertArrivals, toDelivery } from "./delivery-rows.ts";
import { judge } from "./judge.ts";
import type { TriggerHost } from "./trigger-host.ts";
import type { TriggerStarter } from "./trigger-starter.ts";

export interface DeliveryServiceDeps {
  db: Database;
  triggers: TriggerService;
  starter: TriggerStarter;
  host: TriggerHost;
  catalog: TriggerCatalog;
  clock: Clock;
}

/** What arrived at triggers, as people see it: the log, trying out, firing by hand, and repeating. */
export class DeliveryService {
  readonly #deps: DeliveryServiceDeps;

  constructor(deps: DeliveryServiceDeps) {
    this.#deps = deps;
  }

  async list(principal: Principal, params: ListParams): Promise<{ rows: TriggerDelivery[]; total: number }> {
    const { id, triggerId, decision, executionId, receivedAt, key, tenantId } = triggerDeliveries;
    const { rows, total } = await listRows(this.#deps.db.orm, principal, params, {
      table: triggerDeliveries,
      fields: { id, triggerId, decision, executionId, receivedAt },
      search: [key],
      tenant: tenantId,
    });
    return { rows: rows.map(toDelivery), total };
  }

  /** @throws OvenError NOT_FOUND */
  async get(principal: Principal, id: number): Promise<TriggerDelivery> {
    return toDelivery(await this.#row(principal, id));
  }

  /** What a payload, a past delivery or the type's sample would do. Nothing is started or written. */
  async test(
    principal: Principal,
    triggerId: number,
    given: { payload?: Json; deliveryId?: number },
  ): Promise<TriggerTest> {
    const { triggers, catalog, starter, clock } = this.#deps;
    const trigger = await triggers.row(principal, triggerId);
    const { payload, isBatch } =
      given.deliveryId === undefined
        ? { payload: given.payload ?? catalog.get(trigger.type).sample, isBatch: false }
        : await this.#row(principal, given.deliveryId);
    // cast: written as JSON
    const judged = judge(trigger, { payload: payload as Json, isBatch, arrivedAt: await clock() });
    if (judged.decision !== "started")
      return { decision: judged.decision, reason: judged.reason, input: null, problems: [] };
    if (!trigger.enabled)
      return { decision: "skipped", reason: "The trigger is switched off", input: judged.input, problems: [] };
    const by = await starter.principalOf(trigger);
    if (typeof by === "string") return { decision: "refused", reason: by, input: judged.input, problems: [] };
    const refusal = await starter.refusalOf(trigger, by, judged.input);
    const { decision = "started", reason = null, problems = [] } = refusal ?? {};
    return { decision, reason, input: judged.input, problems };
  }

  /** Fires by hand; the answer says what was decided. */
  async fire(principal: Principal, triggerId: number, payload: Json): Promise<TriggerDelivery> {
    const trigger = await this.#deps.triggers.row(principal, triggerId);
    return this.#deliver(principal, trigger, { key: `manual:${randomUUID()}`, payload });
  }

  /** The same thing once more, by the trigger as it is now, and at once: its shaping is for what comes by itself. */
  async replay(principal: Principal, id: number): Promise<TriggerDelivery> {
    const row = await this.#row(principal, id);
    const trigger = await this.#deps.triggers.row(principal, row.triggerId);
    const { payload, event, isBatch } = row;
    return this.#deliver(principal, trigger, {
      key: `replay:${id}:${randomUUID()}`,
      payload: payload as Json, // cast: written as JSON
      ...(event === null ? {} : { event }),
      replayOf: id,
      isBatch,
    });
  }

  async #deliver(
    principal: Principal,
    trigger: { id: number; tenantId: number },
    arrival: { key: string; payload: Json; event?: string; replayOf?: number; isBatch?: boolean },
  ): Promise<TriggerDelivery> {
    const { db, host, clock } = this.#deps;
    const fired = { ...arrival, firedBy: principal.userId };
    const [id] = await insertArrivals(db.system, trigger, [fired], await clock());
    if (id === undefined) throw new Error("a delivery with a new key was not written");
    await host.work(id);
    return this.get(principal, id);
  }

  async #row(principal: Principal, id: number): Promise<DeliveryRow> {
    const row = await findVisible(this.#deps.db.orm, triggerDeliveries, principal, id);
    if (row === undefined) throw notFound("delivery", id);
    return row;
  }
}
