import type { Json, JsonObject, Principal } from "@oven/contract";
import type { RunOptions } from "@oven/contract/run";
import type { Definition } from "@oven/contract/workflow";
import { compileDefinition } from "../compile/compile-definition.ts";
import { hashJson } from "../compile/content-hash.ts";
import { outlineOf } from "../compile/loop-part.ts";
import type { RunContext } from "../expressions/scope.ts";
import type { DefinitionSource } from "../ports.ts";
import { RunBases } from "../run/run-base.ts";
import { RunEngine } from "../run/run-engine.ts";
import type { ExecutionStore, RunColumns } from "../store.ts";
import { validateDefinition } from "../validate/validate-definition.ts";
import { MemoryStore } from "./memory-store.ts";
import { type ScriptedNode, ScriptedNodes } from "./scripted-nodes.ts";
import { SimulatedClock } from "./simulated-clock.ts";

const PRINCIPAL: Principal = { kind: "system", userId: null, tenantId: 1, permissions: ["*"] };

/** Workflow 1 and those it calls, an in-memory store, a simulated clock and any number of engines on them. */
export class EngineHarness {
  readonly clock = new SimulatedClock();
  readonly store = new MemoryStore(this.clock);
  readonly nodes: ScriptedNodes;
  readonly #definitions: readonly Definition[];
  #engine: RunEngine;
  #workers = 0;
  #sent = 0;
  /** Children that were created, and runs that were told something. */
  readonly #woken = new Set<number>();
  readonly source: DefinitionSource = {
    load: async ({ workflowId, part, options }) => ({
      compiled: compileDefinition(this.#definition(workflowId), this.nodes, { part, options }),
      workflowName: `Test ${workflowId}`,
    }),
    outline: async (_kind, workflowId, _version, part) => outlineOf(this.#definition(workflowId), part),
  };

  /** @param called workflows 2, 3, … */
  constructor(definition: object, nodes: Record<string, ScriptedNode>, called: readonly object[] = []) {
    this.nodes = new ScriptedNodes(nodes);
    this.#definitions = [definition, ...called].map((one) => {
      const checked = validateDefinition(one, this.nodes);
      if (!checked.definition) throw new Error(`The definition is not valid: ${JSON.stringify(checked.problems)}`);
      return checked.definition;
    });
    this.#engine = this.restart();
  }

  #definition(workflowId: number): Definition {
    const definition = this.#definitions[workflowId - 1];
    if (!definition) throw new Error(`There is no workflow ${workflowId}`);
    return definition;
  }

  get engine(): RunEngine {
    return this.#engine;
  }

  /** A new process: the old one's calls are lost, its leases are void. `store` may be a faulty one. */
  restart(store: ExecutionStore = this.store): RunEngine {
    this.#workers += 1;
    this.#engine = new RunEngine({
      store,
      nodes: this.nodes,
      catalog: this.nodes,
      definitions: this.source,
      clock: this.clock,
      ids: this.store.ids,
      worker: `worker-${this.#workers}`,
      leaseMs: 30_000,
      onCommit: (_id, _seq, { children, outgoing }) => {
        for (const { id } of children) this.#woken.add(id);
        for (const { executionId } of outgoing) this.#woken.add(executionId);
      },
    });
    return this.#engine;
  }

  /** Works on a run, and on what it wakes, until all of it rests. */
  async advance(id: number): Promise<void> {
    await this.#engine.advance(id);
    for (const [woken] of this.#woken.entries()) {
      this.#woken.delete(woken);
      await this.#engine.advance(woken);
    }
  }

  async create(input: JsonObject = {}, options: RunOptions | null = null): Promise<number> {
    return this.store.create({
      kind: "workflow",
      workflowId: 1,
      workflowVersion: 1,
      tenantId: 1,
      input,
      principal: PRINCIPAL,
      options,
    });
  }

  /** Creates a run and works on it until it rests. */
  async execute(input: JsonObject = {}, options: RunOptions | null = null): Promise<number> {
    const id = await this.create(input, options);
    await this.advance(id);
    return id;
  }

  async decide(reviewId: number, action: string, data: Json = null, reason: string | null = null): Promise<void> {
    const review = this.store.reviews.get(reviewId);
    const digest = hashJson({ tool: review?.open.request.tool ?? null, proposal: data });
    const decidedAt = new Date(this.clock.now()).toISOString();
    if (!review || !(await this.store.decide(reviewId, { action, data, reason, reviewer: 1, decidedAt, digest })))
      throw new Error(`Review ${reviewId} is not open`);
    await this.advance(review.executionId);
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
    await this.advance(id);
  }

  /** Moves time on and wakes the runs that became due. */
  async elapse(milliseconds: number): Promise<void> {
    await this.clock.advance(milliseconds);
    for (const id of await this.store.dueRuns(new Date(this.clock.now()).toISOString(), 100)) await this.advance(id);
  }

  columns(id: number): RunColumns {
    const { columns } = this.store.run(id);
    if (!columns) throw new Error(`Run ${id} has not started`);
    return columns;
  }

  /** The context as the log folds to it, up to `seq`. */
  async context(id: number, seq?: number): Promise<RunContext> {
    const record = await this.store.read(id);
    if (!record) throw new Error(`There is no run ${id}`);
    const { context } = await new RunBases(this.store, this.source).at(record, seq);
    return context;
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
