import { CallToolSchema, TriedToolSchema } from "@oven/contract/agent";
import {
  ApprovedMcpToolsSchema,
  ApproveMcpToolSchema,
  ApproveMcpToolsSchema,
  CreateMcpConnectionSchema,
  McpAuthorizationSchema,
  McpConnectionSchema,
  McpConnectionTestSchema,
  McpConnectionToolSchema,
  TestMcpConnectionSchema,
  UpdateMcpConnectionSchema,
} from "@oven/contract/mcp";
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
import type { ConnectionService } from "../connections/connection-service.ts";
import { callbackUrl, clientUrl } from "../connections/servers.ts";
import type { SignInService } from "../connections/sign-in-service.ts";
import { USE_PERMISSION } from "../tools/tool-catalogue.ts";

const Params = z.object({ id: z.coerce.number().int().positive() });
const ToolParams = Params.extend({ toolId: z.coerce.number().int().positive() });
const may = (action: string) => ({ permission: `mcp-connections.${action}` });

export interface RouteDeps {
  connections: ConnectionService;
  signIns: SignInService;
  publicUrl: string;
}

export function connectionRoutes(deps: () => RouteDeps): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "mcp-connections",
      operation: "mcpConnections.list",
      summary: "List the outside MCP servers that are connected",
      access: may("read"),
      query: ListQuerySchema,
      response: z.array(McpConnectionSchema),
      handler: async ({ principal, query }) => {
        const params = toListParams(query);
        const { rows, total } = await deps().connections.list(principal, params);
        return listReply("mcp-connections", params, rows, total);
      },
    }),
    defineRoute({
      method: "POST",
      path: "mcp-connections",
      operation: false,
      summary: "Connect an outside MCP server",
      access: may("create"),
      body: CreateMcpConnectionSchema,
      response: McpConnectionSchema,
      handler: async ({ principal, body, signal }) => created(await deps().connections.create(principal, body, signal)),
    }),
    defineRoute({
      method: "POST",
      path: "mcp-connections/test",
      operation: false,
      summary: "Ask a server for its tools, without storing anything",
      access: may("create"),
      effect: "idempotent",
      body: TestMcpConnectionSchema,
      response: McpConnectionTestSchema,
      handler: async ({ principal, body, signal }) => ok(await deps().connections.test(principal, body, signal)),
    }),
    defineRoute({
      method: "GET",
      path: "mcp-connections/client-metadata",
      operation: false,
      summary: "What OVEN is as an OAuth client, for authorization servers",
      access: "public",
      response: z.looseObject({ client_id: z.string() }),
      handler: async () => ok(clientMetadata(deps().publicUrl)),
    }),
    defineRoute({
      method: "GET",
      path: "mcp-connections/sign-in",
      operation: false,
      summary: "Where an authorization server sends a person back to",
      access: may("update"),
      effect: "at-most-once",
      query: z.object({
        code: z.string().optional(),
        state: z.string(),
        iss: z.string().optional(),
        error: z.string().optional(),
      }),
      handler: async ({ principal, query, signal }) => {
        const id = await deps().signIns.finish(principal, query, signal);
        return new Response(null, {
          status: 303,
          headers: { location: `${deps().publicUrl}/mcp-connections/${id}/show` },
        });
      },
    }),
    defineRoute({
      method: "GET",
      path: "mcp-connections/[id]",
      operation: "mcpConnections.get",
      summary: "Get a connected MCP server",
      access: may("read"),
      params: Params,
      response: McpConnectionSchema,
      handler: async ({ principal, params }) => ok(await deps().connections.get(principal, params.id)),
    }),
    defineRoute({
      method: "PUT",
      path: "mcp-connections/[id]",
      operation: false,
      summary: "Change a connection; with another address its tools must be approved anew",
      access: may("update"),
      params: Params,
      body: UpdateMcpConnectionSchema,
      response: McpConnectionSchema,
      handler: async ({ principal, params, body }) => ok(await deps().connections.update(principal, params.id, body)),
    }),
    defineRoute({
      method: "DELETE",
      path: "mcp-connections/[id]",
      operation: false,
      summary: "Delete a connection with its tools and credentials",
      access: may("delete"),
      params: Params,
      handler: async ({ principal, params }) => {
        await deps().connections.delete(principal, params.id);
        return noContent();
      },
    }),
    defineRoute({
      method: "POST",
      path: "mcp-connections/[id]/refresh",
      operation: "mcpConnections.refresh",
      summary: "Ask a connected server for its tools now",
      access: may("update"),
      effect: "idempotent",
      params: Params,
      response: McpConnectionSchema,
      handler: async ({ principal, params, signal }) =>
        ok(await deps().connections.refresh(principal, params.id, signal)),
    }),
    defineRoute({
      method: "POST",
      path: "mcp-connections/[id]/authorize",
      operation: false,
      summary: "Begin to sign in at a server",
      access: may("update"),
      params: Params,
      response: McpAuthorizationSchema,
      handler: async ({ principal, params, signal }) =>
        ok({ url: await deps().signIns.begin(principal, params.id, signal) }),
    }),
    ...toolRoutes(deps),
  ];
}

function clientMetadata(publicUrl: string) {
  return {
    client_id: clientUrl(publicUrl),
    client_name: "OVEN",
    client_uri: publicUrl,
    redirect_uris: [callbackUrl(publicUrl)],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
}

function toolRoutes(deps: () => RouteDeps): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "mcp-connections/[id]/tools",
      operation: "mcpConnections.tools",
      summary: "List the tools of a connected server, and which are approved",
      access: may("read"),
      params: Params,
      response: z.array(McpConnectionToolSchema),
      handler: async ({ principal, params }) => ok(await deps().connections.tools(principal, params.id)),
    }),
    defineRoute({
      method: "POST",
      path: "mcp-connections/[id]/tools/[toolId]/approve",
      operation: false,
      summary: "Approve a tool as it was looked at",
      access: may("approve"),
      effect: "idempotent",
      params: ToolParams,
      body: ApproveMcpToolSchema,
      response: McpConnectionToolSchema,
      handler: async ({ principal, params, body }) =>
        ok(await deps().connections.approve(principal, params.id, params.toolId, body)),
    }),
    defineRoute({
      method: "POST",
      path: "mcp-connections/[id]/tools/approve",
      operation: false,
      summary: "Approve several tools as they were looked at",
      access: may("approve"),
      effect: "idempotent",
      params: Params,
      body: ApproveMcpToolsSchema,
      response: ApprovedMcpToolsSchema,
      handler: async ({ principal, params, body }) =>
        ok(await deps().connections.approveMany(principal, params.id, body)),
    }),
    defineRoute({
      method: "POST",
      path: "mcp-connections/[id]/tools/[toolId]/withdraw",
      operation: false,
      summary: "Take back a tool's approval",
      access: may("approve"),
      effect: "idempotent",
      params: ToolParams,
      response: McpConnectionToolSchema,
      handler: async ({ principal, params }) =>
        ok(await deps().connections.withdraw(principal, params.id, params.toolId)),
    }),
    defineRoute({
      method: "POST",
      path: "mcp-connections/[id]/tools/[toolId]/try",
      operation: false,
      summary: "Call an approved tool once, by hand",
      access: { permission: USE_PERMISSION },
      effect: "at-most-once",
      params: ToolParams,
      body: CallToolSchema,
      dataSchema: ({ params, principal }) => deps().connections.dataSchema(principal, params.id, params.toolId),
      response: TriedToolSchema,
      handler: async ({ principal, params, body, signal }) =>
        ok(await deps().connections.tryTool(principal, params.id, params.toolId, body.arguments, signal)),
    }),
  ];
}
