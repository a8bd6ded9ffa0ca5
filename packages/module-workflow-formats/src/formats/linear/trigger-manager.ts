import { notFound, OvenError, type Principal } from "@oven/contract";
import type { LinearTrigger } from "@oven/contract/formats/linear.ts";
import { and, eq, sql } from "@oven/db/drizzle";
import { ownerOf } from "../../shared/owner.ts";
import type { LinearCompiler, LinearDeps } from "./linear-compiler.ts";
import type { LinearService } from "./linear-service.ts";
import { toLinearTrigger } from "./linear-source.ts";
import { linearTriggers } from "./tables/linear-triggers.table.ts";

/** Single triggers: their settings and rules. */
export class TriggerManager {
  readonly #deps: LinearDeps;
  readonly #compiler: LinearCompiler;
  readonly #workflows: LinearService;

  constructor(deps: LinearDeps, compiler: LinearCompiler, workflows: LinearService) {
    this.#deps = deps;
    this.#compiler = compiler;
    this.#workflows = workflows;
  }

  async list(principal: Principal): Promise<LinearTrigger[]> {
    return (await this.#deps.store.listTriggers(ownerOf(principal))).map(toLinearTrigger);
  }

  /** @throws OvenError NOT_FOUND */
  async get(principal: Principal, uuid: string): Promise<LinearTrigger> {
    return toLinearTrigger(await this.#deps.store.trigger(ownerOf(principal), uuid));
  }

  /** @throws OvenError NOT_FOUND, also while the workflow has none */
  async getForWorkflow(principal: Principal, workflow: string): Promise<LinearTrigger> {
    const { trigger } = await this.#deps.store.source(ownerOf(principal), workflow);
    if (trigger === null) throw notFound("trigger of the linear workflow", workflow);
    return toLinearTrigger(trigger);
  }

  /** @throws OvenError TRIGGER_TYPE_UNKNOWN, TRIGGER_SET 409 when the workflow has one */
  async create(principal: Principal, workflow: string, type: string): Promise<LinearTrigger> {
    const { trigger_uuid: before } = await this.#workflows.get(principal, workflow);
    if (before !== null) {
      throw new OvenError("TRIGGER_SET", "The workflow has a trigger, and can have one", {
        status: 409,
        fix: "Set another one in its place with PUT …/trigger, or delete it first.",
      });
    }
    const { trigger_uuid: uuid } = await this.#workflows.setTrigger(principal, workflow, type);
    return this.get(principal, uuid ?? "");
  }

  /** Its settings, rules and description. @throws OvenError NOT_FOUND, INVALID_TRIGGER */
  async save(principal: Principal, uuid: string, trigger: LinearTrigger): Promise<LinearTrigger> {
    const { db, services, store } = this.#deps;
    const { config, filter_rules: filterRules, initial_data_description: initialDataDescription } = trigger;
    const saved = await db.jointly(async () => {
      const { details, workflowUuid } = await store.trigger(ownerOf(principal), uuid);
      await db.orm
        .update(linearTriggers)
        .set({
          details: { ...details, config, filterRules, initialDataDescription },
          updatedAt: sql`clock_timestamp()`,
        })
        .where(and(eq(linearTriggers.uuid, uuid), eq(linearTriggers.tenantId, principal.tenantId)));
      await this.#compiler.sync(principal, workflowUuid);
      return store.trigger(ownerOf(principal), uuid);
    });
    services.events.wake();
    return toLinearTrigger(saved);
  }

  /** Its workflow has none from then on. @throws OvenError NOT_FOUND */
  async delete(principal: Principal, uuid: string): Promise<void> {
    const { workflowUuid } = await this.#deps.store.trigger(ownerOf(principal), uuid);
    await this.#workflows.removeTrigger(principal, workflowUuid);
  }
}
