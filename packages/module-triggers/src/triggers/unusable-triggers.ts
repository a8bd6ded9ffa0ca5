import { isObject, isOvenError, type NewEvent, SYSTEM_PRINCIPAL, toActor } from "@oven/contract";
import {
  type TriggerProblem,
  TriggerProblemSchema,
  type TriggerTarget,
  TriggerTargetSchema,
} from "@oven/contract/trigger";
import type { Workflow } from "@oven/contract/workflow";
import type { Database, Transaction } from "@oven/db";
import { and, eq } from "@oven/db/drizzle";
import type { ServiceMap } from "@oven/module-registry";
import { z } from "zod";
import { triggers } from "../schema.ts";
import { arrivingOf } from "../shaping/check-shaping.ts";
import { inputProblem } from "./check-input.ts";
import type { TriggerCatalog } from "./trigger-catalog.ts";
import type { TriggerRow } from "./trigger-row.ts";

const TRIGGER_UNUSABLE_EVENT = "triggers.trigger.unusable";

export const triggerEvents = {
  [TRIGGER_UNUSABLE_EVENT]: z
    .looseObject({
      triggerId: z.int(),
      name: z.string(),
      type: z.string(),
      kind: TriggerTargetSchema.shape.kind,
      workflowId: z.int(),
      workflowName: z.string(),
      version: z.int(),
      problem: TriggerProblemSchema,
      ownerId: z.int().nullable(),
    })
    .describe("When a workflow was changed so that each firing of a trigger that is on will be refused"),
};

export interface UnusableTriggersDeps {
  db: Database;
  services: ServiceMap;
  catalog: TriggerCatalog;
}

/** Flags the triggers whose input does not fit their workflow any more, and takes the flag off where it fits again. */
export class UnusableTriggers {
  readonly #deps: UnusableTriggersDeps;

  /** @param deps `db` without row-level security: a shared workflow has triggers of several tenants */
  constructor(deps: UnusableTriggersDeps) {
    this.#deps = deps;
  }

  /** Looks at the triggers of a workflow that was changed. Tells of each that became unusable, together with its flag. */
  async check({ kind, workflowId }: TriggerTarget): Promise<void> {
    const { db, services } = this.#deps;
    const isTarget = and(eq(triggers.targetKind, kind), eq(triggers.workflowId, workflowId));
    const [any] = await db.orm.select({ tenantId: triggers.tenantId }).from(triggers).where(isTarget).limit(1);
    if (any === undefined) return;
    const workflow = await this.#workflow({ kind, workflowId }, any.tenantId);
    if (workflow === undefined) return;
    const hasTold = await db.transaction(async (tx) => {
      // Held, so that none is saved meanwhile whose flag would then be that of its input before.
      const rows = await tx.orm.select().from(triggers).where(isTarget).orderBy(triggers.id).for("update");
      const events: NewEvent[] = [];
      for (const row of rows) events.push(...(await this.#flag(tx, row, workflow)));
      if (events.length > 0) await services.events.write(tx, events);
      return events.length > 0;
    });
    if (hasTold) services.events.wake();
  }

  /** Undefined: it was deleted since, and its triggers are about to be. */
  async #workflow({ kind, workflowId }: TriggerTarget, tenantId: number): Promise<Workflow | undefined> {
    const { workflows } = this.#deps.services.workflowPlatform.face(kind);
    try {
      return await workflows.get({ ...SYSTEM_PRINCIPAL, tenantId }, String(workflowId));
    } catch (error) {
      if (isOvenError(error) && error.status === 404) return undefined;
      throw error;
    }
  }

  async #flag(tx: Transaction, row: TriggerRow, workflow: Workflow): Promise<NewEvent[]> {
    const { payloadSchema } = workflow.definition;
    const arriving = arrivingOf(this.#deps.catalog.find(row.type), row.shaping);
    const problem = inputProblem({ input: row.input, arriving }, isObject(payloadSchema) ? payloadSchema : undefined);
    if (problem?.path === row.problem?.path && problem?.message === row.problem?.message) return [];
    await tx.orm
      .update(triggers)
      .set({ problem: problem ?? null })
      .where(eq(triggers.id, row.id));
    // Announced once until it fits again; one that is switched off refuses nothing.
    return problem === undefined || row.problem !== null || !row.enabled ? [] : [toEvent(row, workflow, problem)];
  }
}

function toEvent(row: TriggerRow, workflow: Workflow, problem: TriggerProblem): NewEvent {
  const { id: triggerId, tenantId, name, type, targetKind, workflowId, runsAs } = row;
  return {
    name: TRIGGER_UNUSABLE_EVENT,
    tenantId,
    actor: toActor(SYSTEM_PRINCIPAL),
    orderKey: `trigger:${triggerId}`,
    payload: {
      ...{ triggerId, name, type, kind: targetKind, workflowId, workflowName: workflow.name },
      ...{ version: workflow.version, problem, ownerId: runsAs },
    },
  };
}
