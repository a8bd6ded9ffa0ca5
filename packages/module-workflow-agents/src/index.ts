export { type AgentWorkflowsService, createAgentWorkflowsModule } from "./agent-workflows.module.ts";
export type { McpExtension } from "./mcp/workflow-mcp-server.ts";
