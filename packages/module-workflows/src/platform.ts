import { randomUUID } from "node:crypto";
import { type Json, notFound, type Principal, type Problem } from "@oven/contract";
import { type ExecutionKind, isTerminal } from "@oven/contract/run";
import type { Definition } from "@oven/contract/workflow";
import { type NodeCall, type NodeRunner, RunBases, systemClock } from "@oven/engine";
import type { ModuleDeps, ServiceMap } from "@oven/module-registry";
import { authorizeNodes } from "./authority/authorized-runner.ts";
import { GrantReporter } from "./authority/grant-reporter.ts";
import { RunAuthority } from "./authority/run-authority.ts";
import { StarterRights } from "./authority/starter-rights.ts";
import { VersionGrants } from "./authority/version-grants.ts";
import { type BlobService, createBlobService } from "./blobs/blob-service.ts";
import type { ReviewConsequences } from "./consequences/consequence.routes.ts";
import { CorrelatedEvents } from "./correlation/correlated-events.ts";
import { CallClosure } from "./definitions/call-closure.ts";
import { type ConfiguredDefinitions, createConfiguredDefinitions } from "./definitions/configured-definitions.ts";
import { inspectSteps } from "./definitions/inspect-steps.ts";
import type { Rehearse } from "./drafts/draft-turns.ts";
import { Conversations } from "./executions/conversations.ts";
import { type StreamRequest, streamEvents } from "./executions/event-stream.ts";
import { FamilyReader, parseCursor } from "./executions/family-stream.ts";
import { PastReadings } from "./executions/past-readings.ts";
import { type PinnedRun, readPinnedRuns } from "./executions/pinned-runs.ts";
import { RunEnds } from "./executions/run-ends.ts";
import { exportRun, type RunExportDeps } from "./executions/run-export.ts";
import { RunWatch } from "./executions/run-watch.ts";
import { HoldService } from "./holds/hold-service.ts";
import { countQueue } from "./installation/count-queue.ts";
import { findOldestDue } from "./installation/find-oldest-due.ts";
import { findRetention } from "./installation/find-retention.ts";
import { findWorkers, ONLY_SERVES } from "./installation/find-workers.ts";
import type { InstallationDeps } from "./installation/installation.routes.ts";
import { Admission } from "./limits/admission.ts";
import { type AdmittingObserver, AdmittingStore } from "./limits/admitting-store.ts";
import { RunLimits } from "./limits/run-limits.ts";
import { StartRateLimiter } from "./limits/start-limits.ts";
import { McpSessions } from "./mcp/mcp-sessions.ts";
import { OpenCalls } from "./mcp/open-calls.ts";
import { ResourceSources } from "./mcp/resource-sources.ts";
import { RunMover } from "./migrate-runs/run-mover.ts";
import { keepHarmless } from "./nodes/harmless-runner.ts";
import { createNodeRunner, RegisteredNodes } from "./nodes/node-catalog.ts";
import { redactNodes } from "./nodes/redacting-runner.ts";
import { keepWithinTenants } from "./nodes/tenant-runner.ts";
import { guardNodes } from "./policies/guarded-runner.ts";
import { PolicyService } from "./policies/policy-service.ts";
import { ReviewOverride } from "./policies/review-override.ts";
import { RetentionService } from "./retention/retention-service.ts";
import { warmUpDecisions } from "./reviews/decide-with-commit.ts";
import { findReview } from "./reviews/find-review.ts";
import { ReviewService } from "./reviews/review-service.ts";
import { resolveConfigValues, resolveRunDefaults } from "./run-config.ts";
import { BossQueue } from "./runtime/boss-queue.ts";
import { familyOf, type RunKind, RunKinds } from "./runtime/run-kinds.ts";
import { createRunNotices, type RunNotices } from "./runtime/run-notices.ts";
import { warmUp } from "./runtime/warm-up.ts";
import { WorkerHost } from "./runtime/worker-host.ts";
import { orphanedScores } from "./scores/orphaned-scores.ts";
import { ScoreService } from "./scores/score-service.ts";
import { gaugesOf, Telemetry } from "./telemetry/telemetry.ts";
import {
  createWorkflowFace,
  type FaceDeps,
  movesOf,
  type OnChange,
  type ReadDataset,
  type WorkflowFace,
} from "./workflow-face.ts";
import { WorstCases } from "./worst-case/worst-cases.ts";

declare module "@oven/module-registry" {
  interface ServiceMap {
    /** The engine and what every kind of workflow shares. */
    workflowPlatform: WorkflowPlatform;
  }
}

/** Reads what `{uuid, summary}` in a run's data stands for. @throws OvenError NOT_FOUND */
export type ReadData = (uuid: string, tenantId: number) => Promise<Json>;

/** One engine for every kind: nodes, store, queue, worker, reviews. */
export class WorkflowPlatform {
  readonly nodes: RegisteredNodes;
  readonly reviews: ReviewService;
  readonly holds: HoldService;
  readonly scores: ScoreService;
  /** Events that runs emit for other runs. */
  readonly correlated: CorrelatedEvents;
  readonly retention: RetentionService;
  /** What modules have for clients of the platform's own MCP server to read. */
  readonly resources = new ResourceSources();
  readonly #mover: RunMover;
  readonly blobs: BlobService;
  readonly telemetry: Telemetry;
  readonly policies: PolicyService;
  /** What runs of a definition need at most. */
  readonly worstCases: WorstCases;
  readonly grants: GrantReporter;
  readonly versionGrants: VersionGrants;
  readonly #override: ReviewOverride;
  readonly authority: RunAuthority;
  readonly installation: InstallationDeps;
  /** When runs end, for what lives as long as one. */
  readonly runEnds: RunEnds;
  readonly conversations: Conversations;
  /** Sessions of older MCP clients that can be asked questions. */
  readonly mcpSessions = new McpSessions();
  readonly mcpCalls = new OpenCalls();
  readonly #deps: ModuleDeps;
  readonly #kinds = new RunKinds();
  readonly #notices: RunNotices;
  readonly #watch: RunWatch;
  readonly #limits: RunLimits;
  readonly #startLimiter = new StartRateLimiter();
  readonly #store: AdmittingStore;
  readonly #definitions: ConfiguredDefinitions;
  readonly #bases: RunBases;
  readonly #calls: CallClosure;
  readonly #host: WorkerHost;
  /** As nodes are called by the engine, without being told of outside. */
  readonly #nodeRunner: NodeRunner;
  /** For rehearsals, which run only what computes. */
  readonly #computing: NodeRunner;
  /** For rehearsals that may ask models: calls nodes as the principal of the call. */
  readonly #askingNodes: NodeRunner;
  /** What goes through the past of runs, and what folds long logs: each with room of its own. */
  readonly #readings = new PastReadings();
  readonly #foldings = new PastReadings();
  readonly #faces = new Map<string, WorkflowFace>();
  #readData: ReadData = async (uuid) => {
    throw notFound("piece of data", uuid);
  };

  #inputsOf: ReadDataset = async (_principal, _workflow, idOrSlug) => {
    throw notFound("dataset", idOrSlug);
  };

  constructor(deps: ModuleDeps) {
    const { services, registry, environment } = deps;
    // The engine works for all tenants; what it calls for one of them does not.
    const { system: db } = deps.db;
    const { enabled, concurrency, drainMs } = environment.worker ?? {};
    this.#deps = deps;
    this.nodes = new RegisteredNodes(registry);
    this.#notices = createRunNotices(db);
    // What is worked on here needs no word from elsewhere.
    this.#watch = new RunWatch((id) => {
      if (!this.#store.isHeldHere(id)) this.#notices.viewing(id);
    });
    this.runEnds = new RunEnds({ db, kinds: this.#kinds, watch: this.#watch });
    this.conversations = new Conversations(db, this.#kinds);
    this.#limits = new RunLimits(services.config);
    const observer: AdmittingObserver = {
      onWritten: (executionId, { outbox, status, ended }) => {
        const mayRest = status !== undefined && (isTerminal(status) || status === "paused");
        this.#watch.notify(executionId, mayRest ? "settled" : "progressed", ended);
        this.#notices.written(executionId);
        if (outbox) services.events.wake();
      },
      hasListeners: (name) => services.events.hasListeners(name),
      hasMatchingListener: (event) => services.events.hasMatchingListener(event),
      onHeldElsewhere: (executionId) => this.#notices.signal(executionId),
      onRoom: ({ id, priority }) => void this.#host.wake(id, priority),
    };
    this.#store = new AdmittingStore(db, this.#kinds, observer, new Admission(db, this.#kinds, this.#limits));
    this.#definitions = createConfiguredDefinitions({
      catalog: this.nodes,
      defaults: (kind, tenantId, workflowId) => resolveRunDefaults(services.config, kind, tenantId, workflowId),
      config: (kind, tenantId, workflowId, keys) =>
        resolveConfigValues(services.config, kind, tenantId, workflowId, keys),
      read: async (kind, workflowId, version) => {
        const { definition, name } = await this.face(kind).workflows.pinned(workflowId, version);
        return { definition: definition as unknown as Definition, workflowName: name }; // cast: published definitions are valid
      },
    });
    this.#calls = new CallClosure(async (kind, by, id, version) => {
      const { workflows } = this.face(kind);
      const workflow = await workflows.get(by, id);
      if (version === undefined || version === workflow.version) return workflow;
      return { ...workflow, version, definition: (await workflows.pinned(workflow.id, version)).definition };
    }, this.nodes);
    this.policies = new PolicyService({
      db: deps.db,
      nodes: this.nodes,
      calls: this.#calls,
      kinds: this.#kinds,
      scores: async (principal, { kind, id }, { name, days }) => {
        const { version } = await this.face(kind).workflows.get(principal, String(id));
        if (version < 1) return undefined;
        return { version, ...(await this.scores.ofVersion(principal, { kind, workflowId: id, version, name, days })) };
      },
      worst: (principal, definition, { self, ...of }) =>
        this.worstCases.of(principal, definition, { ...of, kind: self?.kind, workflowId: self?.id ?? null }),
      pastRuns: (principal, { kind, id }, ...of) => this.face(kind).publishRules.check(principal, id, ...of),
    });
    this.worstCases = new WorstCases({
      nodes: this.nodes,
      calls: this.#calls,
      factsOf: (tenantId) => this.policies.factsOf(tenantId),
      defaults: (kind, tenantId, workflowId) => resolveRunDefaults(services.config, kind, tenantId, workflowId),
    });
    this.versionGrants = new VersionGrants({ nodes: this.nodes, calls: this.#calls, policies: this.policies });
    this.grants = new GrantReporter(this.versionGrants, services.access);
    this.#override = new ReviewOverride(this.policies, () => services.auditTrail);
    this.#bases = new RunBases(this.#store, this.#definitions);
    this.blobs = createBlobService(db);
    this.telemetry = new Telemetry({
      db,
      kinds: this.#kinds,
      secret: environment.secret,
      kindOf: (src) => this.nodes.get(src)?.kind,
      environment: process.env,
      gauges: gaugesOf(deps),
      write: (line) => void process.stdout.write(`${services.secrets.redactText(line)}\n`),
    });
    const registered = createNodeRunner(this.nodes, services, (call, key) => this.#configValue(call, key));
    this.#computing = registered;
    const harmless = keepHarmless(registered, (src, version) => this.nodes.get(src, version));
    const allowed = guardNodes(harmless, (call) => this.policies.requireCall(call));
    // Without the module of users there are none to ask about.
    const starters = new StarterRights(() => services.access as ServiceMap["access"] | undefined); // cast: it may not be installed
    this.authority = new RunAuthority(db, this.#kinds, starters);
    const permissionsOf = (src: string, version: number) => this.nodes.get(src, version)?.permissions ?? [];
    const authorized = authorizeNodes(
      allowed,
      (call, moment) => this.authority.principalOf(call, moment),
      permissionsOf,
    );
    const asOneself = authorizeNodes(allowed, async (call) => call.principal, permissionsOf);
    this.#askingNodes = keepWithinTenants(redactNodes(asOneself, services.secrets));
    this.#nodeRunner = keepWithinTenants(redactNodes(authorized, services.secrets));
    const worker = `${enabled === false ? ONLY_SERVES : ""}${process.pid}-${randomUUID().slice(0, 8)}`;
    const queue = new BossQueue(db, { concurrency, instanceName: worker, kinds: this.#kinds });
    this.#host = new WorkerHost({
      db,
      queue,
      name: worker,
      notices: this.#notices,
      onWrittenElsewhere: (executionId) => this.#watch.notify(executionId),
      abandonLeases: (worker) => this.#store.abandonLeases(worker),
      ...(enabled === undefined ? {} : { enabled }),
      ...(concurrency === undefined ? {} : { concurrency }),
      ...(drainMs === undefined ? {} : { drainMs }),
      store: this.telemetry.observe(this.#store),
      ids: this.#store,
      clock: systemClock,
      catalog: this.nodes,
      nodes: this.telemetry.trace(this.#nodeRunner),
      content: {
        write: async (position, output) => ({ ...(await this.blobs.writeOutput(position, output)) }),
        read: (reference, tenantId) =>
          typeof reference.uuid === "string"
            ? this.#readData(reference.uuid, tenantId)
            : this.blobs.load(reference, tenantId),
      },
      definitions: this.#definitions,
      ...(environment.production && { warmUp: () => this.warmUp() }),
    });
    const running = { db, kinds: this.#kinds, store: this.#store, wake: (id: number) => this.#host.wake(id) };
    this.reviews = new ReviewService({
      ...running,
      db: deps.db,
      events: services.events,
      reserve: () => this.#host.reserve(),
      toolOf: (id, tenantId) => this.policies.toolOf(id, tenantId),
    });
    this.holds = new HoldService({
      ...{ db: deps.db, kinds: this.#kinds, look: () => this.#host.look(), hold: (ids) => this.#host.hold(ids) },
      requireRun: (principal, id) => this.requireRun(principal, id),
      requireWorkflow: (principal, kind, id) => this.face(kind).workflows.get(principal, String(id)),
    });
    this.scores = new ScoreService({
      db: deps.db,
      requireWorkflow: (principal, kind, id) => this.face(kind).workflows.get(principal, id),
      readerOf: (kind) => this.face(kind).runs.reader,
      kindOf: async (id) => (await this.#kinds.of(deps.db, id)).kind.kind,
      onScored: (kind, workflowId, tenantId) => this.face(kind).canaries.check(workflowId, tenantId),
    });
    this.correlated = new CorrelatedEvents(running);
    this.retention = new RetentionService({ ...running, config: services.config, clock: systemClock });
    this.retention.add(orphanedScores(() => this.#kinds.all()));
    this.retention.add({
      ...{ table: "run_migration_items", since: "created_at", run: "execution_id" },
      setting: { module: "module-workflows", key: "RETENTION_RUNS_DAYS" },
    });
    this.#mover = new RunMover({
      ...{ db, kinds: this.#kinds, store: this.#store, bases: this.#bases },
      movesOf: (kind) => movesOf(this.#shared, this.face(kind).workflows),
      onMoved: (executionId) => observer.onWritten(executionId, { outbox: false }),
      onTimers: () => this.#host.look(),
    });
    const looking = { db, kinds: this.#kinds, clock: systemClock };
    this.installation = {
      workers: () => findWorkers({ ...looking, queue, here: worker }),
      queue: () => countQueue({ ...looking, queue }),
      oldestDueSeconds: () => findOldestDue(looking),
      retention: (tenantId) => findRetention({ ...looking, config: services.config }, tenantId),
    };
  }

  /** What nodes find wrong with the steps of a definition. */
  inspect(principal: Principal, definition: Definition): Promise<Problem[]> {
    return inspectSteps({ nodes: this.nodes, services: this.#deps.services }, principal, definition);
  }

  /** What the first run would do for the first time is done before it; nothing is written. @returns how the runs ended that were not there */
  async warmUp(): Promise<string[]> {
    const { db } = this.#deps;
    const kinds = this.#kinds;
    const engine = { definitions: this.#definitions, catalog: this.nodes, nodes: this.#nodeRunner, clock: systemClock };
    const ends = await warmUp({ db: db.system, kinds, ...engine });
    await warmUpDecisions({ db, kinds });
    return ends;
  }

  /** A review, and what follows its decisions. @throws OvenError NOT_FOUND */
  async consequencesOf(principal: Principal, reviewId: number): Promise<ReviewConsequences> {
    const review = await findReview(this.#deps.db, principal, reviewId);
    // cast: only the store writes it
    return { review, service: this.face(review.executionKind as ExecutionKind).consequences };
  }

  /** For the module that keeps saved pieces of data. */
  readDataWith(read: ReadData): void {
    this.#readData = read;
  }

  /** For the module that keeps eval datasets. */
  readDatasetsWith(read: ReadDataset): void {
    this.#inputsOf = read;
  }

  /**
   * Adds a kind with its tables; `onChange` runs in the transaction of each change to a workflow, `rehearse` makes it one that is
   * talked to.
   */
  addKind(kind: RunKind, onChange: OnChange = async () => {}, rehearse?: Rehearse): WorkflowFace {
    this.#kinds.add(kind);
    const face = createWorkflowFace(this.#shared, kind, onChange, rehearse);
    this.#faces.set(kind.kind.kind, face);
    return face;
  }

  get #shared(): FaceDeps {
    const { db, services } = this.#deps;
    return {
      ...{ db, services, nodes: this.nodes, kinds: this.#kinds, calls: this.#calls, policies: this.policies },
      ...{ versionGrants: this.versionGrants, override: this.#override, definitions: this.#definitions },
      ...{ bases: this.#bases, store: this.#store, watch: this.#watch, host: this.#host, mover: this.#mover },
      ...{ limits: this.#limits, startLimiter: this.#startLimiter },
      ...{ readings: this.#readings, foldings: this.#foldings },
      ...{ computing: this.#computing, askingNodes: this.#askingNodes },
      inputsOf: (...asked) => this.#inputsOf(...asked),
      exportRun: (principal, id) => exportRun(this.#exporting, principal, id),
    };
  }

  get #exporting(): RunExportDeps {
    const { db } = this.#deps;
    const of = (kind: ExecutionKind) => {
      const { workflows, runs } = this.face(kind);
      return { workflows, reader: runs.reader };
    };
    return { db, kinds: this.#kinds, store: this.#store, reviews: this.reviews, of };
  }

  face(kind: RunKind["kind"]["kind"]): WorkflowFace {
    const face = this.#faces.get(kind);
    if (face === undefined) throw new Error(`no module brings workflows of the kind ${kind}`);
    return face;
  }

  /** A run and everything below it. */
  familyOf(executionId: number): Promise<number[]> {
    return familyOf(this.#deps.db, this.#kinds.all(), executionId);
  }

  /** @throws OvenError NOT_FOUND when the principal may not see the run */
  async requireRun(principal: Principal, executionId: number): Promise<void> {
    await this.kindOf(principal, executionId);
  }

  /** Which tables a run is in. @throws OvenError NOT_FOUND when the principal may not see the run */
  async kindOf(principal: Principal, executionId: number): Promise<ExecutionKind> {
    const { kind } = await this.#kinds.of(this.#deps.db, executionId);
    await this.face(kind.kind).runs.reader.row(principal, executionId);
    return kind.kind;
  }

  /** A run and the runs that it called, as they are stored, itself first. @throws OvenError NOT_FOUND */
  pinnedRuns(principal: Principal, executionId: number): Promise<PinnedRun[]> {
    return readPinnedRuns(this.#exporting, principal, executionId);
  }

  /** The logs of a run and its children as one, read on from a cursor; a part of a stream of several. @throws OvenError INVALID_REQUEST */
  familyLog(executionId: number, cursor: string | null): FamilyReader {
    return new FamilyReader(this.#deps.db, this.#kinds.all(), executionId, parseCursor(executionId, cursor));
  }

  /** As server-sent events; news of its runs wake it. */
  stream(request: StreamRequest): Response {
    return streamEvents(this.#watch, request);
  }

  async start(): Promise<void> {
    await this.#host.start();
    this.retention.start();
    this.#mover.start();
  }

  async stop(): Promise<void> {
    await this.mcpSessions.close();
    await this.#mover.stop();
    await this.retention.stop();
    await this.#host.stop();
  }

  async #configValue({ src, principal, settings }: NodeCall, key: string): Promise<Json> {
    const { services } = this.#deps;
    const owner = this.nodes.all().find(({ node }) => node.id === src)?.module;
    const declared = owner?.configSchema.find((entry) => entry.key === key);
    if (owner === undefined || declared === undefined)
      throw new Error(`${owner?.name ?? src} declares no configuration key ${key}`);
    const instance = declared.instances === undefined ? undefined : String(settings.workflowId);
    const request = { module: owner.name, key, tenantId: principal.tenantId, instance };
    return (await services.config.resolve(request)).value;
  }
}
