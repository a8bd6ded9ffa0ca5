/** How long another process's change may stay unseen. */
const FRESH_MS = 5_000;
const CACHE_SIZE = 10_000;

/** Workflows of one kind that are known to have no candidate, so that the failures of their runs need no delivery. */
export class KnownCanaries {
  readonly #none = new Map<number, number>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** False: it has none, for sure. */
  mayHaveOne(workflowId: number): boolean {
    const until = this.#none.get(workflowId);
    return until === undefined || this.#now() >= until;
  }

  /** It was just read that it has none. */
  noteNone(workflowId: number): void {
    if (this.#none.size >= CACHE_SIZE) this.#none.clear();
    this.#none.set(workflowId, this.#now() + FRESH_MS);
  }

  /** Before and after a change. */
  forget(workflowId: number): void {
    this.#none.delete(workflowId);
  }
}
