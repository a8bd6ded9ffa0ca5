import { notFound, type Principal } from "@oven/contract";
import type { LinearStep, LinearStepType, StopCondition } from "@oven/contract/formats/linear.ts";
import { eq, sql } from "@oven/db/drizzle";
import { isSameJson } from "@oven/engine";
import { ownerOf } from "../../shared/owner.ts";
import type { LinearCompiler, LinearDeps } from "./linear-compiler.ts";
import { type StepRow, toLinearStep, toStepDetails } from "./linear-source.ts";
import { orNameTaken } from "./linear-store.ts";
import type { StepDetails } from "./tables/linear-steps.table.ts";
import { linearSteps } from "./tables/linear-steps.table.ts";
import { linearWorkflows } from "./tables/linear-workflows.table.ts";

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

  /** Of whatever workflow, or of none yet. */
  async list(principal: Principal, type: LinearStepType): Promise<LinearStep[]> {
    return (await this.#deps.store.listSteps(ownerOf(principal), type)).map(toLinearStep);
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
}
