import { type JsonObject, OvenError, type Principal } from "@oven/contract";
import type { LinearProblem } from "@oven/contract/formats/linear.ts";
import type { Definition } from "@oven/contract/workflow";
import type { Database } from "@oven/db";
import { eq, sql } from "@oven/db/drizzle";
import { requirePermission, type ServiceMap } from "@oven/module-registry";
import { ownerOf } from "../../shared/owner.ts";
import { problemMessage } from "../../shared/problem-message.ts";
import { publishCompiled } from "../../shared/publish-compiled.ts";
import { checkSource } from "./check-source.ts";
import { compileLinear } from "./compile-linear.ts";
import { toFilter } from "./filter-rules.ts";
import type { LinearSource, TriggerRow, WorkflowRow } from "./linear-source.ts";
import type { LinearStore } from "./linear-store.ts";
import { linearTriggers } from "./tables/linear-triggers.table.ts";
import { linearWorkflows } from "./tables/linear-workflows.table.ts";

export interface LinearDeps {
  db: Database;
  services: ServiceMap;
  store: LinearStore;
}

/** Keeps the agent workflow and the trigger behind a source document as the document says. */
export class LinearCompiler {
  readonly #deps: LinearDeps;

  constructor(deps: LinearDeps) {
    this.#deps = deps;
  }

  /** What keeps it from running; empty: nothing. */
  async problems(principal: Principal, source: LinearSource): Promise<LinearProblem[]> {
    const { services, store } = this.#deps;
    const containers = await store.listContainers(ownerOf(principal));
    return checkSource(source, {
      containers: new Set(containers.map(({ uuid }) => uuid)),
      tools: new Set(services.tools.list(principal).map(({ id }) => id)),
      triggerProblem: source.trigger === null ? undefined : await this.#triggerProblem(source.trigger),
      modelProblem: (model) => problemMessage(() => services.ai.resolve(model, principal.tenantId)),
    });
  }

  /** @throws OvenError WORKFLOW_INCOMPLETE 422 with everything that is missing */
  async requireRunnable(principal: Principal, source: LinearSource): Promise<number> {
    const problems = await this.problems(principal, source);
    const { name, workflowId } = source.workflow;
    if (problems.length === 0 && workflowId !== null) return workflowId;
    throw incomplete(name, problems);
  }

  /** What it would become. @throws OvenError WORKFLOW_INCOMPLETE 422 with everything that is missing */
  async compile(principal: Principal, source: LinearSource): Promise<Definition> {
    const problems = await this.problems(principal, source);
    if (problems.length > 0) throw incomplete(source.workflow.name, problems);
    return compileLinear(source);
  }

  /** To be called in the transaction of each change. */
  async sync(principal: Principal, uuid: string): Promise<LinearSource> {
    const { db, services, store } = this.#deps;
    const source = await store.source(ownerOf(principal), uuid, true);
    const problems = await this.problems(principal, source);
    const { workflows } = services.workflowPlatform.face("agent-workflow");
    let { workflowId } = source.workflow;
    if (problems.length === 0) workflowId = await this.#publish(principal, source);
    else if (workflowId !== null) await workflows.update(principal, String(workflowId), { enabled: false });
    if (source.trigger !== null && workflowId !== null && (await this.#triggerProblem(source.trigger)) === undefined)
      await this.#listen(principal, source.workflow, source.trigger, workflowId);
    await db.orm
      .update(linearWorkflows)
      .set({ workflowId, updatedAt: sql`clock_timestamp()` })
      .where(eq(linearWorkflows.uuid, uuid));
    return store.source(ownerOf(principal), uuid);
  }

  #publish(principal: Principal, source: LinearSource): Promise<number> {
    const { name, description, isActive: enabled, workflowId } = source.workflow;
    const compiled = { name, description, enabled, definition: compileLinear(source) };
    return publishCompiled(this.#deps.services, principal, workflowId, compiled);
  }

  async #listen(principal: Principal, { name }: WorkflowRow, trigger: TriggerRow, workflowId: number): Promise<void> {
    const { db, services } = this.#deps;
    const { rows } = services.triggers;
    const { details, triggerId, uuid } = trigger;
    const body = {
      name,
      enabled: true,
      target: { kind: "agent-workflow" as const, workflowId },
      config: details.config,
      filter: toFilter(details.filterRules),
      input: { data: "$.trigger" },
    };
    requirePermission(principal, triggerId === null ? "triggers.create" : "triggers.update");
    if (triggerId !== null) await rows.update(principal, triggerId, body);
    else {
      const { id } = await rows.create(principal, {
        ...body,
        type: details.type,
        shaping: null,
        overlap: "allow",
        overlapCountsPaused: true,
      });
      await db.orm.update(linearTriggers).set({ triggerId: id }).where(eq(linearTriggers.uuid, uuid));
    }
  }

  #triggerProblem({ details }: TriggerRow): Promise<string | undefined> {
    const { types } = this.#deps.services.triggers;
    return problemMessage(() => {
      const type = types.get(details.type);
      const config = types.parse(type, details.config);
      type.check?.(config, { now: new Date(), minimumSeconds: 0 });
      toFilter(details.filterRules);
    });
  }
}

function incomplete(name: string, problems: readonly LinearProblem[]): OvenError {
  return new OvenError(
    "WORKFLOW_INCOMPLETE",
    `${name} cannot run yet: ${problems.map(({ message }) => message).join("; ")}`,
    {
      status: 422,
      fix: problems[0]?.fix ?? "Save it again.",
      details: { problems: problems.map((problem): JsonObject => ({ ...problem })) },
    },
  );
}
