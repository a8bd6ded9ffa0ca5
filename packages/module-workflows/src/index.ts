export { operationsWithApproval } from "./api-nodes/api-nodes.ts";
export { GrantReporter } from "./authority/grant-reporter.ts";
export { VersionGrants } from "./authority/version-grants.ts";
export { type BlobPosition, type BlobService, NO_RUN } from "./blobs/blob-service.ts";
export { canaryRoutes } from "./canary/canary.routes.ts";
export { canaryListeners } from "./canary/canary-listeners.ts";
export { toCodeProblems } from "./code/code-problems.ts";
export { boundTo, isBoundTo, keepToWorkflows } from "./definitions/bound-to.ts";
export { CallClosure } from "./definitions/call-closure.ts";
export { calledWorkflows, runAgentOf } from "./definitions/called-workflows.ts";
export { GUIDE, type GuideEntry, readGuide } from "./definitions/definition-guide.ts";
export { requireNotOwned } from "./definitions/owned-by-source.ts";
export { workflowRoutes } from "./definitions/workflow.routes.ts";
export type { SeedWorkflow, WorkflowService } from "./definitions/workflow-service.ts";
export { createWorkflowTables } from "./definitions/workflow-tables.ts";
export { draftRoutes } from "./drafts/draft.routes.ts";
export type { Rehearse, SpokenTurn } from "./drafts/draft-turns.ts";
export { workflowEvents } from "./events.ts";
export { checkPayload } from "./executions/check-payload.ts";
export type { ExecuteRequest } from "./executions/check-start.ts";
export { toFrame } from "./executions/event-stream.ts";
export { executeAction } from "./executions/execute.action.ts";
export { executionRoutes } from "./executions/execution.routes.ts";
export type { FamilyReader } from "./executions/family-stream.ts";
export { strictKeys } from "./executions/payload-keys.ts";
export type { PinnedRun } from "./executions/pinned-runs.ts";
export { findRunFiles, type RunFile } from "./executions/run-files.ts";
export type { RunService } from "./executions/run-service.ts";
export { RunWatch } from "./executions/run-watch.ts";
export { normalizeMessage } from "./failures/normalize-message.ts";
export { acceptAll } from "./mcp/accept-all.ts";
export { endWithCredentials } from "./mcp/end-with-credentials.ts";
export { idempotencyKeyOf } from "./mcp/idempotency-key.ts";
export { linearValidator } from "./mcp/linear-validator.ts";
export { type McpOffer, mcpEndpoint, type ServerUse, type ToolCall } from "./mcp/mcp-endpoint.ts";
export { sessionOf } from "./mcp/open-calls.ts";
export { DECIDE_OWN_RUNS, findOwnReview } from "./mcp/own-reviews.ts";
export { withPublicErrors } from "./mcp/public-errors.ts";
export type { ListedResource, ResourceSource } from "./mcp/resource-sources.ts";
export type { ReviewQuestions } from "./mcp/review-questions.ts";
export { toMessage as toReviewMessage } from "./mcp/review-words.ts";
export { RunCalls, type SeenRun } from "./mcp/run-calls.ts";
export {
  createRunMcpServer,
  type RunMcpFace,
  registerTool,
  runInstructions,
  sourceOf,
  toResult,
  withQuestions,
} from "./mcp/run-mcp-server.ts";
export { toSigningKey } from "./mcp/signing-key.ts";
export {
  FOLLOWING_TOOLS,
  toEnvelopeSchema,
  toToolDefinitions,
  toToolName,
  withFollowing,
  withOurSchemas,
} from "./mcp/tool-definitions.ts";
export { migrationRoutes } from "./migrate-runs/migration.routes.ts";
export { effectRefused, isHarmless } from "./nodes/harmless-runner.ts";
export { type HttpAnswer, readHttpAnswer, toRetryAfter } from "./nodes/http-answer.ts";
export { readReferencedFile, toHttpBody } from "./nodes/http-body.ts";
export { RegisteredNodes, toJsonSchema } from "./nodes/node-catalog.ts";
export { toInstant } from "./nodes/to-instant.ts";
export { runHoldings } from "./persons/run-holdings.ts";
export type { WorkflowPlatform } from "./platform.ts";
export { buildGraph } from "./policies/build-graph.ts";
export { checkPolicies, findingsOf } from "./policies/check-policies.ts";
export type { Deciders, GraphFacts, NamedAgent, PolicyTool, Spending } from "./policies/graph-facts.ts";
export type { Edge, Place, PolicyGraph } from "./policies/policy-graph.ts";
export { PolicyService } from "./policies/policy-service.ts";
export { reachUnreviewed } from "./policies/reach.ts";
export { hitsOf } from "./policies/targets.ts";
export { sinkHits, untrustedStarts } from "./policies/untrusted-flow.ts";
export { rehearsalRoutes } from "./rehearsals/rehearsal.routes.ts";
export { requireDetails } from "./retention/removed-details.ts";
export { RetentionDaysSchema } from "./retention/retained-rows.ts";
export {
  type ApprovalInput,
  approvalInput,
  type CallToApprove,
  callOrAsk,
  callRejected,
  callReleased,
  isApproval,
  notAsApproved,
  type ReleasedCall,
  requireReleased,
} from "./reviews/approved-call.ts";
export { findAnswer, orAskPerson, readAsked } from "./reviews/ask-person.ts";
export { toCallTitle } from "./reviews/call-title.ts";
export type { ReviewService } from "./reviews/review-service.ts";
export { reviewerInput, toDueAt, toPolicy } from "./reviews/reviewer-input.ts";
export { resolveConfigValues, runConfigKeys } from "./run-config.ts";
export { scoreRoutes } from "./scores/score.routes.ts";
export { mcpScorerOf, type Scorer, scorerOf } from "./scores/scorer.ts";
export { createRunTables } from "./tables/run-tables.ts";
export { isTraced } from "./telemetry/telemetry.ts";
export { runSpanIds } from "./telemetry/trace-ids.ts";
export type { ReadDataset, WorkflowFace } from "./workflow-face.ts";
export { AGENT, REGULAR, type WorkflowKind } from "./workflow-kind.ts";
export { createWorkflowsModule } from "./workflows.module.ts";
export { Lookup } from "./worst-case/lookup.ts";
export { reviewCeiling } from "./worst-case/review-ceiling.ts";
export { toSummary } from "./worst-case/to-worst-case.ts";
export { WorstCases } from "./worst-case/worst-cases.ts";
export { writtenTime } from "./worst-case/written-time.ts";
