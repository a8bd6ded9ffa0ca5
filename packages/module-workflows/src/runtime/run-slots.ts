interface Waiting {
  priority: number;
  admit(entered: boolean): void;
}

/** Room for so many runs at once. Who finds none waits; higher priority goes first, then who came first. */
export class RunSlots {
  readonly #size: number;
  readonly #waiting: Waiting[] = [];
  #taken = 0;
  #closed = false;

  constructor(size: number) {
    this.#size = size;
  }

  get hasRoom(): boolean {
    return !this.#closed && this.#taken < this.#size;
  }

  /** True once there is room; false when it was closed meanwhile. */
  enter(priority: number): Promise<boolean> {
    if (this.#closed) return Promise.resolve(false);
    if (this.#taken < this.#size) {
      this.#taken++;
      return Promise.resolve(true);
    }
    return new Promise((admit) => {
      const after = this.#waiting.findIndex((other) => other.priority < priority);
      this.#waiting.splice(after === -1 ? this.#waiting.length : after, 0, { priority, admit });
    });
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#taken--;
    else next.admit(true);
  }

  /** Lets no further run enter, and turns away those that wait. */
  close(): void {
    this.#closed = true;
    for (const { admit } of this.#waiting.splice(0)) admit(false);
  }
}
