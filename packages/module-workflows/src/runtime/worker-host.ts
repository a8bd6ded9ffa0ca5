import { randomUUID } from "node:crypto";
import type { Database } from "@oven/db";
import { type RunCommit, RunEngine, type RunEngineOptions } from "@oven/engine";
import type { BossQueue } from "./boss-queue.ts";

export interface WorkerHostOptions
  extends Pick<RunEngineOptions, "store" | "nodes" | "catalog" | "definitions" | "clock" | "ids"> {
  db: Database;
  queue: BossQueue;
  /** How many runs this process works on at once. */
  concurrency?: number;
  leaseMs?: number;
  sweepMs?: number;
}

const SWEEP_LIMIT = 100;

/**
 * Works on runs in this process: takes wake-ups from the queue, keeps timers to their instant, and sweeps up what lost its
 * wake-up. Wake-ups, timers and sweeps all only say "look at this run".
 */
export class WorkerHost {
  readonly #options: WorkerHostOptions;
  readonly #engine: RunEngine;
  readonly #concurrency: number;
  readonly #waiting: (() => void)[] = [];
  #active = 0;
  #stopWork: (() => Promise<void>) | undefined;
  #sweepTimer: NodeJS.Timeout | undefined;
  #cancelTimer: (() => void) | undefined;
  #timerAt = Number.POSITIVE_INFINITY;
  #stopped = true;

  constructor(options: WorkerHostOptions) {
    this.#options = options;
    this.#concurrency = options.concurrency ?? 50;
    this.#engine = new RunEngine({
      ...options,
      worker: `${process.pid}-${randomUUID().slice(0, 8)}`,
      leaseMs: options.leaseMs ?? 15_000,
      onCommit: (_executionId, _seq, commit) => this.#noteWakeAt(commit),
      onError: (cause, executionId) => console.error(`execution ${executionId}:`, cause),
    });
  }

  /** A single-process installation voids all leases first: whoever held them is gone, so its runs go on at once. */
  async start(): Promise<void> {
    const { db, store, queue, sweepMs } = this.#options;
    this.#stopped = false;
    if (db.dialect === "pglite") await store.voidLeases();
    this.#stopWork = await queue.work((executionId) => this.#take(executionId));
    await this.#sweep();
    this.#sweepTimer = setInterval(() => void this.#sweep(), sweepMs ?? 5_000);
  }

  /** Lets calls in flight finish, starts no more, and gives all leases up. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#sweepTimer);
    this.#cancelTimer?.();
    await this.#stopWork?.();
    await this.#engine.stop();
    await this.#options.queue.stop();
  }

  /**
   * Wakes a run. One that is worked on here hears it at once; with room left it is taken up here, without a way through the
   * queue; else the queue hands it to whichever worker has room. A wake-up that a crash loses is found by the sweep.
   */
  async wake(executionId: number): Promise<void> {
    if (this.#engine.poke(executionId)) return;
    if (!this.#stopped && this.#active < this.#concurrency) await this.#take(executionId);
    else await this.#options.queue.enqueue(executionId);
  }

  /** Resolves once the run has been taken up, so that the queue is not emptied into memory faster than runs are worked on. */
  async #take(executionId: number): Promise<void> {
    if (this.#stopped || this.#engine.poke(executionId)) return;
    while (this.#active >= this.#concurrency) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#active++;
    void this.#advance(executionId);
  }

  async #advance(executionId: number): Promise<void> {
    try {
      await this.#engine.advance(executionId);
    } catch (error) {
      // The lease ends, and the sweeper finds the run again.
      console.error(`working on execution ${executionId} failed:`, error);
    } finally {
      this.#active--;
      this.#waiting.shift()?.();
    }
  }

  async #sweep(): Promise<void> {
    if (this.#stopped) return;
    const { store, clock } = this.#options;
    try {
      const now = new Date(clock.now()).toISOString();
      const found = [...(await store.dueRuns(now, SWEEP_LIMIT)), ...(await store.stuckRuns(now, SWEEP_LIMIT))];
      for (const executionId of new Set(found)) await this.#take(executionId);
      this.#arm(await store.nextDue());
    } catch (error) {
      console.error("sweeping for forgotten runs failed, trying again at the next sweep:", error);
    }
  }

  #noteWakeAt({ wakeAt }: RunCommit): void {
    if (wakeAt !== null && wakeAt !== undefined) this.#arm(wakeAt);
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
