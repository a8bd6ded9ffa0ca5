export { createAgentCoreModule } from "./agent-core.module.ts";
export type { AgentRunner } from "./agents/agent-runner.ts";
export type { SeedAgent } from "./agents/agent-service.ts";
export type { AgentsFace } from "./agents/agents-face.ts";
export type { PreparedRun, Said } from "./invoke/invoke-service.ts";
export { namesTool } from "./tools/tool-patterns.ts";
export type { ToolCallOptions, ToolService, ToolSource } from "./tools/tool-service.ts";
export { tryCall } from "./tools/try-call.ts";
export { LOOKED_THROUGH, patternNaming, type UseService, type Wanted } from "./uses/use-service.ts";
