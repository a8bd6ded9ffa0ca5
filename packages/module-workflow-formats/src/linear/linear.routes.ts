import {
  AddLinearStepSchema,
  CreateCheckerSchema,
  CreateDataInstanceSchema,
  CreateLinearTriggerSchema,
  CreateLinearWorkflowSchema,
  CreateModelStepSchema,
  CreateStepInstanceSchema,
  CustomAgentSchema,
  CustomLlmSchema,
  DataContainerInstanceSchema,
  DataContainerSchema,
  type JsonObject,
  JsonObjectSchema,
  JsonSchema,
  LinearInstanceSchema,
  LinearProblemSchema,
  LinearStepInstanceSchema,
  LinearStepSchema,
  LinearToolSchema,
  LinearTriggerSchema,
  LinearWorkflowSchema,
  LinearWorkflowWithDetailsSchema,
  type Principal,
  ReorderLinearStepsSchema,
  ResolveDataSchema,
  SetLinearTriggerSchema,
  StartLinearInstanceSchema,
  StopCheckerSchema,
  TriggerTypeSchema,
  UpdateLinearWorkflowSchema,
} from "@oven/contract";
import {
  accepted,
  created,
  defineRoute,
  noContent,
  ok,
  type Permission,
  type Route,
  type ServiceMap,
} from "@oven/module-registry";
import { z } from "zod";
import { toDataInstance } from "./data-instances.ts";
import { toRunUuid, toUserUuid } from "./linear-ids.ts";
import type { LinearParts } from "./linear-parts.ts";
import { ownerOf } from "./linear-store.ts";
import { readStoredRows, STORED_TABLES } from "./stored-rows.ts";

export const linearPermissions: Permission[] = [
  { id: "linear-workflows.read", title: "See linear workflows and their data" },
  { id: "linear-workflows.create", title: "Make linear workflows, steps and data containers" },
  { id: "linear-workflows.update", title: "Change linear workflows, steps and triggers" },
  { id: "linear-workflows.delete", title: "Delete linear workflows, steps and triggers" },
  { id: "linear-workflows.execute", title: "Start and cancel runs of linear workflows" },
];

const may = (action: string) => ({ permission: `linear-workflows.${action}` });
const Uuid = z.uuid().transform((text) => text.toLowerCase());
const One = z.object({ uuid: Uuid });
const OneStep = z.object({ uuid: Uuid, step: Uuid });

const STEPS = [
  { type: "custom_llm", path: "linear-llm-steps", title: "LLM step", schema: CustomLlmSchema },
  { type: "custom_agent", path: "linear-agent-steps", title: "agent step", schema: CustomAgentSchema },
  { type: "stop_checker", path: "linear-checker-steps", title: "stop checker", schema: StopCheckerSchema },
] as const;

/** Named and shaped as the document names and shapes them. */
export function linearRoutes(parts: () => LinearParts): Route[] {
  return [
    ...workflowRoutes(parts),
    ...instanceRoutes(parts),
    ...STEPS.flatMap((step) => stepRoutes(parts, step)),
    ...triggerRoutes(parts),
    ...containerRoutes(parts),
  ];
}

function workflowRoutes(parts: () => LinearParts): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "linear-workflows",
      operation: "linear.list",
      summary: "List one's linear workflows",
      access: may("read"),
      effect: "pure",
      response: z.array(LinearWorkflowSchema),
      handler: async ({ principal }) => ok(await parts().workflows.list(principal)),
    }),
    defineRoute({
      method: "POST",
      path: "linear-workflows",
      operation: "linear.create",
      summary: "Make an empty linear workflow",
      access: may("create"),
      effect: "at-least-once",
      body: CreateLinearWorkflowSchema,
      response: LinearWorkflowSchema,
      handler: async ({ principal, body }) => created(await parts().workflows.create(principal, body)),
    }),
    defineRoute({
      method: "GET",
      path: "linear-workflows/[uuid]",
      operation: "linear.get",
      summary: "Get a linear workflow",
      access: may("read"),
      effect: "pure",
      params: One,
      response: LinearWorkflowSchema,
      handler: async ({ principal, params }) => ok(await parts().workflows.get(principal, params.uuid)),
    }),
    defineRoute({
      method: "PUT",
      path: "linear-workflows/[uuid]",
      operation: "linear.update",
      summary: "Rename a linear workflow, switch it on or off",
      access: may("update"),
      effect: "idempotent",
      params: One,
      body: UpdateLinearWorkflowSchema,
      response: LinearWorkflowSchema,
      handler: async ({ principal, params, body }) => ok(await parts().workflows.update(principal, params.uuid, body)),
    }),
    defineRoute({
      method: "DELETE",
      path: "linear-workflows/[uuid]",
      operation: "linear.delete",
      summary: "Delete a linear workflow with its trigger, its steps and its runs",
      access: may("delete"),
      effect: "idempotent",
      params: One,
      handler: async ({ principal, params }) => {
        await parts().workflows.delete(principal, params.uuid);
        return noContent();
      },
    }),
    defineRoute({
      method: "GET",
      path: "linear-workflows/[uuid]/details",
      operation: "linear.getWithDetails",
      summary: "Get a linear workflow with its trigger and its steps",
      access: may("read"),
      effect: "pure",
      params: One,
      response: LinearWorkflowWithDetailsSchema,
      handler: async ({ principal, params }) => ok(await parts().workflows.getWithDetails(principal, params.uuid)),
    }),
    defineRoute({
      method: "GET",
      path: "linear-workflows/[uuid]/rows/[table]",
      operation: "linear.listRows",
      summary: "What is stored of a linear workflow, as the tables of its document have it",
      access: may("read"),
      effect: "pure",
      params: z.object({ uuid: Uuid, table: z.enum(STORED_TABLES) }),
      response: z.array(JsonObjectSchema),
      handler: async ({ principal, params }) => ok(await readStoredRows(parts(), principal, params.uuid, params.table)),
    }),
    defineRoute({
      method: "GET",
      path: "linear-workflows/[uuid]/problems",
      operation: "linear.problems",
      summary: "What keeps a linear workflow from running",
      access: may("read"),
      effect: "pure",
      params: One,
      response: z.array(LinearProblemSchema),
      handler: async ({ principal, params }) => ok(await parts().workflows.problems(principal, params.uuid)),
    }),
    defineRoute({
      method: "POST",
      path: "linear-workflows/[uuid]/steps",
      operation: "linear.addNewStep",
      summary: "Make a step and put it into a linear workflow",
      access: may("update"),
      effect: "at-least-once",
      params: One,
      body: AddLinearStepSchema,
      response: LinearWorkflowSchema,
      handler: async ({ principal, params, body }) =>
        ok(await parts().workflows.addNewStep(principal, params.uuid, body)),
    }),
    defineRoute({
      method: "PUT",
      path: "linear-workflows/[uuid]/steps",
      operation: "linear.reorderSteps",
      summary: "Put the steps of a linear workflow into another order",
      access: may("update"),
      effect: "idempotent",
      params: One,
      body: ReorderLinearStepsSchema,
      response: LinearWorkflowSchema,
      handler: async ({ principal, params, body }) =>
        ok(await parts().workflows.reorderSteps(principal, params.uuid, body.steps)),
    }),
    defineRoute({
      method: "DELETE",
      path: "linear-workflows/[uuid]/steps/[step]",
      operation: "linear.deleteStep",
      summary: "Delete a step of a linear workflow, whatever its type",
      access: may("update"),
      effect: "idempotent",
      params: OneStep,
      response: LinearWorkflowSchema,
      handler: async ({ principal, params }) =>
        ok(await parts().workflows.deleteStep(principal, params.uuid, params.step)),
    }),
    defineRoute({
      method: "PUT",
      path: "linear-workflows/[uuid]/trigger",
      operation: "linear.setTrigger",
      summary: "Give a linear workflow a trigger, in place of the one before",
      access: may("update"),
      effect: "at-least-once",
      params: One,
      body: SetLinearTriggerSchema,
      response: LinearWorkflowSchema,
      handler: async ({ principal, params, body }) =>
        ok(await parts().workflows.setTrigger(principal, params.uuid, body.type_id)),
    }),
    defineRoute({
      method: "DELETE",
      path: "linear-workflows/[uuid]/trigger",
      operation: "linear.removeTrigger",
      summary: "Take a linear workflow's trigger away",
      access: may("update"),
      effect: "idempotent",
      params: One,
      response: LinearWorkflowSchema,
      handler: async ({ principal, params }) => ok(await parts().workflows.removeTrigger(principal, params.uuid)),
    }),
    defineRoute({
      method: "GET",
      path: "linear-workflows/[uuid]/trigger",
      operation: "linear.getTrigger",
      summary: "Get a linear workflow's trigger",
      access: may("read"),
      effect: "pure",
      params: One,
      response: LinearTriggerSchema,
      handler: async ({ principal, params }) => ok(await parts().triggers.getForWorkflow(principal, params.uuid)),
    }),
  ];
}

function instanceRoutes(parts: () => LinearParts): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "linear-workflows/[uuid]/instances",
      operation: "linear.createInstance",
      summary: "Start a run of a linear workflow by hand",
      access: may("execute"),
      effect: "at-least-once",
      params: One,
      body: StartLinearInstanceSchema,
      bodyLimit: 16 * 1_048_576,
      response: LinearInstanceSchema,
      // cast: it came as JSON
      handler: async ({ principal, params, body }) =>
        accepted(await parts().instances.start(principal, params.uuid, body.triggering_data as JsonObject)),
    }),
    defineRoute({
      method: "GET",
      path: "linear-workflows/[uuid]/instances",
      operation: "linear.listInstances",
      summary: "The latest runs of a linear workflow",
      access: may("read"),
      effect: "pure",
      params: One,
      response: z.array(LinearInstanceSchema),
      handler: async ({ principal, params }) => ok(await parts().instances.list(principal, params.uuid)),
    }),
    defineRoute({
      method: "GET",
      path: "linear-workflow-instances/[uuid]",
      operation: "linear.getInstance",
      summary: "A run of a linear workflow with its steps",
      access: may("read"),
      effect: "pure",
      params: One,
      response: LinearInstanceSchema,
      handler: async ({ principal, params }) => ok(await parts().instances.get(principal, params.uuid)),
    }),
    defineRoute({
      method: "POST",
      path: "linear-workflow-instances/[uuid]/cancel",
      operation: "linear.cancelInstance",
      summary: "Stop a run of a linear workflow",
      access: may("execute"),
      effect: "idempotent",
      params: One,
      response: LinearInstanceSchema,
      handler: async ({ principal, params, signal }) =>
        ok(await parts().instances.cancel(principal, params.uuid, signal)),
    }),
    defineRoute({
      method: "GET",
      path: "linear-workflow-instances/[uuid]/data",
      operation: "linear.listData",
      summary: "The data that a run of a linear workflow has made",
      access: may("read"),
      effect: "pure",
      params: One,
      response: z.array(DataContainerInstanceSchema),
      handler: async ({ principal, params }) => ok(await parts().instances.data(principal, params.uuid)),
    }),
    defineRoute({
      method: "PUT",
      path: "linear-step-instances/[uuid]",
      operation: "linear.saveStepInstance",
      summary: "Change a record of a step that is run elsewhere",
      access: may("execute"),
      effect: "idempotent",
      params: One,
      body: LinearStepInstanceSchema,
      response: LinearStepInstanceSchema,
      handler: async ({ principal, params, body }) =>
        ok(await parts().steps.saveInstance(principal, params.uuid, body)),
    }),
  ];
}

function stepRoutes(parts: () => LinearParts, { type, path, title, schema }: (typeof STEPS)[number]): Route[] {
  const name = `linear.${path.split("-")[1]}`;
  const body = type === "stop_checker" ? CreateCheckerSchema : CreateModelStepSchema;
  return [
    defineRoute({
      method: "POST",
      path,
      operation: `${name}.create`,
      summary: `Make a ${title} that belongs to no workflow yet`,
      access: may("create"),
      effect: "at-least-once",
      body,
      response: schema,
      handler: async ({ principal, body: step }) =>
        created(await parts().steps.create(principal, type, toNewStep(step as JsonObject))), // cast: it came as JSON
    }),
    defineRoute({
      method: "GET",
      path: `${path}/[uuid]`,
      operation: `${name}.get`,
      summary: `Get a ${title}`,
      access: may("read"),
      effect: "pure",
      params: One,
      response: schema,
      handler: async ({ principal, params }) => ok(await parts().steps.get(principal, type, params.uuid)),
    }),
    defineRoute({
      method: "PUT",
      path: `${path}/[uuid]`,
      operation: `${name}.save`,
      summary: `Save a ${title}; its ids and its summary stay`,
      access: may("update"),
      effect: "idempotent",
      params: One,
      body: schema,
      response: LinearStepSchema,
      handler: async ({ principal, params, body: step }) => ok(await parts().steps.save(principal, params.uuid, step)),
    }),
    defineRoute({
      method: "DELETE",
      path: `${path}/[uuid]`,
      operation: `${name}.delete`,
      summary: `Delete a ${title}, also out of its workflow`,
      access: may("delete"),
      effect: "idempotent",
      params: One,
      handler: async ({ principal, params }) => {
        await parts().steps.delete(principal, type, params.uuid);
        return noContent();
      },
    }),
    defineRoute({
      method: "POST",
      path: `${path}/[uuid]/instances`,
      operation: `${name}.createInstance`,
      summary: `Keep a record of a ${title} that is run elsewhere`,
      access: may("execute"),
      effect: "at-least-once",
      params: One,
      body: CreateStepInstanceSchema,
      response: LinearStepInstanceSchema,
      handler: async ({ principal, params, body: { workflow_instance_uuid: run } }) => {
        const id = await parts().instances.executionOf(principal, run);
        return created(await parts().steps.createInstance(principal, type, params.uuid, id));
      },
    }),
  ];
}

function toNewStep({ name, model, system_prompt, stop_conditions }: JsonObject) {
  return {
    name: String(name),
    ...(typeof model === "string" ? { model } : {}),
    ...(typeof system_prompt === "string" ? { systemPrompt: system_prompt } : {}),
    // cast: checked by the route's schema
    ...(Array.isArray(stop_conditions) ? { stopConditions: stop_conditions as never } : {}),
  };
}

function triggerRoutes(parts: () => LinearParts): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "linear-trigger-types",
      operation: "linear.listAvailableTriggerTypes",
      summary: "The kinds of triggers that a linear workflow may have",
      access: may("read"),
      effect: "pure",
      response: z.array(TriggerTypeSchema),
      handler: async ({ services }) => ok(services.triggers.types.list()),
    }),
    defineRoute({
      method: "GET",
      path: "linear-mcp-tools",
      operation: "linear.discoverMcpTools",
      summary: "The tools that agent steps may use",
      access: may("read"),
      effect: "pure",
      response: z.array(LinearToolSchema),
      handler: async ({ principal, services }) => ok(toolsOf(services, principal)),
    }),
    defineRoute({
      method: "GET",
      path: "linear-triggers",
      operation: "linear.triggers.list",
      summary: "List one's triggers of linear workflows",
      access: may("read"),
      effect: "pure",
      response: z.array(LinearTriggerSchema),
      handler: async ({ principal }) => ok(await parts().triggers.list(principal)),
    }),
    defineRoute({
      method: "POST",
      path: "linear-triggers",
      operation: "linear.triggers.create",
      summary: "Give a linear workflow that has none a trigger",
      access: may("update"),
      effect: "at-least-once",
      body: CreateLinearTriggerSchema,
      response: LinearTriggerSchema,
      handler: async ({ principal, body }) =>
        created(await parts().triggers.create(principal, body.workflow_uuid, body.type_id)),
    }),
    defineRoute({
      method: "GET",
      path: "linear-triggers/[uuid]",
      operation: "linear.triggers.get",
      summary: "Get a trigger of a linear workflow",
      access: may("read"),
      effect: "pure",
      params: One,
      response: LinearTriggerSchema,
      handler: async ({ principal, params }) => ok(await parts().triggers.get(principal, params.uuid)),
    }),
    defineRoute({
      method: "PUT",
      path: "linear-triggers/[uuid]",
      operation: "linear.triggers.save",
      summary: "Save a trigger's settings, rules and description",
      access: may("update"),
      effect: "idempotent",
      params: One,
      body: LinearTriggerSchema,
      response: LinearTriggerSchema,
      handler: async ({ principal, params, body }) => ok(await parts().triggers.save(principal, params.uuid, body)),
    }),
    defineRoute({
      method: "DELETE",
      path: "linear-triggers/[uuid]",
      operation: "linear.triggers.delete",
      summary: "Delete a trigger; its workflow has none from then on",
      access: may("delete"),
      effect: "idempotent",
      params: One,
      handler: async ({ principal, params }) => {
        await parts().triggers.delete(principal, params.uuid);
        return noContent();
      },
    }),
  ];
}

function toolsOf(services: ServiceMap, principal: Principal) {
  return services.tools.list(principal).map(({ id, description, inputSchema }) => ({
    name: id,
    description,
    input_schema: inputSchema,
    server: id.split(".")[0] ?? "",
  }));
}

function containerRoutes(parts: () => LinearParts): Route[] {
  const toContainer = ({ uuid, userId, name }: { uuid: string; userId: number; name: string }) => ({
    uuid,
    user_id: toUserUuid(userId),
    name,
  });
  return [
    defineRoute({
      method: "GET",
      path: "linear-data-containers",
      operation: "linear.containers.list",
      summary: "List one's data containers",
      access: may("read"),
      effect: "pure",
      response: z.array(DataContainerSchema),
      handler: async ({ principal }) => ok((await parts().store.listContainers(ownerOf(principal))).map(toContainer)),
    }),
    defineRoute({
      method: "POST",
      path: "linear-data-containers",
      operation: "linear.containers.create",
      summary: "Make a data container with a name of its own",
      access: may("create"),
      effect: "at-least-once",
      response: DataContainerSchema,
      handler: async ({ principal }) => created(toContainer(await parts().store.createContainer(ownerOf(principal)))),
    }),
    defineRoute({
      method: "GET",
      path: "linear-data-containers/[uuid]",
      operation: "linear.containers.get",
      summary: "Get a data container",
      access: may("read"),
      effect: "pure",
      params: One,
      response: DataContainerSchema,
      handler: async ({ principal, params }) =>
        ok(toContainer(await parts().store.container(ownerOf(principal), params.uuid))),
    }),
    defineRoute({
      method: "POST",
      path: "linear-data-containers/[uuid]/instances",
      operation: "linear.containers.createInstance",
      summary: "Put a value into a data container of a run; it is summarised first",
      access: may("execute"),
      effect: "at-least-once",
      params: One,
      body: CreateDataInstanceSchema,
      bodyLimit: 16 * 1_048_576,
      response: DataContainerInstanceSchema,
      handler: async ({ principal, params, body, signal }) =>
        created(await parts().instances.addData(principal, params.uuid, body, signal)),
    }),
    defineRoute({
      method: "GET",
      path: "linear-data-containers/[uuid]/resolve",
      operation: "linear.containers.resolveDataFromRun",
      summary: "The newest value of a data container in a run, in full or as {uuid, summary}",
      access: may("read"),
      effect: "pure",
      params: One,
      query: ResolveDataSchema,
      response: JsonSchema,
      handler: async ({ principal, params, query }) =>
        ok(
          await parts().instances.resolve(principal, params.uuid, {
            run: query.workflow_instance_uuid,
            format: query.target_format,
          }),
        ),
    }),
    defineRoute({
      method: "GET",
      path: "linear-data-instances/[uuid]",
      operation: "linear.containers.getInstance",
      summary: "A value of a data container",
      access: may("read"),
      effect: "pure",
      params: One,
      response: DataContainerInstanceSchema,
      handler: async ({ principal, params }) => {
        const row = await parts().data.get(principal, params.uuid);
        await parts().instances.executionOf(principal, toRunUuid(row.executionId));
        return ok(toDataInstance(row));
      },
    }),
  ];
}
