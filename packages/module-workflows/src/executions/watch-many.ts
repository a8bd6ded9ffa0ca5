import type { RunSubscription, RunWatch } from "./run-watch.ts";

/** One onlooker of several runs, which may become more or fewer. */
export class ManyRunsSubscription {
  readonly #watch: RunWatch;
  readonly #subscriptions = new Map<number, RunSubscription>();
  readonly #also: readonly RunSubscription[];

  /** @param also a further subscription that wakes the watcher; its owner closes it */
  constructor(watch: RunWatch, runs: readonly number[], also: RunSubscription | undefined) {
    this.#watch = watch;
    this.#also = also === undefined ? [] : [also];
    this.follow(runs);
  }

  /** From now on these runs are looked at. */
  follow(runs: readonly number[]): void {
    for (const id of runs) if (!this.#subscriptions.has(id)) this.#subscriptions.set(id, this.#watch.subscribe(id));
    for (const [id, subscription] of this.#subscriptions) {
      if (runs.includes(id)) continue;
      subscription.close();
      this.#subscriptions.delete(id);
    }
  }

  /** Resolves at the next notice of any of them, after `milliseconds`, or when `signal` fires. */
  async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    const first = new AbortController();
    const either = AbortSignal.any([signal, first.signal]);
    const waits = [...this.#subscriptions.values(), ...this.#also].map((subscription) =>
      subscription.wait(milliseconds, either),
    );
    await Promise.race(waits);
    first.abort();
    await Promise.all(waits);
  }

  close(): void {
    for (const subscription of this.#subscriptions.values()) subscription.close();
    this.#subscriptions.clear();
  }
}
