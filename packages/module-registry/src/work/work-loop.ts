import { AsyncLocalStorage } from "node:async_hooks";
import { type Database, outsideTenants } from "@oven/db";
import { NextLook, SWEEP_MS } from "./next-look.ts";

export interface WorkLoopOptions {
  /** Milliseconds until something more becomes due; it is looked at the next sweep at the latest. */
  untilNext?: () => Promise<number | undefined>;
  /** How long a look waits after the first wake, for what comes with it. */
  gatherMs?: number;
  /**
   * Where what it looks for is found, and nowhere else: then it rests while nothing is written there, if no other process can. All that
   * becomes due by time alone must be named by `untilNext`.
   */
  db?: Pick<Database, "writes">;
}

/**
 * Looks for work when it is woken and every few seconds, never twice at once; on a database of this process alone, when something was
 * written or becomes due. Of any number of processes each has its own; who does what, they settle by what they claim in the database.
 */
export class WorkLoop {
  readonly #what: string;
  readonly #look: () => Promise<void>;
  readonly #untilNext: () => Promise<number | undefined>;
  readonly #gatherMs: number;
  readonly #next: NextLook;
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
   */
  constructor(
    what: string,
    look: () => Promise<void>,
    { untilNext = async () => undefined, gatherMs = 0, db }: WorkLoopOptions = {},
  ) {
    this.#what = what;
    this.#look = look;
    this.#untilNext = untilNext;
    this.#gatherMs = gatherMs;
    this.#next = new NextLook(() => this.wake(), { db });
  }

  start(): void {
    this.#stopped = false;
    this.wake();
  }

  /** No look begins any more; waits for the one that is under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#next.cancel();
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
    this.#next.cancel();
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
    this.#next.begin();
    let untilNext: number | undefined;
    try {
      await this.#look();
      untilNext = await this.#untilNext();
    } catch (error) {
      untilNext = SWEEP_MS;
      console.error(`${this.#what} failed, trying again at the next sweep:`, error);
    }
    this.#looking = undefined;
    if (this.#stopped) return;
    if (this.#again) this.#next.after(0);
    else this.#next.end(untilNext);
    this.#again = false;
  }
}
