import { isOvenError, OvenError } from "@oven/contract";
import type { ErrorInfo } from "@oven/contract/run";
import { NO_TOKENS } from "../plan/node-units.ts";
import type { RunState, Unit } from "../plan/run-state.ts";
import type { Clock, ContentStore, DefinitionSource, Ids, NodeCatalog, NodeRunner } from "../ports.ts";
import type { ExecutionStore, OutgoingSignal, RowChange, RunCommit, RunRecord } from "../store.ts";
import { isPassing, toRunError } from "./failure.ts";
import { RunBases } from "./run-base.ts";
import { RunDriver } from "./run-driver.ts";
import { BY_PARENT } from "./to-commit.ts";

export interface RunEngineOptions {
  store: ExecutionStore;
  nodes: NodeRunner;
  catalog: NodeCatalog;
  definitions: DefinitionSource;
  clock: Clock;
  ids: Ids;
  /** Stores outputs that are too large for a row; without it they fail the run. */
  content?: ContentStore;
  /** Unique per process. */
  worker: string;
  leaseMs: number;
  onCommit?(executionId: number, seq: number, commit: RunCommit): void;
  /** Log entries were written between commits. */
  onEvents?(executionId: number, seq: number): void;
  /** A background failure that the run survives. */
  onError?(cause: unknown, executionId: number): void;
}

/** The runs this process is working on. */
export class RunEngine {
  readonly #options: RunEngineOptions;
  readonly #drivers = new Map<number, RunDriver>();
  readonly #running = new Map<number, Promise<void>>();
  /** Runs that are being claimed or released, and were notified of a signal meanwhile. */
  readonly #notified = new Set<number>();
  readonly #bases: RunBases;
  #stopped = false;

  constructor(options: RunEngineOptions) {
    this.#options = options;
    this.#bases = new RunBases(options.store, options.definitions);
  }

  get activeRuns(): number {
    return this.#running.size;
  }

  /**
   * Executes a run until it has ended or waits. Does nothing when another worker holds it; when this one does already, its driver is notified.
   */
  async advance(executionId: number): Promise<void> {
    if (this.#stopped) return;
    const known = this.#running.get(executionId);
    if (known) {
      this.notify(executionId);
      return known;
    }
    const work = this.#workUntilQuiet(executionId);
    this.#running.set(executionId, work);
    return work;
  }

  /** Notifies the driver of a run that it has a signal. @returns false when the run is not executing here */
  notify(executionId: number): boolean {
    const driver = this.#drivers.get(executionId);
    if (driver !== undefined) driver.notify();
    else if (this.#running.has(executionId)) this.#notified.add(executionId);
    else return false;
    return true;
  }

  /** A run begins no new step here: its calls in flight finish and are recorded, then its lease is given up. */
  hold(executionId: number): void {
    this.#drivers.get(executionId)?.stop();
  }

  /** Lets in-flight calls finish, starts no more, and gives up all leases. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const driver of this.#drivers.values()) driver.stop();
    await Promise.allSettled(this.#running.values());
  }

  /** A notification during a claim or release starts another round. */
  async #workUntilQuiet(executionId: number): Promise<void> {
    try {
      let isSignalled: boolean;
      do {
        isSignalled = await this.#work(executionId);
        this.#drivers.delete(executionId);
      } while (this.#notified.delete(executionId) || isSignalled);
    } finally {
      this.#running.delete(executionId);
      this.#drivers.delete(executionId);
      this.#notified.delete(executionId);
    }
  }

  async #work(executionId: number): Promise<boolean> {
    const { store, worker, leaseMs, definitions } = this.#options;
    const record = await store.claim(executionId, worker, leaseMs);
    if (!record) return false;
    let definition: Awaited<ReturnType<DefinitionSource["load"]>>;
    try {
      definition = await definitions.load(record);
    } catch (cause) {
      // A temporary fault is not the run's: its lease ends, and it is claimed again.
      if (isPassing(cause)) throw cause;
      this.#options.onError?.(cause, executionId);
      await this.#failUnrunnable(record, toRunError(cause));
      return false;
    }
    const driver = new RunDriver(this.#options, record, definition, this.#bases);
    this.#drivers.set(executionId, driver);
    if (this.#notified.delete(executionId)) driver.notify();
    if (this.#stopped) driver.stop();
    try {
      await driver.drive();
    } catch (cause) {
      const refused = toRefused(cause);
      if (refused === undefined) throw cause;
      // A repetition would be refused again, so the run fails here with the reason.
      this.#options.onError?.(cause, executionId);
      await this.#failUnrunnable(driver.committed, toRunError(refused));
      return false;
    }
    return driver.hasSignal;
  }

  /**
   * Fails a run that cannot continue: its pinned definition does not compile any more, for instance because a module was removed, or the store
   * refuses what a step wrote.
   */
  async #failUnrunnable(record: RunRecord, error: ErrorInfo): Promise<void> {
    const { store, clock } = this.#options;
    const at = new Date(clock.now()).toISOString();
    const state: RunState = record.state ?? {
      value: {},
      visits: {},
      units: [],
      steps: 0,
      tokenUsage: NO_TOKENS,
      costMicros: 0,
      simulated: false,
      activeMs: 0,
      activeSince: null,
      startedAt: at,
      wakeAt: null,
      patchBytes: 0,
      snapshotBytes: 0,
    };
    const commit: RunCommit = {
      executionId: record.id,
      epoch: record.epoch,
      seq: record.seq,
      columns: {
        status: "failed",
        outcome: null,
        currentState: "",
        activeStates: [],
        stateValue: state.value,
        waitingUntil: null,
        checkpoint: null,
        output: null,
        tokenUsage: state.tokenUsage,
        costMicros: state.costMicros,
        steps: state.steps,
        simulated: state.simulated,
        startedAt: record.startedAt ?? at,
        completedAt: at,
        errorInfo: error,
      },
      state: { ...state, units: [], activeSince: null },
      rows: state.units.map((unit) => toCancelled(unit, at)),
      reviews: state.units.flatMap(({ wait }) =>
        wait?.for === "review" || wait?.for === "input"
          ? [{ type: "close", id: wait.reviewId, status: "cancelled", at }]
          : [],
      ),
      events: [
        {
          event: "execution.failed",
          at,
          fields: { outcome: null, error: { code: error.code, nodeId: null, message: error.message } },
        },
        { event: "end", at, fields: {} },
      ],
      outbox: [
        {
          name: "execution.failed",
          custom: false,
          payload: { status: "failed", outcome: null, tokenUsage: { ...state.tokenUsage }, error: error.message },
        },
      ],
      children: [],
      outgoing: toCompletionSignals(record, state, error),
      signals: [],
      wakeAt: null,
    };
    if (await store.commit(commit)) this.#options.onCommit?.(record.id, record.seq + commit.events.length, commit);
  }
}

/** The error of a commit that the store will never accept; undefined when it may accept it later, or when the value cannot be serialised at all. */
function toRefused(cause: unknown): OvenError | undefined {
  if (isOvenError(cause)) return cause.code === "COMMIT_REFUSED" ? cause : undefined;
  if (!(cause instanceof RangeError)) return undefined;
  return new OvenError("COMMIT_REFUSED", `What this step wrote is too large or nested too deeply: ${cause.message}`, {
    fix: "Write less at once, or keep large data as an artefact.",
    cause,
  });
}

/** Signals of the run's end, to its parent and its children. */
function toCompletionSignals({ id, parent, seq }: RunRecord, state: RunState, error: ErrorInfo): OutgoingSignal[] {
  const data = { reason: "its parent run has failed", by: BY_PARENT };
  const children = state.units.flatMap(({ wait }): OutgoingSignal[] =>
    wait?.for === "child"
      ? [{ executionId: wait.executionId, signal: { type: "cancel", data }, dedupeKey: "cancel" }]
      : [],
  );
  if (!parent) return children;
  const { tokenUsage, costMicros, simulated } = state;
  const spent = { tokenUsage, costMicros, simulated };
  const end = { executionId: id, status: "failed" as const, outcome: null, output: null, error, ...spent };
  const signal: OutgoingSignal["signal"] = { type: "child", data: end };
  return [...children, { executionId: parent.executionId, signal, dedupeKey: `child:${id}:${seq}:end` }];
}

function toCancelled(unit: Unit, at: string): RowChange {
  return {
    type: "finish",
    nodeId: unit.nodeId,
    visit: unit.visit,
    item: unit.item,
    attempt: unit.attempt,
    status: "cancelled",
    output: null,
    error: null,
    tokenUsage: null,
    toolCalls: null,
    costMicros: 0,
    durationMs: Math.max(0, Date.parse(at) - unit.startedAt),
    completedAt: at,
  };
}
