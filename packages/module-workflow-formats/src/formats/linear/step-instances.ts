import { notFound, type Principal } from "@oven/contract";
import type { LinearStepInstance, LinearStepType } from "@oven/contract/formats/linear.ts";
import { and, eq, sql } from "@oven/db/drizzle";
import { ownerOf } from "../../shared/owner.ts";
import { toRunUuid, toUserUuid } from "../../shared/source-ids.ts";
import type { LinearDeps } from "./linear-compiler.ts";
import { linearStepInstances } from "./tables/linear-step-instances.table.ts";
import { linearSteps } from "./tables/linear-steps.table.ts";

export type StepInstanceRow = typeof linearStepInstances.$inferSelect;

/** Records that clients keep of steps they run elsewhere; those of the engine are read from its runs. */
export class StepInstances {
  readonly #deps: Pick<LinearDeps, "db" | "store">;

  constructor(deps: Pick<LinearDeps, "db" | "store">) {
    this.#deps = deps;
  }

  /** A record of a step that somebody runs elsewhere. */
  async create(
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
  async save(principal: Principal, uuid: string, instance: LinearStepInstance): Promise<LinearStepInstance> {
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
      .where(own(principal, uuid))
      .returning();
    if (row === undefined) throw notFound("step instance", uuid);
    return toStepInstance(row, type);
  }

  /** What clients keep of a run. */
  async ofRun(principal: Principal, executionId: number): Promise<LinearStepInstance[]> {
    const { tenantId } = principal;
    const rows = await this.#deps.db.orm
      .select({ instance: linearStepInstances, type: linearSteps.type })
      .from(linearStepInstances)
      .innerJoin(linearSteps, eq(linearSteps.uuid, linearStepInstances.stepUuid))
      .where(sql`${linearStepInstances.executionId} = ${executionId} and ${linearStepInstances.tenantId} = ${tenantId}`)
      .orderBy(linearStepInstances.createdAt);
    return rows.map(({ instance, type }) => toStepInstance(instance, type));
  }

  /** The run a record belongs to. @throws OvenError NOT_FOUND, also for what the engine wrote */
  async runOf(principal: Principal, uuid: string): Promise<number> {
    const [row] = await this.#deps.db.orm
      .select({ executionId: linearStepInstances.executionId })
      .from(linearStepInstances)
      .where(own(principal, uuid));
    if (row === undefined) throw notFound("step instance", uuid);
    return row.executionId;
  }

  async delete(principal: Principal, uuid: string): Promise<void> {
    await this.#deps.db.orm.delete(linearStepInstances).where(own(principal, uuid));
  }
}

function own(principal: Principal, uuid: string) {
  const { tenantId, userId } = ownerOf(principal);
  const { uuid: id, tenantId: tenant, userId: user } = linearStepInstances;
  return and(eq(id, uuid), eq(tenant, tenantId), eq(user, userId));
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
