import type { Principal } from "@oven/contract";
import {
  type LinearStep,
  type LinearTrigger,
  type LinearWorkflowWithDetails,
  LinearWorkflowWithDetailsSchema,
} from "@oven/contract/formats/linear.ts";
import type { Definition } from "@oven/contract/workflow";
import { eq } from "@oven/db/drizzle";
import { importSource } from "../../shared/import-source.ts";
import { type Owner, ownerOf } from "../../shared/owner.ts";
import { refuseProblems, type SourceProblem } from "../../shared/source-problem.ts";
import type { LinearCompiler, LinearDeps } from "./linear-compiler.ts";
import { type LinearSource, type TriggerRow, toStepDetails, type WorkflowRow } from "./linear-source.ts";
import { renamePlaceholders } from "./placeholders.ts";
import type { StepDetails } from "./tables/linear-steps.table.ts";
import { linearSteps } from "./tables/linear-steps.table.ts";
import { linearTriggers } from "./tables/linear-triggers.table.ts";
import { linearWorkflows } from "./tables/linear-workflows.table.ts";

/** Whole workflows as text: what an export answers, made anew with ids of its own. */
export class LinearDocuments {
  readonly #deps: LinearDeps;
  readonly #compiler: LinearCompiler;
  readonly #onChange: () => void;

  /** @param onChange summaries may be due */
  constructor(deps: LinearDeps, compiler: LinearCompiler, onChange: () => void) {
    this.#deps = deps;
    this.#compiler = compiler;
    this.#onChange = onChange;
  }

  /** A step whose name is taken gets a number. @throws OvenError SOURCE_UNREADABLE, SOURCE_INVALID */
  async import(principal: Principal, source: string): Promise<WorkflowRow> {
    const { db, services } = this.#deps;
    const workflow = await importSource(source, LinearWorkflowWithDetailsSchema, async (document) => {
      check(document);
      return db.jointly(async () => {
        const uuid = await this.#insert(ownerOf(principal), document);
        return (await this.#compiler.sync(principal, uuid)).workflow;
      });
    });
    services.events.wake();
    this.#onChange();
    return workflow;
  }

  /** Nothing is stored. @throws OvenError SOURCE_UNREADABLE, SOURCE_INVALID, WORKFLOW_INCOMPLETE */
  compile(principal: Principal, source: string): Promise<Definition> {
    return importSource(source, LinearWorkflowWithDetailsSchema, async (document) => {
      check(document);
      return this.#compiler.compile(principal, toSource(ownerOf(principal), document));
    });
  }

  async #insert(owner: Owner, document: LinearWorkflowWithDetails): Promise<string> {
    const { db, store } = this.#deps;
    const ids = new Map<string, string>();
    for (const { uuid } of containersOf(document)) ids.set(uuid, (await store.createContainer(owner)).uuid);
    const { name, description, is_active: isActive, template_id, template_version, trigger } = document;
    const [made] = await db.orm
      .insert(linearWorkflows)
      .values({ ...owner, name, description, isActive, templateId: template_id, templateVersion: template_version })
      .returning();
    if (made === undefined) throw new Error("an insert answered no row");
    const steps: string[] = [];
    for (const step of document.steps) steps.push(await this.#insertStep(owner, step, ids));
    const triggerUuid = trigger === null ? null : await this.#insertTrigger(owner, made.uuid, trigger, ids);
    await db.orm.update(linearWorkflows).set({ steps, triggerUuid }).where(eq(linearWorkflows.uuid, made.uuid));
    return made.uuid;
  }

  async #insertStep(owner: Owner, step: LinearStep, ids: ReadonlyMap<string, string>): Promise<string> {
    const { db, store } = this.#deps;
    const taken = new Set((await store.listSteps(owner, step.type)).map(({ name }) => name));
    const details = withIds(toStepDetails(step, { description: "" }), ids);
    const summaryWanted = step.type !== "stop_checker" && step.system_prompt !== "" ? 1 : 0;
    const name = step.type === "stop_checker" ? step.name : freeName(step.name, taken);
    const [row] = await db.orm
      .insert(linearSteps)
      .values({ ...owner, name, type: step.type, details, summaryWanted })
      .returning();
    return row?.uuid ?? "";
  }

  async #insertTrigger(
    owner: Owner,
    workflowUuid: string,
    trigger: LinearTrigger,
    ids: ReadonlyMap<string, string>,
  ): Promise<string | null> {
    const details = toTriggerDetails(trigger, newId(trigger.output_datacontainer_uuid, ids));
    const [row] = await this.#deps.db.orm
      .insert(linearTriggers)
      .values({ ...owner, workflowUuid, details })
      .returning();
    return row?.uuid ?? null;
  }
}

/** The document as rows that are nowhere. */
function toSource(owner: Owner, { steps, trigger, ...document }: LinearWorkflowWithDetails): LinearSource {
  const { uuid, name, description, is_active: isActive, template_id, template_version } = document;
  const times = { createdAt: new Date(0), updatedAt: new Date(0) };
  return {
    workflow: {
      ...{ ...owner, ...times, uuid, name, description, isActive, workflowId: null },
      ...{ templateId: template_id, templateVersion: template_version },
      triggerUuid: trigger?.uuid ?? null,
      steps: steps.map((step) => step.uuid),
    },
    steps: steps.map((step) => ({
      ...{ ...owner, ...times, uuid: step.uuid, name: step.name, type: step.type },
      ...{ details: toStepDetails(step, { description: "" }), summaryWanted: 0, summaryMade: 0 },
    })),
    trigger: trigger && {
      ...{ ...owner, ...times, uuid: trigger.uuid, workflowUuid: uuid, triggerId: null },
      details: toTriggerDetails(trigger, trigger.output_datacontainer_uuid),
    },
  };
}

function toTriggerDetails(
  { type, config, filter_rules: filterRules, initial_data_description: initialDataDescription }: LinearTrigger,
  outputContainer: string,
): TriggerRow["details"] {
  return { type, config, filterRules, outputContainer, initialDataDescription };
}

/** What fills each container, with its place in the document. */
function containersOf({ trigger, steps }: LinearWorkflowWithDetails): { uuid: string; path: string }[] {
  const filled = steps.flatMap((step, index) =>
    step.type === "stop_checker"
      ? []
      : [{ uuid: step.output_datacontainer_uuid.toLowerCase(), path: `$.steps[${index}].output_datacontainer_uuid` }],
  );
  if (trigger === null) return filled;
  return [
    { uuid: trigger.output_datacontainer_uuid.toLowerCase(), path: "$.trigger.output_datacontainer_uuid" },
    ...filled,
  ];
}

/** @throws OvenError SOURCE_INVALID */
function check(document: LinearWorkflowWithDetails): void {
  const problems: SourceProblem[] = [];
  const seen = new Set<string>();
  for (const { uuid, path } of containersOf(document)) {
    if (seen.has(uuid))
      problems.push({ path, message: `Two write into the data container ${uuid}`, fix: "Give each one of its own." });
    seen.add(uuid);
  }
  const steps = new Set<string>();
  for (const [index, { uuid }] of document.steps.entries()) {
    const path = `$.steps[${index}].uuid`;
    if (steps.has(uuid)) problems.push({ path, message: `Two steps have the id ${uuid}`, fix: "Give one another id." });
    steps.add(uuid);
  }
  refuseProblems(problems);
}

/** Of a container that nothing in the document fills it stays, and the workflow says so among its problems. */
const newId = (uuid: string, ids: ReadonlyMap<string, string>): string => ids.get(uuid.toLowerCase()) ?? uuid;

function withIds(details: StepDetails, ids: ReadonlyMap<string, string>): StepDetails {
  const { outputContainer, systemPrompt, stopConditions } = details;
  return {
    ...details,
    ...(outputContainer === undefined ? {} : { outputContainer: newId(outputContainer, ids) }),
    ...(systemPrompt === undefined ? {} : { systemPrompt: renamePlaceholders(systemPrompt, (id) => newId(id, ids)) }),
    ...(stopConditions === undefined
      ? {}
      : {
          stopConditions: stopConditions.map((condition) => ({
            ...condition,
            datacontainer_definition_uuid: newId(condition.datacontainer_definition_uuid, ids),
          })),
        }),
  };
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const wanted = number === 1 ? name : `${name.slice(0, 190)} (${number})`;
    if (!taken.has(wanted)) return wanted;
  }
}
