export { answerNotes, schemaNotes } from "./border-schema/schema-notes.ts";
export { SCHEMA_PROFILES, type SchemaProfile } from "./border-schema/schema-profiles.ts";
export { toDraft2020 } from "./border-schema/to-2020.ts";
export { type BorderSchema, toBorderSchema, toStrictSchema } from "./border-schema/to-border-schema.ts";
export { toUsableSchema } from "./border-schema/to-usable-schema.ts";
export type { CompiledAction } from "./compile/action.ts";
export { compileDefinition } from "./compile/compile-definition.ts";
export { contentHash, hashJson } from "./compile/content-hash.ts";
export { outlineOf, type RunOutline } from "./compile/loop-part.ts";
export type { CompiledMachine } from "./compile/machine.ts";
export { toPartial } from "./compile/partial.ts";
export { passDisabled } from "./compile/pass-disabled.ts";
export { readsDecision } from "./compile/reads-decision.ts";
export type { StateInfo } from "./compile/state-info.ts";
export { takeVerbatim } from "./compile/take-verbatim.ts";
export { toMermaid } from "./export/mermaid.ts";
export { toTypeScript } from "./export/typescript.ts";
export { toXStateJson } from "./export/xstate-json.ts";
export { compileCel } from "./expressions/cel.ts";
export { celLanguage, checkCel } from "./expressions/cel-language.ts";
export { toSummary } from "./expressions/compress.ts";
export { configKeysOf } from "./expressions/config-keys.ts";
export { parseDuration } from "./expressions/duration.ts";
export { ExpressionSyntaxError } from "./expressions/expression-error.ts";
export { compare, compileGuard } from "./expressions/guard.ts";
export { getChild, getOwn, isObject, isSameJson, setOwn } from "./expressions/json-access.ts";
export { expandLate, type Late, type LoadContent, parseLate, showLate } from "./expressions/late.ts";
export { parsePath } from "./expressions/path.ts";
export { isContentReference } from "./expressions/reference.ts";
export { matchesPattern } from "./expressions/regex.ts";
export { type RunContext, readPath, type Scope } from "./expressions/scope.ts";
export { compileTemplate } from "./expressions/template.ts";
export { type CompiledValue, compileValue } from "./expressions/value.ts";
export { type CameTrue, cameTrue } from "./forecast/came-true.ts";
export { readUpTo } from "./forecast/follow.ts";
export {
  type AskedCall,
  type AssumedAnswer,
  type Forecast,
  type ForecastStep,
  type ForecastWorld,
  forecast,
} from "./forecast/forecast.ts";
export { compareVersions, type MoveReport } from "./migrate/compare-versions.ts";
export { type MovedRun, moveRun } from "./migrate/move-run.ts";
export type { Proposal } from "./migrate/propose-states.ts";
export { renamed, type StateMapping } from "./migrate/state-mapping.ts";
export { asksAbout, evaluateCondition, isCondition, requireCondition } from "./plan/approval-condition.ts";
export { seedOf } from "./plan/cause.ts";
export { applyOps, foldLog, fromSnapshot, initialContext, toSnapshot } from "./plan/context.ts";
export { expandInput, refersToMessages } from "./plan/node-units.ts";
export { plan, planStart } from "./plan/plan.ts";
export type { Plan, PlanEnvironment, PlanEvent, RunEnd, RunFacts, RunSnapshot } from "./plan/plan-types.ts";
export { type RecordedMove, type Replayed, replayMoves } from "./plan/replay.ts";
export { decidersAt, stagesFor } from "./plan/review-stages.ts";
export { toScope } from "./plan/run-scope.ts";
export type { RunState, Unit, UnitWait } from "./plan/run-state.ts";
export type { Seed } from "./plan/seed.ts";
export { type RetryPoint, retryPoint, type TakeOver, takeOver } from "./plan/take-over.ts";
export type {
  CatalogEntry,
  Clock,
  ContentStore,
  DefinitionSource,
  ExpandRequest,
  Expansion,
  Ids,
  InputSchema,
  LoadedDefinition,
  NodeCall,
  NodeCatalog,
  NodeRunner,
  PinnedRun,
  RunSettings,
  WorkQueue,
} from "./ports.ts";
export { compareJourneys, type JourneyComparison } from "./rehearsal/compare-journeys.ts";
export { isComputable, isForeseeable, type JourneyCall, type JourneyUnit } from "./rehearsal/journey.ts";
export { type LiveBudget, LiveCalls } from "./rehearsal/live-calls.ts";
export { type JourneyPair, pairJourneys } from "./rehearsal/pair-journeys.ts";
export { type RecordedRun, type RunReading, readRecordedRun } from "./rehearsal/recorded-run.ts";
export { type RehearsalWorld, type Rehearsed, rehearse } from "./rehearsal/rehearse.ts";
export { systemClock } from "./run/clock.ts";
export { exampleFor } from "./run/example-for.ts";
export { replayInSlices } from "./run/replay-in-slices.ts";
export { type RunBase, RunBases } from "./run/run-base.ts";
export { RunEngine, type RunEngineOptions } from "./run/run-engine.ts";
export { inSlices, nextTurn } from "./run/slices.ts";
export { waitingOf } from "./run/to-commit.ts";
export type {
  ClaimedRun,
  ContextOp,
  ContextSnapshot,
  ExecutionStore,
  Heartbeat,
  HistoryEntry,
  LoadedRun,
  LogEntry,
  NewChild,
  NewExecution,
  NewSignal,
  OutboxDraft,
  OutgoingSignal,
  ParentLink,
  ReviewChange,
  RowChange,
  RunColumns,
  RunCommit,
  RunEventDraft,
  RunHistory,
  RunRecord,
  RunSignal,
  RunSignalData,
  StoredDecision,
  StoredOutput,
  StoredRow,
} from "./store.ts";
export { type SchemaViolation, schemaProblems, validateJson, violationsOf } from "./validate/json-schema.ts";
export { suggest } from "./validate/nearest.ts";
export { listStates } from "./validate/state-list.ts";
export { validateDefinition } from "./validate/validate-definition.ts";
export type { Ceiling, CeilingCall, Most, WorstCaseFacts } from "./worst-case/ceiling.ts";
export type { Amount, Cause, Totals } from "./worst-case/totals.ts";
export { worstCase } from "./worst-case/worst-case.ts";
