import { AsyncLocalStorage } from "node:async_hooks";
import { outsideTenants } from "@oven/db";

/** Longest time without a look, for what other processes wrote. */
const SWEEP_MS = 5_000;

/**
 * Looks for work when it is woken and every few seconds, never twice at once. Of any number of processes each has its own; who
 * does what, they settle by what they claim in the database.
 */
export class WorkLoop {
  readonly #what: string;
  readonly #look: () => Promise<void>;
  readonly #untilNext: () => Promise<number | undefined>;
  readonly #gatherMs: number;
  /** The context in which the loop was made: a look must not join the transaction of the request that woke it. */
  readonly #inOwnContext = AsyncLocalStorage.snapshot();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #again = false;
  #isGathering = false;
  #stopped = true;

  /**
   * @param what for the log, such as "sending notifications"
   * @param look does all that is due, for all tenants
   * @param untilNext milliseconds until something more will be due; it is looked at the next sweep at the latest
   * @param gatherMs how long a look waits after the first wake, for what comes with it
   */
  constructor(
    what: string,
    look: () => Promise<void>,
    untilNext = async (): Promise<number | undefined> => undefined,
    gatherMs = 0,
  ) {
    this.#what = what;
    this.#look = look;
    this.#untilNext = untilNext;
    this.#gatherMs = gatherMs;
  }

  start(): void {
    this.#stopped = false;
    this.wake();
  }

  /** No look begins any more; waits for the one that is under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#isGathering = false;
    await this.#looking;
  }

  /** Looks now instead of at the next sweep; once more when a look is under way. */
  wake(): void {
    if (this.#stopped || this.#isGathering) return;
    if (this.#looking !== undefined) {
      this.#again = true;
      return;
    }
    clearTimeout(this.#timer);
    if (this.#gatherMs === 0) {
      this.#begin();
      return;
    }
    this.#isGathering = true;
    this.#timer = setTimeout(() => this.#begin(), this.#gatherMs);
  }

  #begin(): void {
    this.#isGathering = false;
    this.#looking = this.#inOwnContext(() => outsideTenants(() => this.#turn()));
  }

  async #turn(): Promise<void> {
    let wait = SWEEP_MS;
    try {
      await this.#look();
      wait = Math.min(SWEEP_MS, (await this.#untilNext()) ?? SWEEP_MS);
    } catch (error) {
      console.error(`${this.#what} failed, trying again at the next sweep:`, error);
    }
    this.#looking = undefined;
    if (this.#stopped) return;
    this.#timer = setTimeout(() => this.wake(), this.#again ? 0 : wait);
    this.#again = false;
  }
}
