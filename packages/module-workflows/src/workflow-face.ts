import type { JsonObject, Principal } from "@oven/contract";
import type { ExecutionKind } from "@oven/contract/run";
import type { Workflow } from "@oven/contract/workflow";
import type { Database, Transaction } from "@oven/db";
import type { NodeRunner, RunBases } from "@oven/engine";
import type { ServiceMap } from "@oven/module-registry";
import type { VersionGrants } from "./authority/version-grants.ts";
import { CanaryService } from "./canary/canary-service.ts";
import { KnownCanaries } from "./canary/known-canaries.ts";
import { ConsequenceService } from "./consequences/consequence-service.ts";
import type { CallClosure } from "./definitions/call-closure.ts";
import type { ConfiguredDefinitions } from "./definitions/configured-definitions.ts";
import { WorkflowService } from "./definitions/workflow-service.ts";
import { DraftService } from "./drafts/draft-service.ts";
import { DraftTurns, type Rehearse } from "./drafts/draft-turns.ts";
import { DraftVersions } from "./drafts/draft-versions.ts";
import { TestDataService } from "./drafts/test-data-service.ts";
import { StartChecks } from "./executions/check-start.ts";
import { CheckpointService } from "./executions/checkpoint-service.ts";
import { ExecutionReader } from "./executions/execution-reader.ts";
import type { PastReadings } from "./executions/past-readings.ts";
import { RedriveService } from "./executions/redrive-service.ts";
import { RunContinuer } from "./executions/run-continuer.ts";
import { RunRecordings } from "./executions/run-recordings.ts";
import { RunService } from "./executions/run-service.ts";
import type { RunWatch } from "./executions/run-watch.ts";
import { RunStarter } from "./executions/start-run.ts";
import { FailureService } from "./failures/failure-service.ts";
import type { AdmittingStore } from "./limits/admitting-store.ts";
import type { RunLimits } from "./limits/run-limits.ts";
import type { StartRateLimiter } from "./limits/start-limits.ts";
import { MigrationService } from "./migrate-runs/migration-service.ts";
import type { RunMover } from "./migrate-runs/run-mover.ts";
import type { RegisteredNodes } from "./nodes/node-catalog.ts";
import type { PolicyService } from "./policies/policy-service.ts";
import type { ReviewOverride } from "./policies/review-override.ts";
import { PastRunRehearser } from "./rehearsals/past-run-rehearser.ts";
import { PublishRules } from "./rehearsals/publish-rules.ts";
import { RehearsalService } from "./rehearsals/rehearsal-service.ts";
import { SeenDifferences } from "./rehearsals/seen-differences.ts";
import type { RunKind, RunKinds } from "./runtime/run-kinds.ts";
import type { WorkerHost } from "./runtime/worker-host.ts";

/** One kind of workflow, ready to use. */
export interface WorkflowFace {
  workflows: WorkflowService;
  runs: RunService;
  checkpoints: CheckpointService;
  continuer: RunContinuer;
  redrives: RedriveService;
  failures: FailureService;
  drafts: DraftService;
  testData: TestDataService;
  rehearsals: RehearsalService;
  publishRules: PublishRules;
  consequences: ConsequenceService;
  migrations: MigrationService;
  canaries: CanaryService;
  /** @throws OvenError NOT_FOUND */
  exportRun(principal: Principal, id: number): Promise<ReadableStream<Uint8Array>>;
}

/** What the enabled cases of an eval dataset give to a workflow. @throws OvenError NOT_FOUND, FORBIDDEN, NOT_OF_TARGET 422 */
export type ReadDataset = (
  principal: Principal,
  workflow: { kind: ExecutionKind; id: number },
  idOrSlug: string,
) => Promise<JsonObject[]>;

/** In the transaction of each change to a workflow. */
export type OnChange = (
  tx: Transaction,
  workflow: Workflow,
  change: "created" | "updated" | "deleted",
) => Promise<void>;

/** What the kinds of workflows share. */
export interface FaceDeps {
  db: Database;
  services: ServiceMap;
  nodes: RegisteredNodes;
  kinds: RunKinds;
  calls: CallClosure;
  policies: PolicyService;
  versionGrants: VersionGrants;
  override: ReviewOverride;
  definitions: ConfiguredDefinitions;
  bases: RunBases;
  store: AdmittingStore;
  watch: RunWatch;
  limits: RunLimits;
  startLimiter: StartRateLimiter;
  /** What goes through the past of runs, and what folds long logs: each with room of its own. */
  readings: PastReadings;
  foldings: PastReadings;
  /** For rehearsals, which run only what computes. */
  computing: NodeRunner;
  /** For rehearsals that may ask models: calls nodes as the principal of the call. */
  askingNodes: NodeRunner;
  mover: RunMover;
  host: Pick<WorkerHost, "wake" | "reserve">;
  inputsOf: ReadDataset;
  exportRun(principal: Principal, id: number): Promise<ReadableStream<Uint8Array>>;
}

/** What moving runs to another version needs to know of the workflows of a kind. */
export function movesOf(
  { definitions, calls, policies, override }: Pick<FaceDeps, "definitions" | "calls" | "policies" | "override">,
  workflows: WorkflowService,
) {
  return { definitions, workflows, calls, policies, override };
}

/** Everything there is of one kind of workflow. @param rehearse makes it one that is talked to */
export function createWorkflowFace(
  shared: FaceDeps,
  kind: RunKind,
  onChange: OnChange,
  rehearse: Rehearse | undefined,
): WorkflowFace {
  const { db, services, nodes, kinds, calls, policies, versionGrants, override, definitions, bases, store } = shared;
  const { watch, limits, startLimiter, readings, foldings, computing, askingNodes, mover, host, inputsOf, exportRun } =
    shared;
  const workflows = new WorkflowService({
    db,
    services,
    catalog: nodes,
    calls,
    policies,
    grants: versionGrants,
    kind: kind.kind,
    tables: kind.tables,
    onChange,
    releaseRuns: (workflowId, force) => runs.releaseWorkflow(workflowId, force),
  });
  const reader = new ExecutionReader({ db, kind, store, bases, readings: foldings });
  const wake = (id: number, priority?: number) => host.wake(id, priority);
  const canaries = new KnownCanaries();
  const checks = new StartChecks({
    canaries,
    kind,
    workflows,
    reader,
    calls,
    policies,
    override,
    catalog: nodes,
    limits,
  });
  const starter = new RunStarter({
    db,
    kind,
    store,
    workflows,
    checks,
    kinds,
    wake,
    reserve: (priority) => host.reserve(priority),
    limits,
    startLimiter,
  });
  const runs = new RunService({
    db,
    kind,
    store,
    watch,
    workflows,
    reader,
    starter,
    checks,
    kinds,
    wake,
  });
  const versions = new DraftVersions({ db, kind, catalog: nodes, grants: versionGrants });
  const recordings = new RunRecordings({
    store,
    bases,
    definitions,
    reader,
    readings,
  });
  const continuer = new RunContinuer({
    db,
    kind,
    store,
    definitions,
    workflows,
    reader,
    calls,
    policies,
    override,
    kinds,
    drafts: versions,
    recordings,
    wake,
  });
  const rehearsing = {
    ...{ workflows, reader, catalog: nodes, seen: new SeenDifferences(db, kind) },
    rehearser: new PastRunRehearser({
      ...{ db, recordings, readings },
      ...{ definitions, catalog: nodes, nodes: computing },
      askingNodes,
    }),
    inputsOf: (principal: Principal, id: number, dataset: string) =>
      inputsOf(principal, { kind: kind.kind.kind, id }, dataset),
  };
  const turns = new DraftTurns(db, kind, rehearse);
  const drafts = new DraftService({ db, kind, workflows, runs, versions, turns });
  return {
    workflows,
    runs,
    checkpoints: new CheckpointService({ kind, recordings, readings }),
    continuer,
    redrives: new RedriveService({ db, kind, workflows, continuer }),
    failures: new FailureService({ db, kind, workflows }),
    drafts,
    testData: new TestDataService({ db, kind, workflows }),
    rehearsals: new RehearsalService({ ...rehearsing, drafts, resource: kind.kind.resource }),
    publishRules: new PublishRules(rehearsing),
    consequences: new ConsequenceService({
      ...{ db, kind, recordings, readings, definitions },
      ...{ catalog: nodes, nodes: computing },
    }),
    migrations: new MigrationService({
      ...{ db, kind, kinds, moves: movesOf(shared, workflows), mover },
    }),
    canaries: new CanaryService({
      ...{ db: db.system, kind, workflows, drafts: versions, events: services.events, known: canaries },
      trail: () => services.auditTrail,
    }),
    exportRun,
  };
}
