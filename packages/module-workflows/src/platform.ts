import type { Definition, Json, Workflow } from "@oven/contract";
import type { Transaction } from "@oven/db";
import { type NodeCall, systemClock } from "@oven/engine";
import type { ModuleDeps } from "@oven/module-registry";
import { createConfiguredDefinitions } from "./definitions/configured-definitions.ts";
import { WorkflowService } from "./definitions/workflow-service.ts";
import { ExecutionReader } from "./executions/execution-reader.ts";
import { RunService } from "./executions/run-service.ts";
import { RunWatch } from "./executions/run-watch.ts";
import { createNodeRunner, RegisteredNodes } from "./nodes/node-catalog.ts";
import { ReviewService } from "./reviews/review-service.ts";
import { resolveRunDefaults } from "./run-config.ts";
import { BossQueue } from "./runtime/boss-queue.ts";
import { type RunKind, RunKinds } from "./runtime/run-kinds.ts";
import { SqlStore } from "./runtime/sql-store.ts";
import { WorkerHost } from "./runtime/worker-host.ts";

declare module "@oven/module-registry" {
  interface ServiceMap {
    /** The engine and what every kind of workflow shares. */
    workflowPlatform: WorkflowPlatform;
  }
}

/** One kind of workflow, ready to use. */
export interface WorkflowFace {
  workflows: WorkflowService;
  runs: RunService;
}

type OnChange = (tx: Transaction, workflow: Workflow, change: "created" | "updated" | "deleted") => Promise<void>;

/** One engine for every kind: nodes, store, queue, worker, reviews. */
export class WorkflowPlatform {
  readonly nodes: RegisteredNodes;
  readonly reviews: ReviewService;
  readonly #deps: ModuleDeps;
  readonly #kinds = new RunKinds();
  readonly #watch = new RunWatch();
  readonly #store: SqlStore;
  readonly #host: WorkerHost;
  readonly #faces = new Map<string, WorkflowFace>();

  constructor(deps: ModuleDeps) {
    const { db, services, registry } = deps;
    this.#deps = deps;
    this.nodes = new RegisteredNodes(registry);
    this.#store = new SqlStore(db, this.#kinds, {
      onWritten: (executionId, { outbox }) => {
        this.#watch.notify(executionId);
        if (outbox) services.events.wake();
      },
      isWanted: (event) => services.events.isWanted(event),
    });
    this.#host = new WorkerHost({
      db,
      queue: new BossQueue(db),
      store: this.#store,
      ids: this.#store,
      clock: systemClock,
      catalog: this.nodes,
      nodes: createNodeRunner(this.nodes, services, (call, key) => this.#configValue(call, key)),
      definitions: createConfiguredDefinitions({
        catalog: this.nodes,
        defaults: (kind, tenantId, workflowId) => resolveRunDefaults(services.config, kind, tenantId, workflowId),
        read: async (kind, workflowId, version) => {
          const { definition, name } = await this.face(kind).workflows.pinned(workflowId, version);
          return { definition: definition as unknown as Definition, workflowName: name }; // cast: published definitions are valid
        },
      }),
    });
    this.reviews = new ReviewService({ db, store: this.#store, wake: (id) => this.#host.wake(id) });
  }

  /** Adds a kind with its tables; `onChange` runs in the transaction of each change to a workflow. */
  addKind(kind: RunKind, onChange: OnChange = async () => {}): WorkflowFace {
    const { db, services } = this.#deps;
    this.#kinds.add(kind);
    const workflows = new WorkflowService({
      db,
      services,
      catalog: this.nodes,
      kind: kind.kind,
      tables: kind.tables,
      onChange,
      releaseRuns: (workflowId, force) => runs.releaseWorkflow(workflowId, force),
    });
    const reader = new ExecutionReader({ db, kind, store: this.#store, workflows });
    const wake = (id: number) => this.#host.wake(id);
    const runs = new RunService({ db, kind, store: this.#store, watch: this.#watch, workflows, reader, wake });
    const face = { workflows, runs };
    this.#faces.set(kind.kind.kind, face);
    return face;
  }

  face(kind: RunKind["kind"]["kind"]): WorkflowFace {
    const face = this.#faces.get(kind);
    if (face === undefined) throw new Error(`no module brings workflows of the kind ${kind}`);
    return face;
  }

  start(): Promise<void> {
    return this.#host.start();
  }

  stop(): Promise<void> {
    return this.#host.stop();
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
