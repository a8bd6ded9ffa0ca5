/** Commits that are sent and not confirmed, in order. Each builds on the one before it and is written only with it. */
export class PendingCommits {
  readonly #onBroken: () => void;
  #tail: Promise<void> = Promise.resolve();
  /** Results of the pending commits, in order. */
  readonly #waiting: Promise<void>[] = [];
  #outcome: "written" | "lost" | { cause: unknown } = "written";

  /** @param onBroken called when a commit was not written; later ones do not count then */
  constructor(onBroken: () => void) {
    this.#onBroken = onBroken;
  }

  get count(): number {
    return this.#waiting.length;
  }

  get isBroken(): boolean {
    return this.#outcome !== "written";
  }

  /** @param onWritten called in the order of the commits, while all earlier ones were written */
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

  /** Resolves when no commit is pending. */
  settled(): Promise<void> {
    return this.#tail;
  }
}
