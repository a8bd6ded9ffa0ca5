export { type AgentWorkflowsService, createAgentWorkflowsModule } from "./agent-workflows.module.ts";
export { CALLING_TOOLS, invocationsIn } from "./mcp/definition-references.ts";
export type { McpExtension } from "./mcp/workflow-mcp-server.ts";
export { createGraphFacts } from "./nodes/graph-facts.ts";
export { outsideToolStep } from "./nodes/outside-tool-step.ts";
export { withStateFormat } from "./platform-mcp/definition-input.ts";
export type { PlatformTool } from "./platform-mcp/platform-tool.ts";
export { type AskCatalogue, callPlatformTool, platformTools, shownSchemas } from "./platform-mcp/platform-tools.ts";
export { changedSteps } from "./platform-mcp/step-edits.ts";
