import type { Clock, Database } from "@oven/db";
import { WorkLoop } from "@oven/module-registry";
import type { ReplyCodes } from "../decisions/mail/reply-codes.ts";
import type { ReviewPosts } from "../decisions/review-posts.ts";
import type { DeadlineWatch } from "./deadline-watch.ts";
import { claimDigest, claimSingles, nextAttemptAfter } from "./delivery-rows.ts";
import type { Sender } from "./sender.ts";

export interface NotificationHostDeps {
  db: Database;
  clock: Clock;
  sender: Sender;
  deadlines: DeadlineWatch;
  posts: ReviewPosts;
  codes: ReplyCodes;
}

const BATCH = 20;
const DEADLINES_EVERY_MS = 30_000;
const FORGET_EVERY_MS = 3_600_000;

/** Sends what is due and looks at deadlines. Any number of processes may do it at once: each message goes out once. */
export class NotificationHost {
  readonly #deps: NotificationHostDeps;
  readonly #loop: WorkLoop;
  /** Up to which instant all that is due was looked at. */
  #lookedAt = new Date(0);
  #deadlinesAt = 0;
  #forgotAt = 0;

  constructor(deps: NotificationHostDeps) {
    this.#deps = deps;
    const { db } = deps;
    this.#loop = new WorkLoop("sending notifications", () => this.tick(), { db, untilNext: () => this.#untilNext() });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** Looks now instead of at the next sweep. */
  wake(): void {
    this.#loop.wake();
  }

  /** Everything that is due now. Exposed for tests and simulations. */
  async tick(): Promise<void> {
    const { clock, deadlines, posts, codes } = this.#deps;
    const now = await clock();
    this.#lookedAt = now;
    if (now.getTime() - this.#deadlinesAt >= DEADLINES_EVERY_MS) {
      await deadlines.look(now);
      this.#deadlinesAt = now.getTime();
    }
    while (await this.#sendDue());
    await posts.updateDue(now);
    if (now.getTime() - this.#forgotAt < FORGET_EVERY_MS) return;
    this.#forgotAt = now.getTime();
    await deadlines.forgetGone();
    await posts.forgetGone();
    await codes.forgetOld(now);
  }

  async #untilNext(): Promise<number | undefined> {
    const { db, clock, deadlines, posts } = this.#deps;
    const now = await clock();
    const instants = [await nextAttemptAfter(db, this.#lookedAt), await posts.nextUpdateAfter(this.#lookedAt)];
    const waits = instants.flatMap((at) => (at === undefined ? [] : [Math.max(0, at.getTime() - now.getTime())]));
    // How near is near, tenants may change at any time.
    if (await deadlines.hasOpen(now)) waits.push(DEADLINES_EVERY_MS);
    return waits.length === 0 ? undefined : Math.min(...waits);
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
