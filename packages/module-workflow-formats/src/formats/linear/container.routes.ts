import { JsonSchema } from "@oven/contract";
import {
  CreateDataInstanceSchema,
  DataContainerInstanceSchema,
  DataContainerSchema,
  ResolveDataSchema,
  UpdateDataContainerSchema,
  UpdateDataInstanceSchema,
} from "@oven/contract/formats/linear.ts";
import { created, defineRoute, noContent, ok, type Route } from "@oven/module-registry";
import { z } from "zod";
import type { LinearParts } from "./linear-parts.ts";
import { may, One } from "./route-parts.ts";

export function containerRoutes(parts: () => LinearParts): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "linear-data-containers",
      operation: "linear.containers.list",
      summary: "List one's data containers",
      access: may("read"),
      effect: "pure",
      response: z.array(DataContainerSchema),
      handler: async ({ principal }) => ok(await parts().containers.list(principal)),
    }),
    defineRoute({
      method: "POST",
      path: "linear-data-containers",
      operation: "linear.containers.create",
      summary: "Make a data container with a name of its own",
      access: may("create"),
      effect: "at-least-once",
      response: DataContainerSchema,
      handler: async ({ principal }) => created(await parts().containers.create(principal)),
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
      handler: async ({ principal, params }) => ok(await parts().containers.get(principal, params.uuid)),
    }),
    defineRoute({
      method: "PUT",
      path: "linear-data-containers/[uuid]",
      operation: "linear.containers.update",
      summary: "Rename a data container",
      access: may("update"),
      effect: "idempotent",
      params: One,
      body: UpdateDataContainerSchema,
      response: DataContainerSchema,
      handler: async ({ principal, params, body }) => ok(await parts().containers.update(principal, params.uuid, body)),
    }),
    defineRoute({
      method: "DELETE",
      path: "linear-data-containers/[uuid]",
      operation: "linear.containers.delete",
      summary: "Delete a data container that nothing uses, with its values",
      access: may("delete"),
      effect: "idempotent",
      params: One,
      handler: async ({ principal, params }) => {
        await parts().containers.delete(principal, params.uuid);
        return noContent();
      },
    }),
    defineRoute({
      method: "GET",
      path: "linear-data-containers/[uuid]/instances",
      operation: "linear.containers.listInstances",
      summary: "The latest values of a data container, newest first",
      access: may("read"),
      effect: "pure",
      params: One,
      response: z.array(DataContainerInstanceSchema),
      handler: async ({ principal, params }) => ok(await parts().containers.listInstances(principal, params.uuid)),
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
      handler: async ({ principal, params }) => ok(await parts().containers.getInstance(principal, params.uuid)),
    }),
    defineRoute({
      method: "PUT",
      path: "linear-data-instances/[uuid]",
      operation: "linear.containers.updateInstance",
      summary: "Change a value that a client put into a data container; it is summarised anew",
      access: may("execute"),
      effect: "idempotent",
      params: One,
      body: UpdateDataInstanceSchema,
      bodyLimit: 16 * 1_048_576,
      response: DataContainerInstanceSchema,
      handler: async ({ principal, params, body, signal }) =>
        ok(await parts().containers.updateInstance(principal, params.uuid, body, signal)),
    }),
    defineRoute({
      method: "DELETE",
      path: "linear-data-instances/[uuid]",
      operation: "linear.containers.deleteInstance",
      summary: "Delete a value that a client put into a data container",
      access: may("execute"),
      effect: "idempotent",
      params: One,
      handler: async ({ principal, params }) => {
        await parts().containers.deleteInstance(principal, params.uuid);
        return noContent();
      },
    }),
  ];
}
