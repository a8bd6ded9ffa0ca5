/**
 * How old numbers may become before they are used: runs are told apart by theirs as if by age, and two processes may each have
 * taken some. Nobody who waits for one run before the next is as fast as this.
 */
const FRESH_MS = 50;
const MOST = 32;

/**
 * The numbers of runs that begin here, in rising order, taken several at once while many begin. What is not used soon is dropped:
 * there are gaps anyway.
 */
export class RunNumbers {
  readonly #fetch: (count: number) => Promise<number[]>;
  readonly #now: () => number;
  #left: number[] = [];
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #size = 1;
  /** One after the other, so that they rise. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(fetch: (count: number) => Promise<number[]>, now: () => number = performance.now.bind(performance)) {
    this.#fetch = fetch;
    this.#now = now;
  }

  take(count: number): Promise<number[]> {
    const taking = this.#last.then(() => this.#take(count));
    this.#last = taking.catch(() => undefined);
    return taking;
  }

  async #take(count: number): Promise<number[]> {
    const now = this.#now();
    const isFresh = now - this.#fetchedAt < FRESH_MS;
    if (!isFresh) this.#left = [];
    if (this.#left.length < count) {
      this.#size = isFresh ? Math.min(this.#size * 2, MOST) : 1;
      const fetched = await this.#fetch(count - this.#left.length + this.#size - 1);
      this.#left.push(...fetched);
      this.#fetchedAt = now;
    }
    return this.#left.splice(0, count);
  }
}
