import type { Principal } from "@oven/contract";
import { McpServerSchema } from "@oven/contract/mcp";
import type { Database } from "@oven/db";
import { defineRoute, ListQuerySchema, listReply, listRows, ok, type Route, toListParams } from "@oven/module-registry";
import { boundTo, keepToWorkflows, type McpOffer, mcpEndpoint, sessionOf, type ToolCall } from "@oven/module-workflows";
import { z } from "zod";
import { mcpServerDefinitions as servers } from "../schema.ts";
import type { McpRegistry } from "./mcp-registry.ts";
import { offerPlatform, platformNeeds } from "./platform-server.ts";
import { toolNeeds } from "./protected-servers.ts";
import { isPlainRun, offerWorkflow, requireActive, type WorkflowMcpDeps } from "./workflow-mcp-server.ts";

export interface McpRouteDeps extends WorkflowMcpDeps {
  db: Database;
  mcp: McpRegistry;
}

const IdParams = z.object({ id: z.coerce.number().int().positive() });

/** The list of MCP servers, and the servers themselves. */
export function mcpRoutes(deps: () => McpRouteDeps): Route[] {
  // A key that is bound to workflows does not reach the platform's own server.
  const platform = mcpEndpoint({
    path: "mcp/oven",
    summary: "The platform itself as an MCP server (Streamable HTTP)",
    access: "session",
    params: z.object({}),
    publicUrl: () => deps().publicUrl,
    open: async ({ principal, request }) => offerPlatform(deps(), principal, request),
    needs: async (_asked, tool) => platformNeeds(deps().services, tool),
  });
  const own = keepToWorkflows([
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
        const { db, mcp } = deps();
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
        return listReply("mcp-servers", params, await Promise.all(rows.map((row) => mcp.show(row))), total);
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
      handler: async ({ principal, params }) => ok(await deps().mcp.describe(principal, params.id)),
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
        const { agentWorkflowId } = await mcp.get(principal, params.id);
        const workflow = await face.workflows.get(principal, String(agentWorkflowId));
        return ok(await mcp.regenerate(principal, params.id, workflow));
      },
    }),
    ...mcpEndpoint({
      path: "mcp/[slug]",
      summary: "A workflow as an MCP server (Streamable HTTP)",
      access: "session",
      params: z.object({ slug: z.string() }),
      publicUrl: () => deps().publicUrl,
      open: (asked) => openServer(deps(), asked),
      needs: async ({ principal, params }, tool) => {
        const { mcp, services } = deps();
        return toolNeeds(await mcp.get(principal, params.slug), services, tool);
      },
    }),
  ]);
  return [...platform, ...own];
}

interface Asked {
  principal: Principal;
  params: { slug: string };
  request: Request;
  call?: ToolCall | undefined;
}

/** @throws OvenError NOT_FOUND, MCP_SERVER_DISABLED */
async function openServer({ mcp, ...deps }: McpRouteDeps, asked: Asked): Promise<McpOffer> {
  const { principal, request, params } = asked;
  const { slug } = params;
  // A session keeps its server for later calls.
  const call = sessionOf(request) === undefined ? asked.call : undefined;
  const readAgain = async () => {
    const { value } = await mcp.read(principal, slug);
    requireActive(value);
    return value;
  };
  const cached = call === undefined ? undefined : mcp.cached(principal, slug);
  if (call !== undefined && cached !== undefined && isPlainRun(cached.value, call)) {
    const { value, rowVersion } = cached;
    return offerWorkflow(deps, value, { principal, request, call }, { rowVersion, readAgain });
  }
  const found = await mcp.read(principal, slug);
  requireActive(found.value);
  const [first] = found.value.toolDefinitions;
  if (call !== undefined && call.name === first?.name) mcp.keep(principal, slug, found);
  return offerWorkflow(deps, found.value, { principal, request, call });
}
