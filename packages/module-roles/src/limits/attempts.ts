import { OvenError } from "@oven/contract";

export interface AttemptLimit {
  /** What is counted together, such as an account or an address. */
  key: string;
  most: number;
}

const WINDOW_MS = 15 * 60_000;
/** Beyond it the oldest keys are forgotten: memory is bounded, whoever tries. */
const MOST_KEYS = 50_000;

/**
 * Attempts that may be guesses, counted in a window of 15 minutes that slides. In memory: each process counts for itself, and
 * a restart forgets.
 */
export class Attempts {
  readonly #times = new Map<string, number[]>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /**
   * Counts an attempt before it is made, so that a thousand at once do not all slip through. Call what it answers when the
   * attempt turns out right: then it does not count.
   * @throws OvenError TOO_MANY_ATTEMPTS 429 with Retry-After
   */
  begin(limits: readonly AttemptLimit[]): () => void {
    for (const { key, most } of limits) this.#require(key, most);
    const at = this.#now();
    for (const { key } of limits) this.#add(key, at);
    return () => {
      for (const { key } of limits) this.#drop(key, at);
    };
  }

  #require(key: string, most: number): void {
    const times = this.#recent(key);
    const oldest = times[times.length - most];
    if (oldest === undefined) return;
    throw new OvenError("TOO_MANY_ATTEMPTS", "There were too many attempts that failed", {
      status: 429,
      retryAfterMs: oldest + WINDOW_MS - this.#now(),
      fix: "Wait, then try again with the right credentials.",
    });
  }

  #recent(key: string): number[] {
    const since = this.#now() - WINDOW_MS;
    const times = (this.#times.get(key) ?? []).filter((at) => at > since);
    if (times.length === 0) this.#times.delete(key);
    else this.#times.set(key, times);
    return times;
  }

  #add(key: string, at: number): void {
    const times = this.#times.get(key) ?? [];
    this.#times.delete(key);
    if (this.#times.size >= MOST_KEYS) this.#times.delete(this.#times.keys().next().value ?? "");
    // A thousand are more than any limit here.
    this.#times.set(key, [...times.slice(-1_000), at]);
  }

  #drop(key: string, at: number): void {
    const times = this.#times.get(key) ?? [];
    const index = times.indexOf(at);
    if (index >= 0) times.splice(index, 1);
  }
}
