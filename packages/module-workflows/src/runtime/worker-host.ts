import { randomUUID } from "node:crypto";
import { isTerminal } from "@oven/contract/run";
import { type Database, outsideTenants } from "@oven/db";
import { type RunCommit, RunEngine, type RunEngineOptions } from "@oven/engine";
import { NextLook, SWEEP_MS, within } from "@oven/module-registry";
import type { BossQueue } from "./boss-queue.ts";
import type { Lease } from "./insert-execution.ts";
import { NO_NOTICES, type RunNotices } from "./run-notices.ts";
import { RunSlots } from "./run-slots.ts";
import type { SqlStore } from "./sql-store.ts";

export interface WorkerHostOptions
  extends Pick<RunEngineOptions, "nodes" | "catalog" | "definitions" | "clock" | "ids" | "content"> {
  db: Database;
  store: RunEngineOptions["store"] & Pick<SqlStore, "ensureWritten" | "leaseEndsIn">;
  queue: BossQueue;
  /** The name under which its leases are held; unique. */
  name?: string;
  /** Notifications between processes on one database. */
  notices?: RunNotices;
  /** Called when another process has committed for a run that is viewed here. */
  onWrittenElsewhere?(executionId: number): void;
  /** Ends the leases of this worker, for calls that took too long to be waited for at its stop. */
  abandonLeases?(worker: string): Promise<void>;
  /** False: other processes work on runs, this one only wakes them. */
  enabled?: boolean;
  /** How many runs this process works on at once. */
  concurrency?: number;
  /** How long calls in flight may go on at the stop. */
  drainMs?: number;
  leaseMs?: number;
  sweepMs?: number;
  /** Runs once before the first run is claimed. */
  warmUp?(): Promise<unknown>;
}

const SWEEP_LIMIT = 100;
/** When many runs may go on at once. */
const MOST_SWEEPS = 1_000;
const LEASE_MS = 15_000;
/** Milliseconds beyond the end of a lease after which it has certainly ended. */
const LEASE_MARGIN_MS = 5;

/** A slot for a run that is about to be inserted or claimed, with its lease. The caller must call `begin` or `cancel`. */
export interface Reservation {
  lease: Lease;
  /** The run exists: the engine starts. */
  begin(executionId: number): void;
  /** The run was not inserted or claimed. */
  cancel(): void;
}

/**
 * Executes runs in this process: takes wake-ups from the queue, fires timers, and sweeps for runs whose wake-up was lost. Wake-ups, timers
 * and sweeps all mean only "look at this run".
 */
export class WorkerHost {
  readonly #options: WorkerHostOptions;
  readonly #engine: RunEngine;
  readonly #notices: RunNotices;
  readonly #slots: RunSlots;
  readonly #name: string;
  readonly #working = new Set<number>();
  /** Runs that other workers have to continue after this one stops. */
  #interrupted = new Set<number>();
  #stopWork: (() => Promise<void>) | undefined;
  readonly #nextSweep: NextLook;
  #sweeping: Promise<void> | undefined;
  #sweepAgain = false;
  /** How many runs the last sweep found. */
  #found = 0;
  #cancelTimer: (() => void) | undefined;
  #timerAt = Number.POSITIVE_INFINITY;
  #stopped = true;

  constructor(options: WorkerHostOptions) {
    this.#options = options;
    this.#name = options.name ?? `${process.pid}-${randomUUID().slice(0, 8)}`;
    this.#notices = options.notices ?? NO_NOTICES;
    this.#slots = new RunSlots(options.concurrency ?? 50);
    const { db, sweepMs = SWEEP_MS } = options;
    this.#nextSweep = new NextLook(() => void this.#sweep(), { db, sweepMs });
    this.#engine = new RunEngine({
      ...options,
      worker: this.#name,
      leaseMs: options.leaseMs ?? LEASE_MS,
      onCommit: (executionId, _seq, commit) => this.#onCommit(executionId, commit),
      onError: (cause, executionId) => console.error(`execution ${executionId}:`, cause),
    });
  }

  /** A single-process installation first ends all leases: their holders are gone, so the runs continue at once. */
  async start(): Promise<void> {
    const { db, store, queue, enabled = true, onWrittenElsewhere } = this.#options;
    await this.#notices.start({
      onSignal: (executionId) => this.#engine.notify(executionId),
      onHold: (executionId) => this.#engine.hold(executionId),
      onWritten: (executionId) => onWrittenElsewhere?.(executionId),
    });
    if (!enabled) return queue.start();
    this.#stopped = false;
    // Opens the connection for commits and prepares statements, so that the first run does not wait for them.
    await db.batch([]);
    try {
      await this.#options.warmUp?.();
    } catch (error) {
      console.warn(`the first run will be slower, warming up failed: ${String(error)}`);
    }
    if (db.dialect === "pglite") await store.voidLeases();
    this.#stopWork = await queue.work((executionId, priority) => this.#takeFromQueue(executionId, priority));
    await this.#sweep();
  }

  /** Stops claiming, lets in-flight calls finish for a while, gives up all leases, and wakes other workers. */
  async stop(): Promise<void> {
    const { queue, drainMs = 10_000, abandonLeases } = this.#options;
    this.#stopped = true;
    this.#nextSweep.cancel();
    this.#cancelTimer?.();
    this.#interrupted = new Set(this.#working);
    this.#slots.close();
    await this.#stopWork?.();
    await this.#sweeping;
    if (!(await within(this.#engine.stop(), drainMs))) {
      console.warn(`calls in flight did not finish within ${drainMs} ms; their runs go on elsewhere`);
      await abandonLeases?.(this.#name);
    }
    if (this.#options.db.dialect === "postgres") {
      await Promise.all([...this.#interrupted].map((executionId) => this.#enqueue(executionId, 0)));
    }
    await this.#notices.stop();
    await queue.stop();
  }

  /**
   * Wakes a run. A run that is executing here is notified directly; with a free slot it is claimed here, without the queue; otherwise the
   * queue hands it to a worker with a free slot. The sweep finds lost wake-ups, so this never fails.
   */
  wake(executionId: number, priority = 0): Promise<void> {
    return outsideTenants(() => this.#wake(executionId, priority));
  }

  /** Runs begin no new step, here and in other processes. */
  hold(executionIds: readonly number[]): void {
    for (const executionId of executionIds) {
      this.#engine.hold(executionId);
      this.#notices.hold(executionId);
    }
  }

  /** Looks for runs to work on now: some that were held may go on. */
  look(): void {
    void outsideTenants(async () => {
      for (let sweeps = 0; sweeps < MOST_SWEEPS && !this.#stopped; sweeps += 1) {
        await this.#sweep();
        if (this.#found < SWEEP_LIMIT) return;
      }
    });
  }

  /** Reserves a slot; undefined when none is free, and another worker must claim the run. */
  reserve(priority = 0): Reservation | undefined {
    if (this.#stopped || !this.#slots.hasRoom) return undefined;
    void this.#slots.enter(priority);
    return {
      lease: { worker: this.#name, milliseconds: this.#options.leaseMs ?? LEASE_MS },
      begin: (executionId) => void outsideTenants(() => this.#begin(executionId)),
      cancel: () => this.#slots.leave(),
    };
  }

  async #begin(executionId: number): Promise<void> {
    const { store } = this.#options;
    if (!this.#stopped) {
      await this.#advance(executionId);
      return store.ensureWritten(executionId);
    }
    this.#slots.leave();
    try {
      await store.ensureWritten(executionId);
      // The lease is given back, so that others continue now and not when it ends.
      const record = await store.claim(executionId, this.#name, LEASE_MS);
      if (record !== undefined) await store.release(executionId, record.epoch);
    } catch (error) {
      console.warn(`execution ${executionId} goes on when its lease ends: ${String(error)}`);
    }
    await this.#enqueue(executionId, 0);
  }

  async #wake(executionId: number, priority: number): Promise<void> {
    if (this.#engine.notify(executionId)) return;
    if (!this.#stopped && this.#slots.hasRoom) await this.#take(executionId, priority);
    else await this.#enqueue(executionId, priority);
  }

  async #enqueue(executionId: number, priority: number): Promise<void> {
    try {
      await this.#options.queue.enqueue(executionId, { priority });
    } catch (error) {
      console.warn(`waking execution ${executionId} failed, the sweep finds it: ${String(error)}`);
    }
  }

  /** Gives back runs that this process no longer executes, for others to claim. */
  async #takeFromQueue(executionId: number, priority: number): Promise<void> {
    if (!(await this.#take(executionId, priority))) await this.#enqueue(executionId, priority);
  }

  /** Resolves once the run is claimed, so that the queue is not read into memory faster than runs are executed. */
  async #take(executionId: number, priority: number): Promise<boolean> {
    if (this.#engine.notify(executionId)) return true;
    if (this.#stopped || !(await this.#slots.enter(priority))) return false;
    void this.#advance(executionId);
    return true;
  }

  async #advance(executionId: number): Promise<void> {
    this.#working.add(executionId);
    try {
      await this.#engine.advance(executionId);
    } catch (error) {
      // The lease ends, and the sweeper finds the run again.
      console.error(`working on execution ${executionId} failed:`, error);
    } finally {
      this.#working.delete(executionId);
      this.#slots.leave();
    }
  }

  /** One sweep at a time: further ones would wait for a free slot as well. */
  async #sweep(): Promise<void> {
    if (this.#sweeping !== undefined) {
      this.#sweepAgain = true;
      return;
    }
    do {
      this.#sweepAgain = false;
      this.#sweeping = this.#sweepOnce();
      await this.#sweeping;
      this.#sweeping = undefined;
    } while (this.#sweepAgain);
  }

  async #sweepOnce(): Promise<void> {
    if (this.#stopped) return;
    const { store, clock } = this.#options;
    this.#nextSweep.begin();
    let untilNext: number | undefined;
    try {
      const now = new Date(clock.now()).toISOString();
      const found = [...(await store.dueRuns(now, SWEEP_LIMIT)), ...(await store.stuckRuns(now, SWEEP_LIMIT))];
      this.#found = found.length;
      for (const executionId of new Set(found)) await this.#take(executionId, 0);
      this.#arm(await store.nextDue());
      const left = await store.leaseEndsIn(this.#nextSweep.longestMs);
      // By the database's clock, which differs from this process's.
      if (left !== null) this.#arm(new Date(clock.now() + left + LEASE_MARGIN_MS).toISOString());
    } catch (error) {
      console.error("sweeping for forgotten runs failed, trying again at the next sweep:", error);
      untilNext = SWEEP_MS;
    }
    if (!this.#stopped) this.#nextSweep.end(untilNext);
  }

  #onCommit(executionId: number, { wakeAt, children, outgoing, columns }: RunCommit): void {
    if (wakeAt !== null && wakeAt !== undefined) this.#arm(wakeAt);
    if (isTerminal(columns.status)) this.#interrupted.delete(executionId);
    // Not awaited: a commit must not wait for its consequences.
    for (const { id } of children) void this.wake(id);
    for (const signal of outgoing) void this.wake(signal.executionId);
  }

  /** One timer, for the earliest instant; it fires a sweep. */
  #arm(instant: string | null): void {
    if (instant === null || this.#stopped) return;
    const at = Date.parse(instant);
    const { clock } = this.#options;
    if (this.#timerAt <= at && this.#timerAt > clock.now()) return;
    this.#cancelTimer?.();
    this.#timerAt = at;
    this.#cancelTimer = clock.setTimer(at, () => {
      this.#timerAt = Number.POSITIVE_INFINITY;
      void this.#sweep();
    });
  }
}
