import type { JsonObject } from "@oven/contract";
import {
  DataContainerInstanceSchema,
  LinearInstanceSchema,
  LinearStepInstanceSchema,
  StartLinearInstanceSchema,
  UpdateLinearInstanceSchema,
} from "@oven/contract/formats/linear.ts";
import { accepted, defineRoute, noContent, ok, type Route } from "@oven/module-registry";
import { z } from "zod";
import type { LinearParts } from "./linear-parts.ts";
import { may, One } from "./route-parts.ts";

export function instanceRoutes(parts: () => LinearParts): Route[] {
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
      method: "PUT",
      path: "linear-workflow-instances/[uuid]",
      operation: "linear.updateInstance",
      summary: "Change a run of a linear workflow: it can be stopped, all else is its record",
      access: may("execute"),
      effect: "idempotent",
      params: One,
      body: UpdateLinearInstanceSchema,
      response: LinearInstanceSchema,
      handler: async ({ principal, params, signal }) =>
        ok(await parts().instances.cancel(principal, params.uuid, signal)),
    }),
    defineRoute({
      method: "DELETE",
      path: "linear-workflow-instances/[uuid]",
      operation: "linear.deleteInstance",
      summary: "Delete a run of a linear workflow that has ended, with its steps and its data",
      access: may("delete"),
      effect: "idempotent",
      params: One,
      handler: async ({ principal, params }) => {
        await parts().instances.delete(principal, params.uuid);
        return noContent();
      },
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
      method: "GET",
      path: "linear-workflow-instances/[uuid]/steps",
      operation: "linear.listStepInstances",
      summary: "The steps of a run of a linear workflow",
      access: may("read"),
      effect: "pure",
      params: One,
      response: z.array(LinearStepInstanceSchema),
      handler: async ({ principal, params }) =>
        ok((await parts().instances.get(principal, params.uuid)).step_instances),
    }),
    defineRoute({
      method: "GET",
      path: "linear-step-instances/[uuid]",
      operation: "linear.getStepInstance",
      summary: "A step of a run of a linear workflow",
      access: may("read"),
      effect: "pure",
      params: One,
      response: LinearStepInstanceSchema,
      handler: async ({ principal, params }) => ok(await parts().instances.step(principal, params.uuid)),
    }),
    defineRoute({
      method: "DELETE",
      path: "linear-step-instances/[uuid]",
      operation: "linear.deleteStepInstance",
      summary: "Delete a record of a step that is run elsewhere",
      access: may("execute"),
      effect: "idempotent",
      params: One,
      handler: async ({ principal, params }) => {
        await parts().instances.deleteStep(principal, params.uuid);
        return noContent();
      },
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
        ok(await parts().stepInstances.save(principal, params.uuid, body)),
    }),
  ];
}
