import type { Definition, Json, JsonObject, Principal } from "@oven/contract";
import { compileDefinition } from "../compile/compile-definition.ts";
import type { RunContext } from "../expressions/scope.ts";
import { foldLog, fromSnapshot, initialContext } from "../plan/context.ts";
import { RunEngine } from "../run/run-engine.ts";
import type { ExecutionStore, RunColumns } from "../store.ts";
import { validateDefinition } from "../validate/validate-definition.ts";
import { MemoryStore } from "./memory-store.ts";
import { type ScriptedNode, ScriptedNodes } from "./scripted-nodes.ts";
import { SimulatedClock } from "./simulated-clock.ts";

const PRINCIPAL: Principal = { kind: "system", userId: null, tenantId: 1, permissions: ["*"] };

/** One definition, an in-memory store, a simulated clock and any number of engines on them. */
export class EngineHarness {
  readonly clock = new SimulatedClock();
  readonly store = new MemoryStore(this.clock);
  readonly nodes: ScriptedNodes;
  readonly #definition: Definition;
  #engine: RunEngine;
  #workers = 0;
  #sent = 0;

  constructor(definition: object, nodes: Record<string, ScriptedNode>) {
    this.nodes = new ScriptedNodes(nodes);
    const checked = validateDefinition(definition, this.nodes);
    if (!checked.definition) throw new Error(`The definition is not valid: ${JSON.stringify(checked.problems)}`);
    this.#definition = checked.definition;
    this.#engine = this.restart();
  }

  get engine(): RunEngine {
    return this.#engine;
  }

  /** A new process: the old one's calls are lost, its leases are void. `store` may be a faulty one. */
  restart(store: ExecutionStore = this.store): RunEngine {
    const compiled = compileDefinition(this.#definition, this.nodes);
    this.#workers += 1;
    this.#engine = new RunEngine({
      store,
      nodes: this.nodes,
      catalog: this.nodes,
      definitions: { load: async () => ({ compiled, workflowName: "Test" }) },
      clock: this.clock,
      ids: this.store.ids,
      worker: `worker-${this.#workers}`,
      leaseMs: 30_000,
      random: () => 0.5,
    });
    return this.#engine;
  }

  async create(input: JsonObject = {}): Promise<number> {
    return this.store.create({
      kind: "workflow",
      workflowId: 1,
      workflowVersion: 1,
      tenantId: 1,
      input,
      principal: PRINCIPAL,
    });
  }

  /** Creates a run and works on it until it rests. */
  async execute(input: JsonObject = {}): Promise<number> {
    const id = await this.create(input);
    await this.#engine.advance(id);
    return id;
  }

  async decide(reviewId: number, action: string, data: Json = null, reason: string | null = null): Promise<void> {
    const accepted = await this.store.decide(reviewId, {
      action,
      data,
      reason,
      reviewer: 1,
      decidedAt: new Date(this.clock.now()).toISOString(),
    });
    if (!accepted) throw new Error(`Review ${reviewId} is not open`);
    const [review] = [...this.store.reviews.values()].filter(({ id }) => id === reviewId);
    if (review) await this.#engine.advance(review.executionId);
  }

  /** Sends an event from outside and works on the run until it rests. */
  async send(id: number, event: string, payload: Json = null, correlation: string | null = null): Promise<void> {
    this.#sent += 1;
    const accepted = await this.store.sendSignal(
      id,
      { type: "event", data: { event, payload, correlation } },
      `event:${this.#sent}`,
    );
    if (!accepted) throw new Error(`Run ${id} has ended`);
    await this.#engine.advance(id);
  }

  /** Moves time on and wakes the runs that became due. */
  async elapse(milliseconds: number): Promise<void> {
    await this.clock.advance(milliseconds);
    for (const id of await this.store.dueRuns(new Date(this.clock.now()).toISOString(), 100))
      await this.#engine.advance(id);
  }

  columns(id: number): RunColumns {
    const { columns } = this.store.run(id);
    if (!columns) throw new Error(`Run ${id} has not started`);
    return columns;
  }

  /** The context as the log folds to it, up to `seq`. */
  async context(id: number, seq = Number.POSITIVE_INFINITY): Promise<RunContext> {
    const { snapshot, input } = this.store.run(id);
    const usable = snapshot && snapshot.seq <= seq ? snapshot : null;
    const { log, outputs } = await this.store.load(id, usable?.seq ?? 0);
    const start = usable ? fromSnapshot(usable) : initialContext(this.#definition.context ?? {}, input);
    return foldLog(
      start,
      log.filter((entry) => entry.seq <= seq),
      outputs,
    );
  }

  /** `draft#1 completed`, in order of start. */
  rows(id: number): string[] {
    return this.store
      .run(id)
      .rows.map(({ nodeId, visit, item, status }) => `${nodeId}#${visit}${item === null ? "" : `/${item}`} ${status}`);
  }

  events(id: number): string[] {
    return this.store
      .run(id)
      .events.map(({ event, fields }) => (typeof fields.nodeId === "string" ? `${event} ${fields.nodeId}` : event));
  }
}
