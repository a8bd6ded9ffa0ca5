/** MCP servers of workflows, and connections to other MCP servers. */
export {
  type McpEnvelope,
  McpEnvelopeSchema,
  type McpPending,
  McpPendingSchema,
  type McpServer,
  McpServerSchema,
  type McpToolDefinition,
  McpToolDefinitionSchema,
  type McpToolSource,
} from "../mcp.ts";
export { type McpReviewView, type McpRunStep, type McpRunView, McpRunViewSchema } from "../mcp-app.ts";
export {
  type ApprovedMcpTools,
  ApprovedMcpToolsSchema,
  type ApproveMcpTool,
  ApproveMcpToolSchema,
  type ApproveMcpTools,
  ApproveMcpToolsSchema,
  type CreateMcpConnection,
  CreateMcpConnectionSchema,
  McpAuthorizationSchema,
  type McpConnection,
  type McpConnectionAuth,
  McpConnectionAuthSchema,
  McpConnectionSchema,
  type McpConnectionStatus,
  type McpConnectionTest,
  McpConnectionTestSchema,
  type McpConnectionTool,
  McpConnectionToolSchema,
  type McpListedTool,
  McpListedToolSchema,
  type McpToolResult,
  McpToolResultSchema,
  TestMcpConnectionSchema,
  type UpdateMcpConnection,
  UpdateMcpConnectionSchema,
} from "../mcp-connection.ts";
export { type McpTask, McpTaskParamsSchema, McpTaskSchema, TASKS_EXTENSION } from "../mcp-task.ts";
export { APP_MEDIA_TYPE, APPS_EXTENSION, DECIDE_VIEW_TOOL, RUN_VIEW_TOOL } from "../mcp-view-names.ts";
export { toPending } from "../to-pending.ts";
