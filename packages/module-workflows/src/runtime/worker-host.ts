import { randomUUID } from "node:crypto";
import { isTerminal } from "@oven/contract";
import { type Database, outsideTenants } from "@oven/db";
import { type RunCommit, RunEngine, type RunEngineOptions } from "@oven/engine";
import { within } from "@oven/module-registry";
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
  /** What its leases are held under; unlike any other's. */
  name?: string;
  /** What processes on one database tell each other. */
  notices?: RunNotices;
  /** Another process wrote something of a run that is viewed here. */
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
  /** Done once before anything is worked on. */
  warmUp?(): Promise<unknown>;
}

const SWEEP_LIMIT = 100;
const SWEEP_MS = 5_000;
const LEASE_MS = 15_000;
/** A lease has ended for sure. */
const LEASE_MARGIN_MS = 5;

/** Room for a run that is about to be taken, with the lease it is to be taken with. One of the two must follow. */
export interface Reservation {
  lease: Lease;
  /** The run is there: it is worked on. */
  begin(executionId: number): void;
  /** It was not taken. */
  cancel(): void;
}

/**
 * Works on runs in this process: takes wake-ups from the queue, keeps timers to their instant, and sweeps up what lost its
 * wake-up. Wake-ups, timers and sweeps all only say "look at this run".
 */
export class WorkerHost {
  readonly #options: WorkerHostOptions;
  readonly #engine: RunEngine;
  readonly #notices: RunNotices;
  readonly #slots: RunSlots;
  readonly #name: string;
  readonly #working = new Set<number>();
  /** At the stop: runs that go on elsewhere. */
  #interrupted = new Set<number>();
  #stopWork: (() => Promise<void>) | undefined;
  #sweepTimer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> | undefined;
  #sweepAgain = false;
  #cancelTimer: (() => void) | undefined;
  #timerAt = Number.POSITIVE_INFINITY;
  #stopped = true;

  constructor(options: WorkerHostOptions) {
    this.#options = options;
    this.#name = options.name ?? `${process.pid}-${randomUUID().slice(0, 8)}`;
    this.#notices = options.notices ?? NO_NOTICES;
    this.#slots = new RunSlots(options.concurrency ?? 50);
    this.#engine = new RunEngine({
      ...options,
      worker: this.#name,
      leaseMs: options.leaseMs ?? LEASE_MS,
      onCommit: (executionId, _seq, commit) => this.#onCommit(executionId, commit),
      onError: (cause, executionId) => console.error(`execution ${executionId}:`, cause),
    });
  }

  /** A single-process installation voids all leases first: whoever held them is gone, so its runs go on at once. */
  async start(): Promise<void> {
    const { db, store, queue, enabled = true, onWrittenElsewhere } = this.#options;
    await this.#notices.start({
      onSignal: (executionId) => this.#engine.poke(executionId),
      onWritten: (executionId) => onWrittenElsewhere?.(executionId),
    });
    if (!enabled) return queue.start();
    this.#stopped = false;
    // So that the first run does not wait for the connection that commits go over, nor for what else is done for the first time.
    await db.batch([]);
    try {
      await this.#options.warmUp?.();
    } catch (error) {
      console.warn(`the first run will be slower, warming up failed: ${String(error)}`);
    }
    if (db.dialect === "pglite") await store.voidLeases();
    this.#stopWork = await queue.work((executionId, priority) => this.#takeFromQueue(executionId, priority));
    await this.#sweep();
    this.#sweepTimer = setInterval(() => void this.#sweep(), this.#sweepMs);
  }

  /** Takes nothing new, lets calls in flight finish for a while, gives all leases up, and wakes others to go on. */
  async stop(): Promise<void> {
    const { queue, drainMs = 10_000, abandonLeases } = this.#options;
    this.#stopped = true;
    clearInterval(this.#sweepTimer);
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
   * Wakes a run. One that is worked on here hears it at once; with room left it is taken up here, without a way through the
   * queue; else the queue hands it to whichever worker has room. A wake-up that is lost is found by the sweep, so this
   * never fails.
   */
  wake(executionId: number, priority = 0): Promise<void> {
    return outsideTenants(() => this.#wake(executionId, priority));
  }

  /** Room for a run; undefined: there is none here, and whoever is woken for it claims it. */
  reserve(priority = 0): Reservation | undefined {
    if (this.#stopped || !this.#slots.hasRoom) return undefined;
    void this.#slots.enter(priority);
    return {
      lease: { worker: this.#name, milliseconds: this.#options.leaseMs ?? LEASE_MS },
      begin: (executionId) => void outsideTenants(() => this.#begin(executionId)),
      cancel: () => this.#slots.leave(),
    };
  }

  get #sweepMs(): number {
    return this.#options.sweepMs ?? SWEEP_MS;
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
      // Taken and given back: others go on with it now, not when the lease ends.
      const record = await store.claim(executionId, this.#name, LEASE_MS);
      if (record !== undefined) await store.release(executionId, record.epoch);
    } catch (error) {
      console.warn(`execution ${executionId} goes on when its lease ends: ${String(error)}`);
    }
    await this.#enqueue(executionId, 0);
  }

  async #wake(executionId: number, priority: number): Promise<void> {
    if (this.#engine.poke(executionId)) return;
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

  /** What this process has no time for any more goes back, for others to take. */
  async #takeFromQueue(executionId: number, priority: number): Promise<void> {
    if (!(await this.#take(executionId, priority))) await this.#enqueue(executionId, priority);
  }

  /** Resolves once the run has been taken up, so that the queue is not emptied into memory faster than runs are worked on. */
  async #take(executionId: number, priority: number): Promise<boolean> {
    if (this.#engine.poke(executionId)) return true;
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

  /** One sweep at a time: one that waits for room would only be followed by others that do. */
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
    try {
      const now = new Date(clock.now()).toISOString();
      const found = [...(await store.dueRuns(now, SWEEP_LIMIT)), ...(await store.stuckRuns(now, SWEEP_LIMIT))];
      for (const executionId of new Set(found)) await this.#take(executionId, 0);
      this.#arm(await store.nextDue());
      const left = await store.leaseEndsIn(this.#sweepMs);
      // By the database's clock, which is another one than this process's.
      if (left !== null) this.#arm(new Date(clock.now() + left + LEASE_MARGIN_MS).toISOString());
    } catch (error) {
      console.error("sweeping for forgotten runs failed, trying again at the next sweep:", error);
    }
  }

  #onCommit(executionId: number, { wakeAt, children, outgoing, columns }: RunCommit): void {
    if (wakeAt !== null && wakeAt !== undefined) this.#arm(wakeAt);
    if (isTerminal(columns.status)) this.#interrupted.delete(executionId);
    // Not waited for: a commit must not wait for what it set in motion.
    for (const { id } of children) void this.wake(id);
    for (const signal of outgoing) void this.wake(signal.executionId);
  }

  /** One timer for the earliest instant; it fires a sweep. */
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
