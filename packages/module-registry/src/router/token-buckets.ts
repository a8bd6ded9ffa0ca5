/** Beyond it the oldest buckets are forgotten, which fills them. */
const MOST_BUCKETS = 50_000;

/** A bucket per caller: as many requests at once as it holds, and it fills evenly over a minute. */
export class TokenBuckets {
  readonly #buckets = new Map<string, { tokens: number; at: number }>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Takes one; when there is none, the milliseconds until there is. */
  take(key: string, perMinute: number): number {
    const now = this.#now();
    const known = this.#buckets.get(key);
    const grown = known === undefined ? perMinute : known.tokens + ((now - known.at) * perMinute) / 60_000;
    const tokens = Math.min(perMinute, grown);
    if (known === undefined && this.#buckets.size >= MOST_BUCKETS) {
      this.#buckets.delete(this.#buckets.keys().next().value ?? "");
    }
    if (tokens < 1) {
      this.#buckets.set(key, { tokens, at: now });
      return Math.ceil(((1 - tokens) * 60_000) / perMinute);
    }
    this.#buckets.set(key, { tokens: tokens - 1, at: now });
    return 0;
  }
}
