import { BatchError, type Database, type PreparedCall } from "@oven/db";

interface Entry {
  call: PreparedCall;
  resolve(applied: boolean): void;
  reject(error: unknown): void;
}

/** More would make one run wait for too many others. */
const MAX_GROUP = 64;

/**
 * Sends the commits of many runs together: those that become ready while the last group is on its way go as one transaction.
 * A single one goes at once. One that fails is taken out by its index, and the others are sent again without it.
 */
export class CommitGroup {
  readonly #db: Database;
  #waiting: Entry[] = [];
  #sending = false;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Whether the fence held. @throws what the database said of this very commit */
  submit(call: PreparedCall): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ call, resolve, reject });
      if (this.#sending) return;
      this.#sending = true;
      setImmediate(() => void this.#sendAll());
    });
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) await this.#send(this.#waiting.splice(0, MAX_GROUP));
    this.#sending = false;
  }

  async #send(group: readonly Entry[]): Promise<void> {
    try {
      const applied = await this.#db.batch(group.map(({ call }) => call));
      for (const [index, entry] of group.entries()) entry.resolve(applied[index] === true);
    } catch (error) {
      if (!(error instanceof BatchError)) {
        for (const entry of group) entry.reject(error);
        return;
      }
      group[error.index]?.reject(error.cause);
      const others = group.filter((_, index) => index !== error.index);
      if (others.length > 0) await this.#send(others);
    }
  }
}
