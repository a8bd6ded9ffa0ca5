import { isGranted, type ListParams, notFound, OvenError, type Principal } from "@oven/contract";
import type { CreateEventWiring, EventWiring, UpdateEventWiring } from "@oven/contract/trigger";
import type { Database } from "@oven/db";
import { findVisible, listRows, requirePermission, type ServiceMap } from "@oven/module-registry";
import { eventWirings } from "../schema.ts";
import type { TriggerService } from "../triggers/trigger-service.ts";
import { readDefinition, toDefinition, toWiringError } from "./wiring-definition.ts";

export interface WiringServiceDeps {
  db: Database;
  services: ServiceMap;
  triggers: TriggerService;
}

type WiringRow = typeof eventWirings.$inferSelect;

/** Events that make actions happen. Each is a trigger and a workflow of one step, so that it runs, waits and is logged as those are. */
export class WiringService {
  readonly #deps: WiringServiceDeps;

  constructor(deps: WiringServiceDeps) {
    this.#deps = deps;
  }

  async list(principal: Principal, params: ListParams): Promise<{ rows: EventWiring[]; total: number }> {
    const { id, triggerId, createdAt, tenantId } = eventWirings;
    const { rows, total } = await listRows(this.#deps.db.orm, principal, params, {
      table: eventWirings,
      fields: { id, triggerId, createdAt },
      search: [],
      tenant: tenantId,
    });
    return { rows: await Promise.all(rows.map((row) => this.#shown(principal, row))), total };
  }

  /** @throws OvenError NOT_FOUND, also for rows of other tenants */
  async get(principal: Principal, id: number): Promise<EventWiring> {
    return this.#shown(principal, await this.#row(principal, id));
  }

  /** @throws OvenError INVALID_TRIGGER 400, FORBIDDEN without the right to make workflows */
  async create(principal: Principal, body: CreateEventWiring): Promise<EventWiring> {
    requirePermission(principal, "workflows.create");
    const made = await this.#deps.db.jointly(() => this.#create(principal, body));
    await this.#deps.triggers.changed();
    return made;
  }

  async #create(principal: Principal, body: CreateEventWiring): Promise<EventWiring> {
    const { db, triggers } = this.#deps;
    const { name, event, condition, enabled } = body;
    const workflow = await this.#workflows()
      .create(principal, { name, description: `When ${event} happens`, definition: toDefinition(body) })
      .catch((error: unknown) => {
        throw toWiringError(error);
      });
    const trigger = await triggers.create(principal, {
      type: "event",
      name,
      enabled,
      target: { kind: "workflow", workflowId: workflow.id },
      config: { events: [event] },
      filter: condition,
      input: null,
      shaping: null,
      overlap: "allow",
      overlapCountsPaused: true,
    });
    const [row] = await db.orm
      .insert(eventWirings)
      .values({ tenantId: principal.tenantId, triggerId: trigger.id })
      .returning();
    if (row === undefined) throw new Error("an insert answered no row");
    return this.#shown(principal, row);
  }

  /** @throws as `create`, NOT_FOUND */
  async update(principal: Principal, id: number, body: UpdateEventWiring): Promise<EventWiring> {
    const updated = await this.#deps.db.jointly(() => this.#update(principal, id, body));
    await this.#deps.triggers.changed();
    return updated;
  }

  async #update(principal: Principal, id: number, body: UpdateEventWiring): Promise<EventWiring> {
    const row = await this.#row(principal, id);
    const current = await this.#shown(principal, row);
    const { name, event, condition, enabled, action = current.action, input = current.input } = body;
    if (action === null) {
      throw new OvenError("INVALID_TRIGGER", "The workflow of this wiring was drawn anew", {
        status: 400,
        path: "$.action",
        fix: "Name the action and its input, which replace what was drawn, or edit the workflow and its trigger.",
      });
    }
    if (name !== undefined || body.action !== undefined || body.input !== undefined) {
      requirePermission(principal, "workflows.update");
      await this.#workflows()
        .update(principal, String(current.workflowId), {
          ...(name === undefined ? {} : { name }),
          definition: toDefinition({ action, input }),
        })
        .catch((error: unknown) => {
          throw toWiringError(error);
        });
    }
    await this.#deps.triggers.update(principal, row.triggerId, {
      ...(name === undefined ? {} : { name }),
      ...(event === undefined ? {} : { config: { events: [event] } }),
      ...(condition === undefined ? {} : { filter: condition }),
      ...(enabled === undefined ? {} : { enabled }),
    });
    return this.#shown(principal, row);
  }

  /**
   * With its trigger, and with its workflow where the caller may delete workflows; a run of that is cancelled.
   * @throws OvenError NOT_FOUND
   */
  async delete(principal: Principal, id: number): Promise<void> {
    const { triggerId } = await this.#row(principal, id);
    const { target } = await this.#deps.triggers.get(principal, triggerId);
    await this.#deps.triggers.delete(principal, triggerId);
    if (isGranted(principal.permissions, "workflows.delete"))
      await this.#workflows().delete(principal, String(target.workflowId), true);
  }

  #workflows() {
    return this.#deps.services.workflowPlatform.face("workflow").workflows;
  }

  async #row(principal: Principal, id: number): Promise<WiringRow> {
    const row = await findVisible(this.#deps.db.orm, eventWirings, principal, id);
    if (row === undefined) throw notFound("event wiring", id);
    return row;
  }

  async #shown(principal: Principal, { id, triggerId, createdAt }: WiringRow): Promise<EventWiring> {
    const { name, enabled, config, filter, target, updatedAt } = await this.#deps.triggers.get(principal, triggerId);
    const workflow = await this.#workflows().get(principal, String(target.workflowId));
    const [event] = config.events as string[]; // cast: the settings of an event trigger
    return {
      id,
      name,
      event: event ?? "",
      ...readDefinition(workflow.definition),
      condition: filter,
      enabled,
      triggerId,
      workflowId: target.workflowId,
      createdAt: createdAt.toISOString(),
      updatedAt,
    };
  }
}
