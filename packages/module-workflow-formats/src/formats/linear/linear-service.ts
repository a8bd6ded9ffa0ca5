import { OvenError, type Principal } from "@oven/contract";
import type {
  LinearProblem,
  LinearStepType,
  LinearWorkflow,
  LinearWorkflowWithDetails,
  UpdateLinearWorkflow,
} from "@oven/contract/formats/linear.ts";
import { eq, inArray, sql } from "@oven/db/drizzle";
import { requirePermission } from "@oven/module-registry";
import { ownerOf } from "../../shared/owner.ts";
import { releaseCompiled } from "../../shared/publish-compiled.ts";
import type { LinearCompiler, LinearDeps } from "./linear-compiler.ts";
import { type LinearSource, type TriggerRow, toDetails, toLinearWorkflow } from "./linear-source.ts";
import type { StepService } from "./step-service.ts";
import { dataContainerInstances } from "./tables/data-containers.table.ts";
import { linearStepInstances } from "./tables/linear-step-instances.table.ts";
import { linearTriggers } from "./tables/linear-triggers.table.ts";
import { linearWorkflows } from "./tables/linear-workflows.table.ts";

/**
 * Changes of structure: each is one transaction, with the agent workflow and the trigger behind it, and answers the whole
 * workflow.
 */
export class LinearService {
  readonly #deps: LinearDeps;
  readonly #compiler: LinearCompiler;
  readonly #steps: StepService;

  constructor(deps: LinearDeps, compiler: LinearCompiler, steps: StepService) {
    this.#deps = deps;
    this.#compiler = compiler;
    this.#steps = steps;
  }

  async create(principal: Principal, body: { name: string; description: string }): Promise<LinearWorkflow> {
    const [row] = await this.#deps.db.orm
      .insert(linearWorkflows)
      .values({ ...ownerOf(principal), ...body })
      .returning();
    if (row === undefined) throw new Error("an insert answered no row");
    return toLinearWorkflow(row);
  }

  async list(principal: Principal): Promise<LinearWorkflow[]> {
    return (await this.#deps.store.listWorkflows(ownerOf(principal))).map(toLinearWorkflow);
  }

  /** @throws OvenError NOT_FOUND, also of other users */
  async get(principal: Principal, uuid: string): Promise<LinearWorkflow> {
    return toLinearWorkflow(await this.#deps.store.workflow(ownerOf(principal), uuid));
  }

  async getWithDetails(principal: Principal, uuid: string): Promise<LinearWorkflowWithDetails> {
    return toDetails(await this.#deps.store.source(ownerOf(principal), uuid));
  }

  async problems(principal: Principal, uuid: string): Promise<LinearProblem[]> {
    return this.#compiler.problems(principal, await this.#deps.store.source(ownerOf(principal), uuid));
  }

  update(principal: Principal, uuid: string, body: UpdateLinearWorkflow): Promise<LinearWorkflow> {
    return this.#change(principal, uuid, async () => {
      const { name, description, is_active: isActive, template_id, template_version } = body;
      await this.#deps.db.orm
        .update(linearWorkflows)
        .set({
          ...(name === undefined ? {} : { name }),
          ...(description === undefined ? {} : { description }),
          ...(isActive === undefined ? {} : { isActive }),
          ...(template_id === undefined ? {} : { templateId: template_id }),
          ...(template_version === undefined ? {} : { templateVersion: template_version }),
          updatedAt: sql`clock_timestamp()`,
        })
        .where(eq(linearWorkflows.uuid, uuid));
    });
  }

  /** With its steps, its trigger, the agent workflow behind it and its runs; those that go on are cancelled first. */
  async delete(principal: Principal, uuid: string): Promise<void> {
    const { db, services, store } = this.#deps;
    const { workflows } = services.workflowPlatform.face("agent-workflow");
    const { workflowId } = await store.workflow(ownerOf(principal), uuid);
    if (workflowId !== null) await releaseCompiled(services, principal, workflowId);
    await db.jointly(async () => {
      const { workflow, steps, trigger } = await store.source(ownerOf(principal), uuid, true);
      if (workflow.workflowId !== null) {
        const runs = await db.query<{ id: number }>(
          "select id from agent_workflow_executions where agent_workflow_id = $1",
          [workflow.workflowId],
        );
        const ids = runs.map(({ id }) => id);
        if (ids.length > 0) {
          await db.orm.delete(dataContainerInstances).where(inArray(dataContainerInstances.executionId, ids));
          await db.orm.delete(linearStepInstances).where(inArray(linearStepInstances.executionId, ids));
        }
        await workflows.delete(principal, String(workflow.workflowId), false);
      }
      if (trigger !== null) await this.#dropTrigger(principal, trigger);
      for (const step of steps) await this.#steps.drop(step);
      await db.orm.delete(linearWorkflows).where(eq(linearWorkflows.uuid, uuid));
    });
    services.events.wake();
  }

  addNewStep(
    principal: Principal,
    uuid: string,
    { type, name, position }: { type: LinearStepType; name: string; position: number },
  ): Promise<LinearWorkflow> {
    return this.#change(principal, uuid, async ({ workflow }) => {
      const { length } = workflow.steps;
      const place = position === -1 ? length : position;
      if (place < 0 || place > length) {
        throw new OvenError("INVALID_REQUEST", `A step cannot be put at ${position}`, {
          status: 400,
          path: "$.position",
          fix: `-1 puts it at the end; else 0 to ${length}.`,
        });
      }
      const step = await this.#steps.create(principal, type, { name });
      await this.#setSteps(uuid, workflow.steps.toSpliced(place, 0, step.uuid));
    });
  }

  deleteStep(principal: Principal, uuid: string, stepUuid: string): Promise<LinearWorkflow> {
    return this.#change(principal, uuid, async ({ workflow, steps }) => {
      const step = steps.find((one) => one.uuid === stepUuid);
      // Of another workflow, or of nobody.
      if (step === undefined) await this.#deps.store.step({ tenantId: -1, userId: -1 }, stepUuid);
      else {
        await this.#setSteps(
          uuid,
          workflow.steps.filter((one) => one !== stepUuid),
        );
        await this.#steps.drop(step);
      }
    });
  }

  reorderSteps(principal: Principal, uuid: string, ordered: readonly string[]): Promise<LinearWorkflow> {
    return this.#change(principal, uuid, async ({ workflow }) => {
      const wrong = (id: string | undefined, what: string) =>
        new OvenError("INVALID_REQUEST", `The new order ${what} ${id}`, {
          status: 422,
          path: "$.steps",
          fix: "Name each step of the workflow once.",
        });
      const foreign = ordered.find((id) => !workflow.steps.includes(id));
      if (foreign !== undefined) throw wrong(foreign, "names a step that is not of this workflow:");
      const twice = ordered.find((id, index) => ordered.indexOf(id) !== index);
      if (twice !== undefined) throw wrong(twice, "names a step twice:");
      const missing = workflow.steps.find((id) => !ordered.includes(id));
      if (missing !== undefined) throw wrong(missing, "leaves out the step");
      await this.#setSteps(uuid, [...ordered]);
    });
  }

  /** In place of the one before. @throws OvenError TRIGGER_TYPE_UNKNOWN with the known ones */
  setTrigger(principal: Principal, uuid: string, type: string): Promise<LinearWorkflow> {
    const { db, services, store } = this.#deps;
    return this.#change(principal, uuid, async ({ trigger }) => {
      const { title } = services.triggers.types.get(type);
      if (trigger !== null) await this.#dropTrigger(principal, trigger);
      const container = await store.createContainer(ownerOf(principal));
      const [row] = await db.orm
        .insert(linearTriggers)
        .values({
          ...ownerOf(principal),
          workflowUuid: uuid,
          details: {
            type,
            config: {},
            filterRules: {},
            outputContainer: container.uuid,
            initialDataDescription: `What the trigger brings (${title})`,
          },
        })
        .returning();
      await db.orm.update(linearWorkflows).set({ triggerUuid: row?.uuid }).where(eq(linearWorkflows.uuid, uuid));
    });
  }

  removeTrigger(principal: Principal, uuid: string): Promise<LinearWorkflow> {
    return this.#change(principal, uuid, async ({ trigger }) => {
      if (trigger !== null) await this.#dropTrigger(principal, trigger);
      await this.#deps.db.orm.update(linearWorkflows).set({ triggerUuid: null }).where(eq(linearWorkflows.uuid, uuid));
    });
  }

  async #change(
    principal: Principal,
    uuid: string,
    work: (source: LinearSource) => Promise<void>,
  ): Promise<LinearWorkflow> {
    const { db, services, store } = this.#deps;
    const changed = await db.jointly(async () => {
      await work(await store.source(ownerOf(principal), uuid, true));
      return this.#compiler.sync(principal, uuid);
    });
    // What was told within the transaction can be delivered only now.
    services.events.wake();
    return toLinearWorkflow(changed.workflow);
  }

  async #setSteps(uuid: string, steps: string[]): Promise<void> {
    await this.#deps.db.orm.update(linearWorkflows).set({ steps }).where(eq(linearWorkflows.uuid, uuid));
  }

  async #dropTrigger(principal: Principal, { uuid, triggerId, details, tenantId, userId }: TriggerRow): Promise<void> {
    const { db, services, store } = this.#deps;
    if (triggerId !== null) {
      requirePermission(principal, "triggers.delete");
      await services.triggers.rows.delete(principal, triggerId);
    }
    await db.orm.delete(linearTriggers).where(eq(linearTriggers.uuid, uuid));
    await store.deleteContainer({ tenantId, userId }, details.outputContainer);
  }
}
