import {
  created,
  defineRoute,
  ListQuerySchema,
  listReply,
  noContent,
  ok,
  type Route,
  toListParams,
} from "@oven/module-registry";
import { z } from "zod";
import {
  A2aConnectionSchema,
  ApproveA2aAgentSchema,
  CreateA2aConnectionSchema,
  UpdateA2aConnectionSchema,
} from "../shapes.ts";
import type { Connections } from "./connections.ts";

const Params = z.object({ id: z.coerce.number().int().positive() });
const may = (action: string) => ({ permission: `a2a-connections.${action}` });

export function connectionRoutes(connections: () => Connections): Route[] {
  const response = A2aConnectionSchema;
  return [
    defineRoute({
      method: "GET",
      path: "a2a-connections",
      operation: "a2aConnections.list",
      summary: "List the outside A2A agents that are connected",
      access: may("read"),
      query: ListQuerySchema,
      response: z.array(response),
      handler: async ({ principal, query }) => {
        const params = toListParams(query);
        const { rows, total } = await connections().list(principal, params);
        return listReply("a2a-connections", params, rows, total);
      },
    }),
    defineRoute({
      method: "POST",
      path: "a2a-connections",
      operation: false,
      summary: "Connect an outside A2A agent",
      access: may("create"),
      body: CreateA2aConnectionSchema,
      response,
      handler: async ({ principal, body, signal }) => created(await connections().create(principal, body, signal)),
    }),
    defineRoute({
      method: "GET",
      path: "a2a-connections/[id]",
      operation: "a2aConnections.get",
      summary: "Get a connected A2A agent",
      access: may("read"),
      params: Params,
      response,
      handler: async ({ principal, params }) => ok(await connections().get(principal, params.id)),
    }),
    defineRoute({
      method: "PUT",
      path: "a2a-connections/[id]",
      operation: false,
      summary: "Change a connection; at another address the agent must be approved anew",
      access: may("update"),
      params: Params,
      body: UpdateA2aConnectionSchema,
      response,
      handler: async ({ principal, params, body, signal }) =>
        ok(await connections().update(principal, params.id, body, signal)),
    }),
    defineRoute({
      method: "DELETE",
      path: "a2a-connections/[id]",
      operation: false,
      summary: "Delete a connection",
      access: may("delete"),
      params: Params,
      handler: async ({ principal, params }) => {
        await connections().delete(principal, params.id);
        return noContent();
      },
    }),
    defineRoute({
      method: "POST",
      path: "a2a-connections/[id]/refresh",
      operation: "a2aConnections.refresh",
      summary: "Read the card of a connected agent now",
      access: may("update"),
      effect: "idempotent",
      params: Params,
      response,
      handler: async ({ principal, params, signal }) => ok(await connections().refresh(principal, params.id, signal)),
    }),
    defineRoute({
      method: "POST",
      path: "a2a-connections/[id]/approve",
      operation: false,
      summary: "Approve an agent as its card was looked at",
      access: may("approve"),
      effect: "idempotent",
      params: Params,
      body: ApproveA2aAgentSchema,
      response,
      handler: async ({ principal, params, body }) => ok(await connections().approve(principal, params.id, body)),
    }),
    defineRoute({
      method: "POST",
      path: "a2a-connections/[id]/withdraw",
      operation: false,
      summary: "Withdraw the approval of an agent",
      access: may("approve"),
      effect: "idempotent",
      params: Params,
      response,
      handler: async ({ principal, params }) => ok(await connections().withdraw(principal, params.id)),
    }),
  ];
}
