import type { Clock, Database } from "@oven/db";
import { outsideTenants } from "@oven/db";
import type { DeadlineWatch } from "./deadline-watch.ts";
import { claimDigest, claimSingles } from "./delivery-rows.ts";
import type { Sender } from "./sender.ts";

export interface NotificationHostDeps {
  db: Database;
  clock: Clock;
  sender: Sender;
  deadlines: DeadlineWatch;
}

const BATCH = 20;
/** Longest time without a look, for what other processes wrote. */
const SWEEP_MS = 5_000;
const DEADLINES_EVERY_MS = 30_000;
const FORGET_EVERY_MS = 3_600_000;

/** Sends what is due and looks at deadlines. Any number of processes may do it at once: each message goes out once. */
export class NotificationHost {
  readonly #deps: NotificationHostDeps;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  #stopped = true;
  #deadlinesAt = 0;
  #forgotAt = 0;

  constructor(deps: NotificationHostDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#stopped = false;
    this.wake();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** Looks now instead of at the next sweep. */
  wake(): void {
    if (this.#stopped) return;
    if (this.#running !== undefined) {
      this.#again = true;
      return;
    }
    clearTimeout(this.#timer);
    this.#running = outsideTenants(() => this.#turn()).finally(() => {
      this.#running = undefined;
    });
  }

  /** Everything that is due now. Exposed for tests and simulations. */
  async tick(): Promise<void> {
    const { clock, deadlines } = this.#deps;
    const now = await clock();
    if (now.getTime() - this.#deadlinesAt >= DEADLINES_EVERY_MS) {
      await deadlines.look(now);
      this.#deadlinesAt = now.getTime();
    }
    while (await this.#sendDue());
    if (now.getTime() - this.#forgotAt < FORGET_EVERY_MS) return;
    this.#forgotAt = now.getTime();
    await deadlines.forgetGone();
  }

  async #turn(): Promise<void> {
    try {
      await this.tick();
    } catch (error) {
      console.error("sending notifications failed, trying again at the next sweep:", error);
    }
    if (this.#stopped) return;
    this.#timer = setTimeout(() => this.wake(), this.#again ? 0 : SWEEP_MS);
    this.#again = false;
  }

  /** True when more may be due. */
  async #sendDue(): Promise<boolean> {
    const { db, clock, sender } = this.#deps;
    const now = await clock();
    const singles = await claimSingles(db, now, BATCH);
    await Promise.all(singles.map((id) => sender.work([id], now)));
    const digest = await claimDigest(db, now);
    if (digest.length > 0) await sender.work(digest, now);
    return singles.length > 0 || digest.length > 0;
  }
}
