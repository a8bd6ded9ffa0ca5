/**
 * What this process writes to a database that no other process can write to. Periodic looks for work rest as long as nothing is written
 * and nothing becomes due.
 */
export interface OwnWrites {
  /** How many statements have changed rows so far; those of a transaction count when they run, before it commits. */
  readonly count: number;
  /**
   * Calls `listener` once, at the next statement that changes rows. What it changed may not be committed yet.
   * @returns a function that takes the listener back
   */
  next(listener: () => void): () => void;
}

/** The writing side: the driver calls `note` for each statement that changed rows. */
export class NotedWrites implements OwnWrites {
  #count = 0;
  #listeners = new Set<() => void>();

  get count(): number {
    return this.#count;
  }

  next(listener: () => void): () => void {
    // Its own function: the same listener may wait twice.
    const own = () => listener();
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  note(): void {
    this.#count += 1;
    if (this.#listeners.size === 0) return;
    const listeners = this.#listeners;
    this.#listeners = new Set();
    for (const listener of listeners) listener();
  }
}
