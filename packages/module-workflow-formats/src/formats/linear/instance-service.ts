import { type Json, notFound, OvenError, type Principal } from "@oven/contract";
import type {
  CreateDataInstance,
  DataContainerInstance,
  LinearInstance,
  LinearStepInstance,
} from "@oven/contract/formats/linear.ts";
import type { Execution } from "@oven/contract/run";
import { callerOf } from "@oven/module-ai";
import { ownerOf } from "../../shared/owner.ts";
import { readRunUuid, readStepInstanceUuid, toRunUuid } from "../../shared/source-ids.ts";
import { contentOf, type DataInstances, referenceOf, toDataInstance } from "./data-instances.ts";
import { type RanSource, readSource, toInstance } from "./instance-view.ts";
import type { LinearCompiler, LinearDeps } from "./linear-compiler.ts";
import type { StepInstances } from "./step-instances.ts";

/** Runs a list shows; older ones are found by their id. */
const LISTED = 50;

/** Runs of linear workflows, in the document's words. */
export class InstanceService {
  readonly #deps: LinearDeps;
  readonly #compiler: LinearCompiler;
  readonly #steps: StepInstances;
  readonly #data: DataInstances;

  constructor(
    deps: LinearDeps,
    parts: { compiler: LinearCompiler; stepInstances: StepInstances; data: DataInstances },
  ) {
    this.#deps = deps;
    this.#compiler = parts.compiler;
    this.#steps = parts.stepInstances;
    this.#data = parts.data;
  }

  /** By hand; it runs in the background. @throws OvenError WORKFLOW_INCOMPLETE, WORKFLOW_DISABLED */
  async start(principal: Principal, workflow: string, data: Json): Promise<LinearInstance> {
    const source = await this.#deps.store.source(ownerOf(principal), workflow);
    const workflowId = await this.#compiler.requireRunnable(principal, source);
    const { id } = await this.#runs().execute(principal, { workflow: String(workflowId), input: { data } });
    return this.#shown(principal, id);
  }

  /** @throws OvenError NOT_FOUND */
  async get(principal: Principal, uuid: string): Promise<LinearInstance> {
    return this.#shown(principal, await this.executionOf(principal, uuid));
  }

  async list(principal: Principal, workflow: string): Promise<LinearInstance[]> {
    const { workflowId } = await this.#deps.store.workflow(ownerOf(principal), workflow);
    if (workflowId === null) return [];
    const { rows } = await this.#runs().reader.list(principal, {
      sort: { field: "id", order: "DESC" },
      range: { first: 0, last: LISTED - 1 },
      filter: { agentWorkflowId: workflowId },
    });
    return Promise.all(rows.map(({ id }) => this.#shown(principal, id)));
  }

  /** @throws OvenError NOT_FOUND, ALREADY_ENDED 409 */
  async cancel(principal: Principal, uuid: string, signal: AbortSignal): Promise<LinearInstance> {
    const id = await this.executionOf(principal, uuid);
    await this.#runs().cancel(principal, id, "Cancelled by its owner", signal);
    return this.#shown(principal, id);
  }

  /** With its steps and its data. @throws OvenError NOT_FOUND, RUN_IN_USE 409 */
  async delete(principal: Principal, uuid: string): Promise<void> {
    const { db, services } = this.#deps;
    const id = await this.executionOf(principal, uuid);
    await db.jointly(() => services.workflowPlatform.retention.remove(principal.tenantId, id));
  }

  /** @throws OvenError NOT_FOUND */
  async step(principal: Principal, uuid: string): Promise<LinearStepInstance> {
    const own = readStepInstanceUuid(uuid);
    const run = own === undefined ? toRunUuid(await this.#steps.runOf(principal, uuid)) : toRunUuid(own);
    const found = (await this.get(principal, run)).step_instances.find((step) => step.uuid === uuid.toLowerCase());
    if (found === undefined) throw notFound("step instance", uuid);
    return found;
  }

  /** @throws OvenError NOT_FOUND, DATA_IN_USE 409 for what the engine wrote */
  async deleteStep(principal: Principal, uuid: string): Promise<void> {
    const { workflow_instance_uuid: run } = await this.step(principal, uuid);
    if (readStepInstanceUuid(uuid) !== undefined) {
      throw new OvenError("DATA_IN_USE", `The step instance ${uuid} is part of the record of the run ${run}`, {
        status: 409,
        fix: "Delete the run.",
      });
    }
    await this.#steps.delete(principal, uuid);
  }

  /** The run behind an instance of the caller's. @throws OvenError NOT_FOUND */
  async executionOf(principal: Principal, uuid: string): Promise<number> {
    const id = readRunUuid(uuid);
    if (id === undefined) throw notFound("workflow instance", uuid);
    const run = await this.#runs().reader.get(principal, id);
    await this.#sourceOf(principal, run, uuid);
    return id;
  }

  async data(principal: Principal, uuid: string): Promise<DataContainerInstance[]> {
    const id = await this.executionOf(principal, uuid);
    return (await this.#data.ofRun(principal.tenantId, id)).map(toDataInstance);
  }

  /** Summarised before it is kept. @throws OvenError NOT_FOUND */
  async addData(
    principal: Principal,
    container: string,
    body: CreateDataInstance,
    signal: AbortSignal,
  ): Promise<DataContainerInstance> {
    await this.#deps.store.container(ownerOf(principal), container);
    const executionId = await this.executionOf(principal, body.workflow_instance_uuid);
    const { row } = await this.#data.create(
      {
        ...ownerOf(principal),
        executionId,
        container,
        raw: body.raw_data as Json, // cast: it came as JSON
        markdown: body.markdown_representation,
        stepInstance: body.step_instance_uuid,
        messages: null,
        madeBy: null,
      },
      { caller: callerOf(principal, undefined), signal },
    );
    return toDataInstance(row);
  }

  /** @throws OvenError DATA_MISSING, NOT_FOUND */
  async resolve(
    principal: Principal,
    container: string,
    { run, format }: { run: string; format: "compressed" | "uncompressed" },
  ): Promise<Json> {
    const executionId = await this.executionOf(principal, run);
    const row = await this.#data.newest(principal.tenantId, executionId, container);
    return format === "compressed" ? referenceOf(row) : contentOf(row);
  }

  async #shown(principal: Principal, id: number): Promise<LinearInstance> {
    const run = await this.#runs().reader.get(principal, id);
    const source = await this.#sourceOf(principal, run, String(id));
    const [data, more] = await Promise.all([
      this.#data.ofRun(principal.tenantId, id),
      this.#steps.ofRun(principal, id),
    ]);
    return toInstance({ run, source, data, userId: run.triggeredBy.id ?? 0 }, more);
  }

  /** Only runs of the caller's own linear workflows are found. */
  async #sourceOf(principal: Principal, run: Execution, uuid: string): Promise<RanSource> {
    const { workflows } = this.#deps.services.workflowPlatform.face("agent-workflow");
    const { definition } = await workflows.pinned(run.agentWorkflowId ?? 0, run.workflowVersion);
    const source = readSource(definition);
    if (source === undefined) throw notFound("workflow instance", uuid);
    await this.#deps.store.workflow(ownerOf(principal), source.workflow);
    return source;
  }

  #runs() {
    return this.#deps.services.workflowPlatform.face("agent-workflow").runs;
  }
}
