export { createAgentCoreModule } from "./agent-core.module.ts";
export type { AgentRunner } from "./agents/agent-runner.ts";
export type { SeedAgent } from "./agents/agent-service.ts";
export type { AgentsFace } from "./agents/agents-face.ts";
export { toDefinition } from "./agents/default-workflow.ts";
export type { PreparedRun, Said } from "./invoke/invoke-service.ts";
export { toText } from "./invoke/to-reply.ts";
export { countCall } from "./outside/call-limit.ts";
export {
  type Backoff,
  CLAIM_MS,
  type ConnectionTable,
  claimDue,
  toFailure,
  untilNextCheck,
} from "./outside/due-checks.ts";
export {
  approvePinned,
  NOT_APPROVED,
  PINNED_STATE_SQL,
  type Pinned,
  pinnedState,
  whyNotCalled,
} from "./outside/pinned.ts";
export { TenantTools } from "./outside/tenant-tools.ts";
export { tryPinned } from "./outside/try-pinned.ts";
export { asksFirst } from "./tools/asks-first.ts";
export { permissionsOf } from "./tools/tool-catalog.ts";
export { namesTool } from "./tools/tool-patterns.ts";
export type { ResumedCall, ResumeOptions, ToolCallOptions, ToolService, ToolSource } from "./tools/tool-service.ts";
export { createToolService } from "./tools/tool-service.ts";
export { LOOKED_THROUGH, patternNaming, type UseService, type Wanted } from "./uses/use-service.ts";
