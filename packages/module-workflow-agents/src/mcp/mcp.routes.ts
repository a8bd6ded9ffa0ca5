import { createMcpHandler } from "@modelcontextprotocol/server";
import { McpServerSchema, OvenError } from "@oven/contract";
import type { Database } from "@oven/db";
import {
  checkOrigin,
  defineRoute,
  ListQuerySchema,
  listReply,
  listRows,
  ok,
  type Route,
  toListParams,
} from "@oven/module-registry";
import { boundTo, keepToWorkflows, type WorkflowFace, type WorkflowPlatform } from "@oven/module-workflows";
import { z } from "zod";
import { mcpServerDefinitions as servers } from "../schema.ts";
import type { McpRegistry } from "./mcp-registry.ts";
import { toMcpServer } from "./mcp-server-row.ts";
import { createWorkflowMcpServer } from "./workflow-mcp-server.ts";

export interface McpRouteDeps {
  db: Database;
  mcp: McpRegistry;
  face: WorkflowFace;
  platform: WorkflowPlatform;
  publicUrl: string;
}

const IdParams = z.object({ id: z.coerce.number().int().positive() });
const BODY_LIMIT = 1_048_576;
const MessageSchema = z.object({ method: z.string(), params: z.object({ name: z.string().optional() }).optional() });

/** The list of MCP servers, and the servers themselves. */
export function mcpRoutes(deps: () => McpRouteDeps): Route[] {
  return keepToWorkflows([
    defineRoute({
      method: "GET",
      path: "mcp-servers",
      operation: "mcpServers.list",
      summary: "MCP servers generated from workflows",
      access: { permission: "mcp-servers.read" },
      effect: "pure",
      query: ListQuerySchema,
      response: z.array(McpServerSchema),
      handler: async ({ principal, query }) => {
        const { db, publicUrl } = deps();
        const params = toListParams(query);
        const { id, name, slug, status, agentWorkflowId, lastGeneratedAt, createdAt } = servers;
        const fields = { id, name, slug, status, agentWorkflowId, lastGeneratedAt, createdAt };
        const where = boundTo(principal, "agent-workflow", agentWorkflowId);
        const { rows, total } = await listRows(db.orm, principal, params, {
          table: servers,
          fields,
          search: [name, slug],
          tenant: servers.tenantId,
          ...(where === undefined ? {} : { where }),
        });
        return listReply(
          "mcp-servers",
          params,
          rows.map((row) => toMcpServer(row, publicUrl)),
          total,
        );
      },
    }),
    defineRoute({
      method: "GET",
      path: "mcp-servers/[id]",
      operation: "mcpServers.get",
      summary: "One MCP server with its tools",
      access: { permission: "mcp-servers.read" },
      effect: "pure",
      params: IdParams,
      response: McpServerSchema,
      handler: async ({ principal, params }) =>
        ok(toMcpServer(await deps().mcp.row(principal, params.id), deps().publicUrl)),
    }),
    defineRoute({
      method: "POST",
      path: "mcp-servers/[id]/regenerate",
      operation: "mcpServers.regenerate",
      summary: "Build the MCP server anew from its workflow",
      access: { permission: "mcp-servers.update" },
      effect: "idempotent",
      params: IdParams,
      response: McpServerSchema,
      handler: async ({ principal, params }) => {
        const { mcp, face } = deps();
        const { agentWorkflowId } = await mcp.row(principal, params.id);
        const workflow = await face.workflows.get(principal, String(agentWorkflowId));
        return ok(await mcp.regenerate(principal, params.id, workflow));
      },
    }),
    ...(["POST", "GET", "DELETE"] as const).map((method) => mcpEndpoint(method, deps)),
  ]);
}

/** The method of a JSON-RPC message, and which tool a call is of; undefined for what is none. */
function describeMessage(body: string): string | undefined {
  const message = MessageSchema.safeParse(parseOrNull(body));
  if (!message.success) return undefined;
  const { method, params } = message.data;
  return params?.name === undefined ? method : `${method} ${params.name}`;
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // What is no JSON is refused by the transport.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** A server and transport of its own for each request: answers can never cross between clients. */
function mcpEndpoint(method: "POST" | "GET" | "DELETE", deps: () => McpRouteDeps): Route {
  return defineRoute({
    method,
    path: "mcp/[slug]",
    operation: false,
    summary: "A workflow as an MCP server (Streamable HTTP)",
    access: "session",
    raw: true,
    rawBody: { limit: BODY_LIMIT, says: describeMessage },
    params: z.object({ slug: z.string() }),
    handler: async ({ principal, params, request }) => {
      const { mcp, face, platform, publicUrl } = deps();
      if (request.headers.has("origin")) checkOrigin(request, publicUrl);
      const row = toMcpServer(await mcp.row(principal, params.slug), publicUrl);
      if (row.status === "disabled") {
        throw new OvenError("MCP_SERVER_DISABLED", `${row.name} is disabled`, {
          status: 404,
          fix: "Enable its workflow.",
        });
      }
      const handler = createMcpHandler(
        () => createWorkflowMcpServer(row, principal, { runs: face.runs, reviews: platform.reviews, publicUrl }),
        { maxRequestBodySize: BODY_LIMIT, onerror: (error) => console.warn(`mcp/${row.slug}: ${error.message}`) },
      );
      return handler.fetch(request);
    },
  });
}
