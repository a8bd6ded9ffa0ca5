import { SHARED_TENANT } from "@oven/contract";
import type { McpServer } from "@oven/contract/mcp";
import type { mcpServerDefinitions } from "../schema.ts";

type Row = (typeof mcpServerDefinitions)["$inferSelect"];

export function toMcpServer(row: Row, publicUrl: string): McpServer {
  return {
    ...row,
    tenantId: row.tenantId === SHARED_TENANT ? null : row.tenantId,
    url: `${publicUrl}/api/mcp/${row.slug}`,
    lastGeneratedAt: row.lastGeneratedAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
