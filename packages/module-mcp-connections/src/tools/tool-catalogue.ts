import type { JsonObject } from "@oven/contract";
import type { ToolInfo } from "@oven/contract/ai";
import type { McpListedTool } from "@oven/contract/mcp";
import type { Database } from "@oven/db";
import { and, eq, isNotNull } from "@oven/db/drizzle";
import { toUsableSchema } from "@oven/engine";
import { TenantTools } from "@oven/module-agent-core";
import type { ConnectionRow, ToolRow } from "../connections/connection-row.ts";
import { mcpConnections, mcpConnectionTools } from "../schema.ts";

export const USE_PERMISSION = "mcp-tools.use";

/** Tools of servers that were approved, as they were approved. @param changed called after they have become others */
export function createToolCatalogue({ system }: Database, changed: () => void): TenantTools {
  const { name, title, lastError } = mcpConnections;
  return new TenantTools({
    db: system,
    changed,
    marked: {
      from: "mcp_connection_tools t join mcp_connections c on c.id = t.connection_id where t.approved_hash is not null and c.enabled",
      columns: [
        ...["t.id", "t.tenant_id", "t.tool_id", "t.approved_hash", "t.approved_at", "t.effect", "t.needs_approval"],
        ...["t.approval_when", "c.name", "c.title", "c.last_error"],
      ],
    },
    read: async () => {
      const rows = await system.orm
        // No more than is needed: before an upgrade, `oven doctor` reads a database that lacks newer columns.
        .select({ tool: mcpConnectionTools, connection: { name, title, lastError } })
        .from(mcpConnectionTools)
        .innerJoin(mcpConnections, eq(mcpConnections.id, mcpConnectionTools.connectionId))
        .where(and(isNotNull(mcpConnectionTools.approved), eq(mcpConnections.enabled, true)));
      return rows.flatMap(({ tool, connection }) => {
        const info = toInfo(tool, connection);
        return info === undefined ? [] : [{ tenantId: tool.tenantId, tool: info }];
      });
    },
  });
}

function toInfo(
  { toolId, approved, effect, needsApproval, approvalWhen }: ToolRow,
  { name, title, lastError }: Pick<ConnectionRow, "name" | "title" | "lastError">,
): ToolInfo | undefined {
  if (approved === null) return undefined;
  return {
    id: toolId,
    title: approved.title ?? approved.name,
    description: `${approved.description.replace(/\.?$/, ".")} Of the outside server ${title ?? name}.`,
    // What calls are checked by: patterns that cannot be checked are not in it.
    inputSchema: toUsableSchema(approved.inputSchema).schema,
    outputSchema: toOutputSchema(approved),
    effect,
    needsApproval,
    ...(approvalWhen === null ? {} : { approvalWhen }),
    permission: USE_PERMISSION,
    source: "mcp",
    asksCaller: true,
    ...(lastError === null ? {} : { note: `Its server cannot be used now: ${lastError}` }),
    tags: ["outside-content", "outbound", "mcp"],
  };
}

/** Of `McpToolResult`, with what this tool declares in its place. */
function toOutputSchema({ outputSchema }: McpListedTool): JsonObject {
  const attachments = { type: "array", items: { type: "object" } };
  return {
    type: "object",
    properties: {
      text: { type: "string" },
      ...(outputSchema === null ? {} : { structured: toUsableSchema(outputSchema).schema }),
      attachments,
    },
    required: outputSchema === null ? ["text"] : ["text", "structured"],
  };
}
