import { CallToolSchema, TriedToolSchema } from "@oven/contract/agent";
import {
  ApiConnectionOperationDetailSchema,
  ApiConnectionOperationSchema,
  ApproveApiOperationsSchema,
  ApprovedApiOperationsSchema,
} from "@oven/contract/api";
import { defineRoute, ListQuerySchema, listReply, ok, type Route, toListParams } from "@oven/module-registry";
import { z } from "zod";
import { USE_PERMISSION } from "../operations/operation-catalogue.ts";
import { ConnectionParams, type RouteDeps } from "./route-deps.ts";

const OperationParams = ConnectionParams.extend({ operationId: z.coerce.number().int().positive() });
const may = (action: string) => ({ permission: `api-connections.${action}` });

export function operationRoutes(deps: () => RouteDeps): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "api-connections/[id]/operations",
      operation: "apiConnections.operations",
      summary: "List the operations of a connected API, and which are approved",
      access: may("read"),
      params: ConnectionParams,
      query: ListQuerySchema,
      response: z.array(ApiConnectionOperationSchema),
      handler: async ({ principal, params, query }) => {
        const list = toListParams(query);
        const { rows, total } = await deps().operations.list(principal, params.id, list);
        return listReply("api-operations", list, rows, total);
      },
    }),
    defineRoute({
      method: "POST",
      path: "api-connections/[id]/operations/approve",
      operation: false,
      summary: "Approve operations as they were looked at",
      access: may("approve"),
      effect: "idempotent",
      params: ConnectionParams,
      body: ApproveApiOperationsSchema,
      response: ApprovedApiOperationsSchema,
      handler: async ({ principal, params, body }) => ok(await deps().operations.approve(principal, params.id, body)),
    }),
    defineRoute({
      method: "GET",
      path: "api-connections/[id]/operations/[operationId]",
      operation: false,
      summary: "Get an operation with its schemas",
      access: may("read"),
      params: OperationParams,
      response: ApiConnectionOperationDetailSchema,
      handler: async ({ principal, params }) =>
        ok(await deps().operations.get(principal, params.id, params.operationId)),
    }),
    defineRoute({
      method: "POST",
      path: "api-connections/[id]/operations/[operationId]/withdraw",
      operation: false,
      summary: "Take back an operation's approval",
      access: may("approve"),
      effect: "idempotent",
      params: OperationParams,
      response: ApiConnectionOperationSchema,
      handler: async ({ principal, params }) =>
        ok(await deps().operations.withdraw(principal, params.id, params.operationId)),
    }),
    defineRoute({
      method: "POST",
      path: "api-connections/[id]/operations/[operationId]/try",
      operation: false,
      summary: "Call an approved operation once, by hand",
      access: { permission: USE_PERMISSION },
      effect: "at-most-once",
      params: OperationParams,
      body: CallToolSchema,
      dataSchema: ({ params, principal }) => deps().operations.dataSchema(principal, params.id, params.operationId),
      response: TriedToolSchema,
      handler: async ({ principal, params, body, signal }) =>
        ok(await deps().operations.tryOperation(principal, params.id, params.operationId, body.arguments, signal)),
    }),
  ];
}
