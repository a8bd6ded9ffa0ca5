import type { McpConnection, McpConnectionStatus, McpConnectionTool } from "@oven/contract/mcp";
import { schemaNotes } from "@oven/engine";
import { pinnedState } from "@oven/module-agent-core";
import type { mcpConnections, mcpConnectionTools } from "../schema.ts";

export type ConnectionRow = typeof mcpConnections.$inferSelect;
export type ToolRow = typeof mcpConnectionTools.$inferSelect;

export function toConnection(row: ConnectionRow, tools: readonly ToolRow[]): McpConnection {
  const { id, tenantId, name, title, transport, url, auth, timeoutMs, maxTotalMs, maxBytes } = row;
  const { callsPerMinute, callsPerDay, maxSessions, sessionWaitMs, sessionIdleMs } = row;
  const states = tools.map(pinnedState);
  const count = (...wanted: McpConnectionTool["state"][]) => states.filter((state) => wanted.includes(state)).length;
  return {
    ...{
      id,
      tenantId,
      name,
      title,
      transport,
      url,
      auth,
      timeoutMs,
      maxTotalMs,
      maxBytes,
      callsPerMinute,
      callsPerDay,
      maxSessions,
      sessionWaitMs,
      sessionIdleMs,
    },
    enabled: row.enabled,
    status: statusOf(row),
    protocolVersion: row.protocolVersion,
    serverName: row.serverName,
    instructions: row.instructions,
    lastContactAt: row.lastContactAt?.toISOString() ?? null,
    latencyMs: row.latencyMs,
    lastError: row.lastError,
    nextCheckAt: row.enabled ? row.nextCheckAt.toISOString() : null,
    notes: row.notes,
    tools: {
      approved: count("approved"),
      waiting: count("new", "changed"),
      changed: count("changed"),
      vanished: count("vanished"),
      refused: count("refused"),
    },
    createdBy: row.createdBy,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function statusOf({ enabled, lastError, lastErrorCode, lastContactAt }: ConnectionRow): McpConnectionStatus {
  if (!enabled) return "disabled";
  if (lastErrorCode === "MCP_CONNECTION_UNAUTHORIZED") return "sign-in";
  if (lastError !== null) return "failing";
  return lastContactAt === null ? "new" : "ok";
}

/** @param looksLike ids of other tools that look like its own */
export function toTool(row: ToolRow, looksLike: readonly string[]): McpConnectionTool {
  const { id, connectionId, toolId, name, problem, listed, listedHash, approved, approvedHash, approvedBy } = row;
  return {
    ...{ id, connectionId, toolId, name, problem, listed, listedHash, approved, approvedHash, approvedBy },
    state: pinnedState(row),
    notes: problem === null ? schemaNotes(listed.inputSchema) : [],
    looksLike: [...looksLike],
    approvedAt: row.approvedAt?.toISOString() ?? null,
    effect: row.effect,
    needsApproval: row.needsApproval,
    approvalWhen: row.approvalWhen,
    lastSeenAt: row.lastSeenAt.toISOString(),
  };
}
