export { agentMemory } from "./tables/agent-memory.table.ts";
export {
  agentWorkflowDrafts,
  agentWorkflowExecutions,
  agentWorkflowNodeExecutions,
  agentWorkflowSeenDifferences,
  agentWorkflows,
  agentWorkflowTestData,
  agentWorkflowVersions,
} from "./tables/agent-workflows.table.ts";
export { mcpServerDefinitions } from "./tables/mcp-servers.table.ts";
