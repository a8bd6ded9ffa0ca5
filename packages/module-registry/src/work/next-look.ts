import { AsyncLocalStorage } from "node:async_hooks";
import type { Database } from "@oven/db";

/** Longest time without a look while other processes may write. */
export const SWEEP_MS = 5_000;
/** The same where no other process can write, none of ours has, and nothing is due: for what was not thought of. */
const REST_MS = 60_000;
/** After a rest, a write is followed by a look within this time: it comes in groups, and its writer mostly wakes who must know. */
const AFTER_WRITE_MS = 1_000;

export interface NextLookOptions {
  /** Absent: the look is about more than this database, and comes at each sweep. */
  db?: Pick<Database, "writes"> | undefined;
  /** Milliseconds between looks while something happens. */
  sweepMs?: number;
  /** The process may end while it waits. */
  unref?: boolean;
}

/**
 * When a periodic look has to come again. On a database that other processes write to: after each sweep interval. On one that only this
 * process writes to, a look that found nothing finds nothing before something is written or becomes due, so it rests until then.
 */
export class NextLook {
  readonly #look: () => void;
  readonly #writes: Database["writes"];
  readonly #sweepMs: number;
  readonly #unref: boolean;
  /** Timers are set by what writes, and a look must not join its transaction. */
  readonly #inOwnContext = AsyncLocalStorage.snapshot();
  #timer: NodeJS.Timeout | undefined;
  #forgetWrite: (() => void) | undefined;
  #seen = 0;

  /**
   * @param look starts a look; it must lead to `begin` and `end` again
   */
  constructor(look: () => void, { db, sweepMs = SWEEP_MS, unref = false }: NextLookOptions = {}) {
    this.#look = look;
    this.#writes = db?.writes;
    this.#sweepMs = sweepMs;
    this.#unref = unref;
  }

  /** In milliseconds: what becomes due within this time must be named to `end`. */
  get longestMs(): number {
    return this.#writes === undefined ? this.#sweepMs : Math.max(this.#sweepMs, REST_MS);
  }

  /** A look begins: it may miss what is written from now on. */
  begin(): void {
    this.cancel();
    this.#seen = this.#writes?.count ?? 0;
  }

  /**
   * A look has ended: sets the time of the next one.
   * @param untilNext milliseconds until something becomes due; undefined: nothing does by time alone
   */
  end(untilNext = Number.POSITIVE_INFINITY): void {
    this.cancel();
    const writes = this.#writes;
    if (writes === undefined || writes.count !== this.#seen) {
      this.after(Math.min(this.#sweepMs, untilNext));
      return;
    }
    const dueAt = performance.now() + Math.min(this.longestMs, untilNext);
    const sweepAt = performance.now() + this.#sweepMs;
    const afterWriteMs = Math.min(AFTER_WRITE_MS, this.#sweepMs);
    this.after(dueAt - performance.now());
    this.#forgetWrite = writes.next(() => {
      const now = performance.now();
      this.after(Math.max(0, Math.min(dueAt, Math.max(sweepAt, now + afterWriteMs)) - now));
    });
  }

  /** Looks after these milliseconds, whatever was set before. */
  after(milliseconds: number): void {
    this.cancel();
    this.#timer = setTimeout(() => this.#inOwnContext(this.#look), milliseconds);
    if (this.#unref) this.#timer.unref();
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#forgetWrite?.();
    this.#forgetWrite = undefined;
  }
}
