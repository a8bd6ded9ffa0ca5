import {
  ApiAuthorizationSchema,
  ApiConnectionSchema,
  ApiInspectionSchema,
  CreateApiConnectionSchema,
  InspectApiSchema,
  UpdateApiConnectionSchema,
} from "@oven/contract/api";
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
import { SHARED } from "../accounts/account-store.ts";
import { ConnectionParams, type RouteDeps } from "./route-deps.ts";

const may = (action: string) => ({ permission: `api-connections.${action}` });

export function connectionRoutes(deps: () => RouteDeps): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "api-connections",
      operation: "apiConnections.list",
      summary: "List the APIs that are connected",
      access: may("read"),
      query: ListQuerySchema,
      response: z.array(ApiConnectionSchema),
      handler: async ({ principal, query }) => {
        const params = toListParams(query);
        const { rows, total } = await deps().connections.list(principal, params);
        return listReply("api-connections", params, rows, total);
      },
    }),
    defineRoute({
      method: "POST",
      path: "api-connections",
      operation: false,
      summary: "Connect an API by its OpenAPI document, GraphQL schema or a curl command",
      access: may("create"),
      body: CreateApiConnectionSchema,
      response: ApiConnectionSchema,
      handler: async ({ principal, body, signal }) => created(await deps().connections.create(principal, body, signal)),
    }),
    defineRoute({
      method: "POST",
      path: "api-connections/inspect",
      operation: false,
      summary: "Read the description of an API, without storing anything",
      access: may("create"),
      effect: "idempotent",
      body: InspectApiSchema,
      response: ApiInspectionSchema,
      handler: async ({ principal, body, signal }) =>
        ok(await deps().connections.inspect(principal, body.source, signal)),
    }),
    defineRoute({
      method: "GET",
      path: "api-connections/[id]",
      operation: "apiConnections.get",
      summary: "Get a connected API",
      access: may("read"),
      params: ConnectionParams,
      response: ApiConnectionSchema,
      handler: async ({ principal, params }) => ok(await deps().connections.get(principal, params.id)),
    }),
    defineRoute({
      method: "PUT",
      path: "api-connections/[id]",
      operation: false,
      summary: "Change a connection; at another server its operations must be approved anew",
      access: may("update"),
      params: ConnectionParams,
      body: UpdateApiConnectionSchema,
      response: ApiConnectionSchema,
      handler: async ({ principal, params, body, signal }) =>
        ok(await deps().connections.update(principal, params.id, body, signal)),
    }),
    defineRoute({
      method: "DELETE",
      path: "api-connections/[id]",
      operation: false,
      summary: "Delete a connection with its operations and accounts",
      access: may("delete"),
      params: ConnectionParams,
      handler: async ({ principal, params }) => {
        await deps().connections.delete(principal, params.id);
        return noContent();
      },
    }),
    defineRoute({
      method: "POST",
      path: "api-connections/[id]/refresh",
      operation: "apiConnections.refresh",
      summary: "Read the document of a connected API again",
      access: may("update"),
      effect: "idempotent",
      params: ConnectionParams,
      response: ApiConnectionSchema,
      handler: async ({ principal, params, signal }) =>
        ok(await deps().connections.refresh(principal, params.id, signal)),
    }),
    defineRoute({
      method: "POST",
      path: "api-connections/[id]/authorize",
      operation: false,
      summary: "Begin to sign the shared account in at a service",
      access: may("update"),
      params: ConnectionParams,
      response: ApiAuthorizationSchema,
      handler: async ({ principal, params }) => {
        const row = await deps().connections.row(principal, params.id);
        return ok({ url: await deps().signIns.begin(principal, row, SHARED) });
      },
    }),
  ];
}
