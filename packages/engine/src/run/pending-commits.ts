/** Commits on their way to the store, in their order: each builds on the one before it, so that none stands without that one. */
export class PendingCommits {
  readonly #onBroken: () => void;
  #tail: Promise<void> = Promise.resolve();
  /** One for each that is on its way, in their order. */
  readonly #waiting: Promise<void>[] = [];
  #outcome: "written" | "lost" | { cause: unknown } = "written";

  /** @param onBroken one of them was not written: nothing that comes after it counts */
  constructor(onBroken: () => void) {
    this.#onBroken = onBroken;
  }

  get count(): number {
    return this.#waiting.length;
  }

  get isBroken(): boolean {
    return this.#outcome !== "written";
  }

  /** @param onWritten called in the order of the commits, only while all before it were written, too */
  add(writing: Promise<boolean>, onWritten: () => void): void {
    const settled = writing.then(
      (isWritten) => (isWritten ? "written" : "lost"),
      (cause: unknown) => ({ cause }),
    );
    this.#tail = this.#tail.then(async () => {
      const outcome = await settled;
      this.#waiting.shift();
      if (this.isBroken) return;
      if (outcome === "written") {
        onWritten();
        return;
      }
      this.#outcome = outcome;
      this.#onBroken();
    });
    this.#waiting.push(this.#tail);
  }

  /** Resolves when fewer than this are on their way. */
  async roomFor(limit: number): Promise<void> {
    while (this.#waiting.length >= limit) await this.#waiting[0];
  }

  /** Resolves when all are written; false when another worker has the run. @throws what the store threw of one of them */
  async written(): Promise<boolean> {
    await this.#tail;
    if (typeof this.#outcome === "object") throw this.#outcome.cause;
    return this.#outcome === "written";
  }

  /** Resolves when nothing is on its way any more. */
  settled(): Promise<void> {
    return this.#tail;
  }
}
