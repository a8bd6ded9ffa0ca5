import {
  type LinearStep,
  type LinearStepInstance,
  type LinearStepType,
  notFound,
  type Principal,
  type StopCondition,
} from "@oven/contract";
import { eq, sql } from "@oven/db/drizzle";
import { isSameJson } from "@oven/engine";
import { linearStepInstances, linearSteps, linearWorkflows } from "../schema.ts";
import { ownerOf } from "../shared/owner.ts";
import { toRunUuid, toUserUuid } from "../shared/source-ids.ts";
import type { LinearCompiler, LinearDeps } from "./linear-compiler.ts";
import { type StepRow, toLinearStep, toStepDetails } from "./linear-source.ts";
import { orNameTaken } from "./linear-store.ts";
import type { StepDetails } from "./tables/linear-steps.table.ts";

export type StepInstanceRow = typeof linearStepInstances.$inferSelect;

export interface NewStep {
  name: string;
  model?: string;
  systemPrompt?: string;
  stopConditions?: StopCondition[];
}

/** Single steps: what they hold changes, the structure of workflows does not. */
export class StepService {
  readonly #deps: LinearDeps;
  readonly #compiler: LinearCompiler;
  readonly #onChange: () => void;

  /** @param onChange a summary may be due */
  constructor(deps: LinearDeps, compiler: LinearCompiler, onChange: () => void) {
    this.#deps = deps;
    this.#compiler = compiler;
    this.#onChange = onChange;
  }

  async get(principal: Principal, type: LinearStepType, uuid: string): Promise<LinearStep> {
    return toLinearStep(await this.#deps.store.step(ownerOf(principal), uuid, type));
  }

  /** With the data container that it writes; a checker has none. @throws OvenError NAME_TAKEN */
  async create(principal: Principal, type: LinearStepType, step: NewStep): Promise<LinearStep> {
    const { db, store } = this.#deps;
    const owner = ownerOf(principal);
    const { name, model = "fast", systemPrompt = "", stopConditions = [] } = step;
    const row = await orNameTaken(name, () =>
      db.jointly(async () => {
        const details: StepDetails =
          type === "stop_checker"
            ? { description: "", stopConditions }
            : {
                description: "",
                model,
                systemPrompt,
                ...(type === "custom_agent" ? { tools: {} } : {}),
                outputContainer: (await store.createContainer(owner)).uuid,
                summary: null,
              };
        const summaryWanted = type !== "stop_checker" && systemPrompt !== "" ? 1 : 0;
        const [inserted] = await db.orm
          .insert(linearSteps)
          .values({ ...owner, name, type, details, summaryWanted })
          .returning();
        return inserted;
      }),
    );
    if (row === undefined) throw new Error("an insert answered no row");
    this.#onChange();
    return toLinearStep(row);
  }

  /** Every field but its ids, its type and its summary. @throws OvenError NOT_FOUND, NAME_TAKEN */
  async save(principal: Principal, uuid: string, step: LinearStep): Promise<LinearStep> {
    const { db, services, store } = this.#deps;
    const owner = ownerOf(principal);
    const saved = await orNameTaken(step.name, () =>
      db.jointly(async () => {
        const before = await store.step(owner, uuid, step.type);
        if (step.type !== "stop_checker") await store.container(owner, step.output_datacontainer_uuid);
        const details = toStepDetails(step, before.details);
        const isOther =
          details.systemPrompt !== before.details.systemPrompt ||
          // cast: read from and written to JSON
          !isSameJson((details.tools ?? null) as never, (before.details.tools ?? null) as never);
        const [row] = await db.orm
          .update(linearSteps)
          .set({
            name: step.name,
            details,
            ...(isOther && step.type !== "stop_checker"
              ? { summaryWanted: sql`${linearSteps.summaryWanted} + 1` }
              : {}),
            updatedAt: sql`clock_timestamp()`,
          })
          .where(eq(linearSteps.uuid, uuid))
          .returning();
        const workflow = await store.workflowOfStep(owner, uuid);
        if (workflow !== undefined) await this.#compiler.sync(principal, workflow.uuid);
        return row;
      }),
    );
    if (saved === undefined) throw notFound("step", uuid);
    services.events.wake();
    this.#onChange();
    return toLinearStep(saved);
  }

  /** Also out of its workflow. @throws OvenError NOT_FOUND */
  async delete(principal: Principal, type: LinearStepType, uuid: string): Promise<void> {
    const { db, services, store } = this.#deps;
    const owner = ownerOf(principal);
    await db.jointly(async () => {
      const step = await store.step(owner, uuid, type);
      const workflow = await store.workflowOfStep(owner, uuid);
      if (workflow !== undefined) {
        const steps = workflow.steps.filter((one) => one !== uuid);
        await db.orm.update(linearWorkflows).set({ steps }).where(eq(linearWorkflows.uuid, workflow.uuid));
      }
      await this.drop(step);
      if (workflow !== undefined) await this.#compiler.sync(principal, workflow.uuid);
    });
    services.events.wake();
  }

  /** The row and its container; its workflow is the caller's to change. */
  async drop({ uuid, details, tenantId, userId }: StepRow): Promise<void> {
    const { db, store } = this.#deps;
    await db.orm.delete(linearSteps).where(eq(linearSteps.uuid, uuid));
    if (details.outputContainer !== undefined)
      await store.deleteContainer({ tenantId, userId }, details.outputContainer);
  }

  /** A record of a step that somebody runs elsewhere. */
  async createInstance(
    principal: Principal,
    type: LinearStepType,
    stepUuid: string,
    executionId: number,
  ): Promise<LinearStepInstance> {
    const owner = ownerOf(principal);
    await this.#deps.store.step(owner, stepUuid, type);
    const [row] = await this.#deps.db.orm
      .insert(linearStepInstances)
      .values({ ...owner, executionId, stepUuid, details: { messages: [], errorMessage: null, inputData: null } })
      .returning();
    if (row === undefined) throw new Error("an insert answered no row");
    return toStepInstance(row, type);
  }

  /** @throws OvenError NOT_FOUND, also for what the engine wrote */
  async saveInstance(principal: Principal, uuid: string, instance: LinearStepInstance): Promise<LinearStepInstance> {
    const { tenantId, userId } = ownerOf(principal);
    const { status, started_at, finished_at, error_message, input_data, type } = instance;
    const isChecker = type === "stop_checker";
    const [row] = await this.#deps.db.orm
      .update(linearStepInstances)
      .set({
        status,
        startedAt: started_at === null ? null : new Date(started_at),
        finishedAt: finished_at === null ? null : new Date(finished_at),
        details: { messages: isChecker ? [] : instance.messages, errorMessage: error_message, inputData: input_data },
        outputInstanceUuid: isChecker ? null : instance.output_container_instance_uuid,
      })
      .where(
        sql`${linearStepInstances.uuid} = ${uuid} and ${linearStepInstances.tenantId} = ${tenantId} and ${linearStepInstances.userId} = ${userId}`,
      )
      .returning();
    if (row === undefined) throw notFound("step instance", uuid);
    return toStepInstance(row, type);
  }

  /** What clients keep of a run. */
  async instancesOf(principal: Principal, executionId: number): Promise<LinearStepInstance[]> {
    const { tenantId } = principal;
    const rows = await this.#deps.db.orm
      .select({ instance: linearStepInstances, type: linearSteps.type })
      .from(linearStepInstances)
      .innerJoin(linearSteps, eq(linearSteps.uuid, linearStepInstances.stepUuid))
      .where(sql`${linearStepInstances.executionId} = ${executionId} and ${linearStepInstances.tenantId} = ${tenantId}`)
      .orderBy(linearStepInstances.createdAt);
    return rows.map(({ instance, type }) => toStepInstance(instance, type));
  }
}

function toStepInstance(row: StepInstanceRow, type: LinearStepType): LinearStepInstance {
  const { messages, errorMessage, inputData } = row.details;
  const base = {
    uuid: row.uuid,
    user_id: toUserUuid(row.userId),
    workflow_instance_uuid: toRunUuid(row.executionId),
    status: row.status,
    started_at: row.startedAt?.toISOString() ?? null,
    finished_at: row.finishedAt?.toISOString() ?? null,
    error_message: errorMessage,
    created_at: row.createdAt.toISOString(),
    input_data: inputData,
  };
  if (type === "stop_checker") return { ...base, type, checker_definition_uuid: row.stepUuid };
  const more = { messages, output_container_instance_uuid: row.outputInstanceUuid };
  if (type === "custom_llm") return { ...base, type, llm_definition_uuid: row.stepUuid, ...more };
  return { ...base, type, agent_definition_uuid: row.stepUuid, ...more };
}
