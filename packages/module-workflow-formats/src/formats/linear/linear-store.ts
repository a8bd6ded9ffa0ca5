import { notFound, OvenError } from "@oven/contract";
import type { Database } from "@oven/db";
import { and, asc, desc, eq, inArray, sql } from "@oven/db/drizzle";
import type { Owner } from "../../shared/owner.ts";
import type { LinearSource, StepRow, TriggerRow, WorkflowRow } from "./linear-source.ts";
import { dataContainerInstances, dataContainers } from "./tables/data-containers.table.ts";
import { linearSteps } from "./tables/linear-steps.table.ts";
import { linearTriggers } from "./tables/linear-triggers.table.ts";
import { linearWorkflows } from "./tables/linear-workflows.table.ts";

/** The rows of linear workflows, one user's. */
export class LinearStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  listWorkflows(owner: Owner): Promise<WorkflowRow[]> {
    return this.#db.orm
      .select()
      .from(linearWorkflows)
      .where(of(linearWorkflows, owner))
      .orderBy(desc(linearWorkflows.createdAt), linearWorkflows.uuid);
  }

  /** @param change it is to be changed: others wait. @throws OvenError NOT_FOUND */
  async workflow(owner: Owner, uuid: string, change = false): Promise<WorkflowRow> {
    const query = this.#db.orm
      .select()
      .from(linearWorkflows)
      .where(and(of(linearWorkflows, owner), eq(linearWorkflows.uuid, uuid)));
    const [row] = await (change ? query.for("update") : query);
    if (row === undefined) throw notFound("linear workflow", uuid);
    return row;
  }

  /** With its trigger and its steps: three queries, however many there are. */
  async source(owner: Owner, uuid: string, change = false): Promise<LinearSource> {
    const workflow = await this.workflow(owner, uuid, change);
    const rows =
      workflow.steps.length === 0
        ? []
        : await this.#db.orm
            .select()
            .from(linearSteps)
            .where(and(of(linearSteps, owner), inArray(linearSteps.uuid, workflow.steps)));
    const byId = new Map(rows.map((row) => [row.uuid, row]));
    const trigger = workflow.triggerUuid === null ? null : await this.trigger(owner, workflow.triggerUuid);
    return { workflow, trigger, steps: workflow.steps.flatMap((id) => byId.get(id) ?? []) };
  }

  /** The workflow that has a step; undefined: none has. */
  async workflowOfStep(owner: Owner, step: string): Promise<WorkflowRow | undefined> {
    const [row] = await this.#db.orm
      .select()
      .from(linearWorkflows)
      .where(and(of(linearWorkflows, owner), sql`${linearWorkflows.steps} ? ${step}`));
    return row;
  }

  /** @throws OvenError NOT_FOUND */
  async step(owner: Owner, uuid: string, type?: StepRow["type"]): Promise<StepRow> {
    const [row] = await this.#db.orm
      .select()
      .from(linearSteps)
      .where(and(of(linearSteps, owner), eq(linearSteps.uuid, uuid)));
    if (row === undefined || (type !== undefined && row.type !== type)) throw notFound("step", uuid);
    return row;
  }

  listSteps(owner: Owner, type: StepRow["type"]): Promise<StepRow[]> {
    return this.#db.orm
      .select()
      .from(linearSteps)
      .where(and(of(linearSteps, owner), eq(linearSteps.type, type)))
      .orderBy(linearSteps.createdAt);
  }

  /** @throws OvenError NOT_FOUND */
  async trigger(owner: Owner, uuid: string): Promise<TriggerRow> {
    const [row] = await this.#db.orm
      .select()
      .from(linearTriggers)
      .where(and(of(linearTriggers, owner), eq(linearTriggers.uuid, uuid)));
    if (row === undefined) throw notFound("trigger", uuid);
    return row;
  }

  listTriggers(owner: Owner): Promise<TriggerRow[]> {
    return this.#db.orm
      .select()
      .from(linearTriggers)
      .where(of(linearTriggers, owner))
      .orderBy(asc(linearTriggers.createdAt));
  }

  listContainers(owner: Owner) {
    return this.#db.orm
      .select()
      .from(dataContainers)
      .where(of(dataContainers, owner))
      .orderBy(asc(dataContainers.createdAt));
  }

  /** @throws OvenError NOT_FOUND */
  async container(owner: Owner, uuid: string, change = false) {
    const query = this.#db.orm
      .select()
      .from(dataContainers)
      .where(and(of(dataContainers, owner), eq(dataContainers.uuid, uuid)));
    const [row] = await (change ? query.for("update") : query);
    if (row === undefined) throw notFound("data container", uuid);
    return row;
  }

  /** In words: the steps that write, read or compare it, and the triggers that fill it. */
  async usersOfContainer(owner: Owner, uuid: string): Promise<string[]> {
    const steps = await this.#db.orm
      .select({ name: linearSteps.name })
      .from(linearSteps)
      .where(and(of(linearSteps, owner), sql`position(${uuid} in lower(${linearSteps.details}::text)) > 0`));
    const triggers = await this.#db.orm
      .select({ uuid: linearTriggers.uuid })
      .from(linearTriggers)
      .where(and(of(linearTriggers, owner), sql`${linearTriggers.details} ->> 'outputContainer' = ${uuid}`));
    return [...steps.map(({ name }) => `the step ${name}`), ...triggers.map((one) => `the trigger ${one.uuid}`)];
  }

  async createContainer(owner: Owner) {
    const uuid = crypto.randomUUID();
    const [row] = await this.#db.orm
      .insert(dataContainers)
      .values({ ...owner, uuid, name: `data-${uuid}` })
      .returning();
    if (row === undefined) throw new Error("an insert answered no row");
    return row;
  }

  /** One whose values are still there stays, so that they can be told apart. */
  async deleteContainer(owner: Owner, uuid: string): Promise<void> {
    await this.#db.orm
      .delete(dataContainers)
      .where(
        and(
          of(dataContainers, owner),
          eq(dataContainers.uuid, uuid),
          sql`not exists (select 1 from ${dataContainerInstances} where ${dataContainerInstances.containerUuid} = ${dataContainers.uuid})`,
        ),
      );
  }

  /** The workflows whose agent workflow was deleted stay, and are compiled anew when they change. */
  async forget(agentWorkflowId: number): Promise<void> {
    const { workflowId } = linearWorkflows;
    await this.#db.orm.update(linearWorkflows).set({ workflowId: null }).where(eq(workflowId, agentWorkflowId));
  }
}

type Owned = typeof linearWorkflows | typeof linearSteps | typeof linearTriggers | typeof dataContainers;

const of = (table: Owned, { tenantId, userId }: Owner) => and(eq(table.tenantId, tenantId), eq(table.userId, userId));

/** @throws OvenError NAME_TAKEN 409 instead of the database's words */
export async function orNameTaken<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isNameViolation(error)) throw error;
    throw new OvenError("NAME_TAKEN", `You have another one with the name ${name}`, {
      status: 409,
      path: "$.name",
      fix: "Choose another name.",
      cause: error,
    });
  }
}

function isNameViolation(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause)
    if ("code" in current && current.code === "23505") return true;
  return false;
}
