import { type JsonObject, OvenError } from "@oven/contract";
import type { CompiledMachine } from "../compile/machine.ts";
import { fromSnapshot } from "../plan/context.ts";
import { countLost } from "../plan/on-clock.ts";
import { plan, planStart } from "../plan/plan.ts";
import type { Plan, PlanEnvironment, PlanEvent, RunFacts, RunSnapshot } from "../plan/plan-types.ts";
import { signalEvent } from "../plan/replay.ts";
import type { Unit } from "../plan/run-state.ts";
import { planSeeded } from "../plan/seed.ts";
import type { LoadedDefinition } from "../ports.ts";
import type { ClaimedRun, LoadedRun, NewChild, RunCommit, RunRecord, RunSignal } from "../store.ts";
import { toKey } from "./call-results.ts";
import { EventBuffer } from "./event-buffer.ts";
import { startHeartbeat } from "./heartbeat.ts";
import { InFlightCalls } from "./in-flight-calls.ts";
import { PendingCommits } from "./pending-commits.ts";
import type { RunBases } from "./run-base.ts";
import type { RunEngineOptions } from "./run-engine.ts";
import { nextWake, toCommit } from "./to-commit.ts";
import { UnitMemory } from "./unit-memory.ts";

/** Commits on their way at once. More would delay other runs and use more memory. */
const MAX_AHEAD = 32;

/**
 * Drives one run while its lease is held: starts planned calls, turns each outcome into one fenced commit, and releases the run when nothing
 * is left to do here. There is one loop per run, so its steps never overlap.
 */
export class RunDriver {
  readonly #options: RunEngineOptions;
  readonly #record: RunRecord;
  readonly #compiled: CompiledMachine;
  readonly #config: JsonObject | undefined;
  readonly #bases: RunBases;
  #facts: RunFacts;
  readonly #memory = new UnitMemory();
  readonly #buffer: EventBuffer;
  readonly #calls: InFlightCalls;
  readonly #inbox: PlanEvent[] = [];
  #snapshot: RunSnapshot | undefined;
  /** Sequence number and state of the run as the store has confirmed them; pending commits go beyond. */
  #written: Pick<RunRecord, "seq" | "state">;
  readonly #pending = new PendingCommits(() => this.#wakeLoop());
  #seq: number;
  #ended = false;
  #lost = false;
  #stopping = false;
  #signalled: boolean;
  #wasNotified = false;
  /** Data that the store has read together with the claim. */
  #found: LoadedRun | undefined;
  /** Signals of the claim: read together with it, or requested while the run is loaded. */
  #asked: Promise<RunSignal[]> | undefined;
  #flushDue = false;
  #wake: (() => void) | undefined;

  constructor(
    options: RunEngineOptions,
    { found, ...record }: ClaimedRun,
    definition: LoadedDefinition,
    bases: RunBases,
  ) {
    this.#options = options;
    this.#record = record;
    this.#found = found?.run;
    this.#compiled = definition.compiled;
    this.#config = definition.config;
    this.#bases = bases;
    this.#facts = { id: record.id, kind: record.kind, workflowId: record.workflowId, input: record.input };
    this.#seq = record.seq;
    this.#written = { seq: record.seq, state: record.state };
    const signals = found?.signals ?? [];
    this.#signalled = record.signalled || signals.length > 0;
    if (signals.length > 0) this.#asked = Promise.resolve(signals);
    this.#buffer = new EventBuffer(options.clock, () => {
      this.#flushDue = true;
      this.#wakeLoop();
    });
    const { compiled, workflowName } = definition;
    const calling = { options, record, compiled, workflowName, memory: this.#memory, buffer: this.#buffer };
    this.#calls = new InFlightCalls(calling, (event) => {
      this.#inbox.push(event);
      this.#wakeLoop();
    });
  }

  /** The run after its last commit, which the commit that ends it builds on. */
  get committed(): RunRecord {
    return { ...this.#record, ...this.#written };
  }

  /** Whether there was a notification that was not handled: a signal, or a claim of the run for this worker. The run must be claimed again. */
  get hasSignal(): boolean {
    if (this.#stopping || this.#ended) return false;
    return this.#lost ? this.#wasNotified : this.#signalled;
  }

  /** Notifies the driver that the signal table may have a new row. */
  notify(): void {
    this.#wasNotified = true;
    this.#signal();
    this.#wakeLoop();
  }

  #signal(): void {
    this.#signalled = true;
    // Signals that were requested before the notification may lack it.
    this.#asked = undefined;
  }

  /** Finishes in-flight calls, starts no more and gives up the lease. */
  stop(): void {
    this.#stopping = true;
    this.#wakeLoop();
  }

  /** Resolves when the run has ended, waits, or belongs to another worker. @throws what the store threw */
  async drive(): Promise<void> {
    const stopHeartbeat = startHeartbeat(this.#options, this.#record, ({ held, signals, stops }) => {
      if (!held) this.#lost = true;
      if (stops) this.stop();
      if (signals) this.#signal();
      if (this.#lost || this.#signalled) this.#wakeLoop();
    });
    try {
      await this.#begin();
      while (!this.#ended && !this.#lost) {
        if (this.#pending.isBroken) await this.#confirm();
        else if (this.#signalled && !this.#stopping) await this.#takeSignals();
        else if (this.#inbox.length > 0) await this.#handleNext();
        else if (this.#isClockDue()) await this.#move({ type: "clock" }, []);
        else if (this.#flushDue) await this.#flush();
        else if (!(await this.#startPlanned()) && (await this.#rest())) return;
      }
    } finally {
      stopHeartbeat();
      this.#calls.keepOnly([]);
      this.#buffer.drain();
      await this.#pending.settled();
    }
  }

  async #begin(): Promise<void> {
    const { state, seed } = this.#record;
    if (state === null && seed !== null) {
      const { facts } = await this.#bases.of(this.#record);
      this.#facts = this.#withConfig(facts);
      const begin = { state: seed.state, context: fromSnapshot(seed.context) };
      await this.#commit(planSeeded(this.#compiled, this.#facts, begin, await this.#environment(0)), []);
      return;
    }
    if (state === null) {
      const { facts, context } = await this.#bases.of(this.#record);
      this.#facts = this.#withConfig(facts);
      await this.#commit(planStart(this.#compiled, this.#facts, context, await this.#environment(0)), []);
      return;
    }
    if (this.#signalled && !this.#stopping) this.#asked ??= this.#askForSignals();
    const { facts, context, rows } = await this.#bases.claimed(this.#record, this.#found);
    this.#found = undefined;
    this.#facts = facts;
    this.#snapshot = { state, context };
    this.#memory.load(rows);
    if (this.#record.takenOver) await this.#move({ type: "takeover" }, [], countLost(state.units));
    else if (state.units.some(({ status }) => status === "planned" || status === "running"))
      await this.#move({ type: "resumed" }, []);
  }

  #withConfig(facts: RunFacts): RunFacts {
    return this.#config ? { ...facts, config: this.#config } : facts;
  }

  get #units(): readonly Unit[] {
    return this.#snapshot?.state.units ?? [];
  }

  async #environment(reviews: number): Promise<PlanEnvironment> {
    const reviewIds: number[] = [];
    for (let i = 0; i < reviews; i += 1) reviewIds.push(await this.#options.ids.review());
    return { now: this.#options.clock.now(), reviewIds };
  }

  async #move(event: PlanEvent, signals: number[], reviews = 0): Promise<void> {
    if (!this.#snapshot) return;
    const planned = plan(this.#compiled, this.#facts, this.#snapshot, event, await this.#environment(reviews));
    if (planned.changed || signals.length > 0) await this.#commit(planned, signals);
  }

  async #commit(planned: Plan, signals: number[]): Promise<void> {
    const { store, clock } = this.#options;
    const rows = this.#memory.note(planned.rows);
    const children = await this.#toChildren(planned);
    const position = { executionId: this.#record.id, epoch: this.#record.epoch, seq: this.#seq };
    this.#flushDue = false;
    const earlier = this.#buffer.drain();
    const { parent } = this.#record;
    if (this.#facts.options?.dryRun) planned.outbox.length = 0;
    const commit = toCommit(position, planned, rows, earlier, signals, children, parent, this.#compiled, clock.now());
    const isAhead = mayRunAhead(planned, commit);
    const seq = this.#seq + commit.events.length;
    const { state } = commit;
    this.#pending.add(store.commit(commit), () => {
      this.#written = { seq, state };
      if (!isAhead) this.#advance(planned, commit, seq);
      this.#options.onCommit?.(this.#record.id, seq, commit);
    });
    if (isAhead) this.#advance(planned, commit, seq);
    if (isAhead) await this.#pending.roomFor(MAX_AHEAD);
    else await this.#confirm();
  }

  /** Whether all commits are written. @throws what the store threw */
  async #confirm(): Promise<boolean> {
    if (!(await this.#pending.written())) this.#lost = true;
    return !this.#lost;
  }

  /** Moves the run to its state after a commit. */
  #advance(planned: Plan, { state }: RunCommit, seq: number): void {
    this.#seq = seq;
    this.#snapshot = { context: planned.snapshot.context, state };
    this.#ended = planned.end !== null;
    // The store has sent the run the result of its review's deadline.
    if (planned.reviews.some(({ type }) => type === "due")) this.#signal();
    this.#calls.keepOnly(this.#ended ? [] : this.#units);
  }

  /** Gives planned children their ids and definitions. */
  async #toChildren({ children }: Plan): Promise<NewChild[]> {
    if (children.length === 0) return [];
    const ids = await this.#options.ids.executions(children.length);
    return children.map(({ unit, event, depth, options, request }, index): NewChild => {
      const { nodeId, visit, item } = unit;
      const asked = request ?? (item === null ? undefined : this.#memory.request(unit, item)?.child);
      const id = ids[index];
      if (!asked || id === undefined || unit.wait?.for !== "child")
        throw new OvenError("ITEM_LOST", `The request of item ${item} of ${nodeId} is not stored`, { status: 500 });
      unit.wait.executionId = id;
      event.fields.childId = id;
      const pins = asked.part === null ? undefined : this.#facts.options?.pins;
      const own = pins ? { ...options, pins } : options;
      return { id, nodeId, visit, item, depth, options: own, request: asked };
    });
  }

  async #flush(): Promise<void> {
    this.#flushDue = false;
    const drafts = this.#buffer.drain();
    if (drafts.length === 0 || !(await this.#confirm())) return;
    if (!(await this.#options.store.appendEvents(this.#record.id, this.#record.epoch, this.#seq, drafts))) {
      this.#lost = true;
      return;
    }
    this.#seq += drafts.length;
    this.#written = { ...this.#written, seq: this.#seq };
    this.#options.onEvents?.(this.#record.id, this.#seq);
  }

  async #takeSignals(): Promise<void> {
    this.#signalled = false;
    if (!(await this.#confirm())) return;
    const signals = await (this.#asked ?? this.#askForSignals());
    this.#asked = undefined;
    for (const signal of signals) {
      if (this.#ended || this.#lost) return;
      await this.#move(signalEvent(signal), [signal.id]);
    }
  }

  #askForSignals(): Promise<RunSignal[]> {
    const asked = this.#options.store.signals(this.#record.id);
    // `#takeSignals` awaits this promise and gets its error. Until then the rejection must not count as unhandled.
    asked.catch(() => undefined);
    return asked;
  }

  async #handleNext(): Promise<void> {
    const event = this.#inbox.shift();
    if (!event) return;
    const asks =
      event.type === "wait"
        ? event.wait.for === "review" || event.wait.for === "input"
        : event.type === "failed" && event.failure.uncertain === true;
    await this.#move(event, [], asks ? 1 : 0);
  }

  #isClockDue(): boolean {
    const at = this.#nextWake();
    return at !== null && at <= this.#options.clock.now();
  }

  #nextWake(): number | null {
    return this.#snapshot ? nextWake(this.#snapshot.state, this.#compiled, this.#options.clock.now()) : null;
  }

  /** Starts the calls that are planned. @returns false when there was nothing to start */
  async #startPlanned(): Promise<boolean> {
    if (this.#stopping) return false;
    const planned = this.#units.filter(
      (unit) => (unit.status === "planned" || unit.status === "running") && !this.#calls.has(unit),
    );
    for (const unit of planned) {
      // A call with an effect outside waits until the commits that led to it are written.
      if (!this.#isLocal(unit) && !(await this.#confirm())) return true;
      if (unit.effect === "at-most-once" && unit.status === "planned") {
        // The start is committed by itself: after a crash it says whether the call may have been made.
        await this.#move({ type: "starting", unit: toKey(unit) }, []);
        return true;
      }
      if (this.#snapshot !== undefined) this.#calls.start(unit, this.#facts, this.#snapshot);
    }
    return planned.length > 0;
  }

  /** Whether the call has no effect outside. */
  #isLocal({ src, version, effect }: Unit): boolean {
    return effect === "pure" && this.#options.catalog.get(src, version)?.isLocal === true;
  }

  /** Waits for the next outcome or notification; releases the run when this worker has nothing left to do for it. */
  async #rest(): Promise<boolean> {
    // A call may have ended during the search for calls to start.
    if (this.#inbox.length > 0) return false;
    if (this.#calls.size === 0) {
      if (await this.#confirm()) await this.#flush();
      if (this.#lost || (await this.#options.store.release(this.#record.id, this.#record.epoch))) return true;
      this.#signal();
      if (this.#stopping) await this.#takeSignals();
      return false;
    }
    const at = this.#nextWake();
    await new Promise<void>((resolve) => {
      const cancel = at === null ? undefined : this.#options.clock.setTimer(at, () => this.#wakeLoop());
      this.#wake = () => {
        cancel?.();
        this.#wake = undefined;
        resolve();
      };
      if (
        this.#inbox.length > 0 ||
        this.#flushDue ||
        this.#lost ||
        this.#pending.isBroken ||
        (this.#signalled && !this.#stopping)
      )
        this.#wakeLoop();
    });
    return false;
  }

  #wakeLoop(): void {
    this.#wake?.();
  }
}

/**
 * Whether the run may continue before this commit is written. Commits that others see, or that end or pause the run, must be written first;
 * those of pure steps need not.
 */
function mayRunAhead({ end, reviews }: Plan, { children, outgoing, columns }: RunCommit): boolean {
  const said = reviews.length + children.length + outgoing.length;
  return end === null && said === 0 && columns.status === "running";
}
