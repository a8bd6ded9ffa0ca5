import { SHARED_TENANT } from "@oven/contract";
import type { McpServer, McpToolDefinition } from "@oven/contract/mcp";
import { schemaNotes } from "@oven/engine";
import type { mcpServerDefinitions } from "../schema.ts";

type Row = (typeof mcpServerDefinitions)["$inferSelect"];

export function toMcpServer(row: Row, publicUrl: string): McpServer {
  return {
    ...row,
    toolDefinitions: row.toolDefinitions.map(withNotes),
    tenantId: row.tenantId === SHARED_TENANT ? null : row.tenantId,
    url: `${publicUrl}/api/mcp/${row.slug}`,
    lastGeneratedAt: row.lastGeneratedAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** Only a workflow's own schema can have something that clients do not take. */
function withNotes(tool: McpToolDefinition, index: number): McpToolDefinition {
  const isWorkflow = (tool.source?.kind ?? (index === 0 ? "workflow" : "runs")) === "workflow";
  const notes = isWorkflow ? schemaNotes(tool.inputSchema, ["mcp"]) : [];
  return notes.length === 0 ? tool : { ...tool, notes };
}
