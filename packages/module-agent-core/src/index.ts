export { createAgentCoreModule } from "./agent-core.module.ts";
export type { ToolCallOptions, ToolService } from "./tools/tool-service.ts";
