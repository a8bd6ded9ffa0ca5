export type { CompiledAction } from "./compile/action.ts";
export { compileDefinition } from "./compile/compile-definition.ts";
export { contentHash, hashJson } from "./compile/content-hash.ts";
export type { CompiledMachine } from "./compile/machine.ts";
export type { StateInfo } from "./compile/state-info.ts";
export { toMermaid } from "./export/mermaid.ts";
export { toXStateJson } from "./export/xstate-json.ts";
export { compileCel } from "./expressions/cel.ts";
export { parseDuration } from "./expressions/duration.ts";
export { ExpressionSyntaxError } from "./expressions/expression-error.ts";
export { compare, compileGuard } from "./expressions/guard.ts";
export { getOwn, isObject, isSameJson, setOwn } from "./expressions/json-access.ts";
export { parsePath } from "./expressions/path.ts";
export { matchesPattern } from "./expressions/regex.ts";
export { type RunContext, readPath, type Scope } from "./expressions/scope.ts";
export { compileTemplate } from "./expressions/template.ts";
export { type CompiledValue, compileValue } from "./expressions/value.ts";
export { applyOps, foldLog, fromSnapshot, initialContext, toSnapshot } from "./plan/context.ts";
export { expandInput } from "./plan/node-units.ts";
export { plan, planStart } from "./plan/plan.ts";
export type { Plan, PlanEnvironment, PlanEvent, RunEnd, RunFacts, RunSnapshot } from "./plan/plan-types.ts";
export type { RunState, Unit, UnitWait } from "./plan/run-state.ts";
export type {
  CatalogEntry,
  Clock,
  DefinitionSource,
  ExpandRequest,
  Expansion,
  Ids,
  InputSchema,
  NodeCall,
  NodeCatalog,
  NodeRunner,
  RunSettings,
  WorkQueue,
} from "./ports.ts";
export { systemClock } from "./run/clock.ts";
export { createDefinitionCache } from "./run/definition-cache.ts";
export { RunEngine, type RunEngineOptions } from "./run/run-engine.ts";
export type {
  ContextOp,
  ContextSnapshot,
  ExecutionStore,
  LogEntry,
  NewExecution,
  NewSignal,
  OutboxDraft,
  ReviewChange,
  RowChange,
  RunColumns,
  RunCommit,
  RunEventDraft,
  RunRecord,
  RunSignal,
  RunSignalData,
  StoredDecision,
  StoredOutput,
  StoredRow,
} from "./store.ts";
export { validateJson } from "./validate/json-schema.ts";
export { validateDefinition } from "./validate/validate-definition.ts";
