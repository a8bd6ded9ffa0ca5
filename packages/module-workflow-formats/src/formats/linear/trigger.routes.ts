import type { Principal } from "@oven/contract";
import { CreateLinearTriggerSchema, LinearToolSchema, LinearTriggerSchema } from "@oven/contract/formats/linear.ts";
import { TriggerTypeSchema } from "@oven/contract/trigger";
import { created, defineRoute, noContent, ok, type Route, type ServiceMap } from "@oven/module-registry";
import { z } from "zod";
import type { LinearParts } from "./linear-parts.ts";
import { may, One } from "./route-parts.ts";

export function triggerRoutes(parts: () => LinearParts): Route[] {
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
  return services.tools.list(principal).map(({ id, description, inputSchema, source, note }) => ({
    name: id,
    description,
    input_schema: inputSchema,
    // Of an outside server: `mcp.shop`.
    server: id
      .split(".")
      .slice(0, source === "mcp" ? 2 : 1)
      .join("."),
    ...(note === undefined ? {} : { note }),
  }));
}
