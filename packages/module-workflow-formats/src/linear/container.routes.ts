import {
  CreateDataInstanceSchema,
  DataContainerInstanceSchema,
  DataContainerSchema,
  JsonSchema,
  ResolveDataSchema,
} from "@oven/contract";
import { created, defineRoute, ok, type Route } from "@oven/module-registry";
import { z } from "zod";
import { ownerOf } from "../shared/owner.ts";
import { toRunUuid, toUserUuid } from "../shared/source-ids.ts";
import { toDataInstance } from "./data-instances.ts";
import type { LinearParts } from "./linear-parts.ts";
import { may, One } from "./route-parts.ts";

export function containerRoutes(parts: () => LinearParts): Route[] {
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
