import { OvenError } from "@oven/contract";
import type { RunCheckpoint } from "@oven/contract/run";

/** Recordings in memory at once: of a long run one takes tens of megabytes. */
const AT_ONCE = 2;
const MOST_WAITING = 100;
/** Lists of checkpoints cached for the next page, and the longest that is cached. */
const LISTS = 4;
const LONGEST_LIST = 50_000;

/**
 * Lets few recorded runs at a time be gone through, in the order of asking, so that the readers of long runs cost bounded memory.
 * Pages of a list of checkpoints come from one reading.
 */
export class PastReadings {
  readonly #waiting: (() => void)[] = [];
  readonly #lists = new Map<string, Promise<readonly RunCheckpoint[]>>();
  #running = 0;

  /** @throws OvenError TOO_MANY_REQUESTS 429 */
  async take<Result>(read: () => Promise<Result>): Promise<Result> {
    await this.#admit();
    try {
      return await read();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  /** @param key the run and how far its log goes: what is listed by it does not change */
  list(key: string, read: () => Promise<readonly RunCheckpoint[]>): Promise<readonly RunCheckpoint[]> {
    const known = this.#lists.get(key);
    if (known !== undefined) return known;
    const reading = this.take(read);
    if (this.#lists.size >= LISTS) this.#lists.delete(this.#lists.keys().next().value ?? "");
    this.#lists.set(key, reading);
    const forget = () => {
      if (this.#lists.get(key) === reading) this.#lists.delete(key);
    };
    reading.then((list) => {
      if (list.length > LONGEST_LIST) forget();
    }, forget);
    return reading;
  }

  async #admit(): Promise<void> {
    if (this.#running < AT_ONCE) {
      this.#running += 1;
      return;
    }
    if (this.#waiting.length >= MOST_WAITING) {
      throw new OvenError("TOO_MANY_REQUESTS", `${MOST_WAITING} others wait to read the past of a run`, {
        status: 429,
        retryAfterMs: 5_000,
        fix: "Ask again in a few seconds.",
      });
    }
    // A reading that ends hands its place on.
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
