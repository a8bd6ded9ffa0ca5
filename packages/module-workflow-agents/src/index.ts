export { type AgentWorkflowsService, createAgentWorkflowsModule } from "./agent-workflows.module.ts";
