import { BatchError, type Database, type PreparedCall } from "@oven/db";

/** One statement to come. */
export interface Write {
  /** Made when it is sent. */
  toCall(): PreparedCall;
  /** Of which run; undefined: of none that others are written for. */
  executionId?: number;
  /** This one and the one before it, of the same run, as one; undefined: they stay two. */
  joined?(earlier: Write): Write | undefined;
}

interface Waiting {
  write: Write;
  resolve(applied: boolean): void;
  reject(error: unknown): void;
}

/** What goes as one statement, and whom that answers. */
interface Entry {
  write: Write;
  of: Waiting[];
}

/** More would make one run wait for too many others. */
const MAX_GROUP = 64;
/** Steps of one run in one statement: each number of them is another statement to prepare. */
const MAX_JOINED = 4;

/**
 * Sends the commits of many runs together: those that become ready while the last group is on its way go as one transaction, and
 * steps of one run that follow each other as one statement. A single one goes at once. One that fails is taken out by its index,
 * and the others are sent again without it.
 */
export class CommitGroup {
  readonly #db: Database;
  #waiting: Entry[] = [];
  /** Of each run the last that waits. */
  #last = new Map<number, Entry>();
  #sending = false;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Whether the fence held. @throws what the database said of this very commit */
  submit(write: Write): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#add({ write, resolve, reject });
      if (this.#sending) return;
      this.#sending = true;
      setImmediate(() => void this.#sendAll());
    });
  }

  #add(waiting: Waiting): void {
    const { write } = waiting;
    const last = write.executionId === undefined ? undefined : this.#last.get(write.executionId);
    const joined = last !== undefined && last.of.length < MAX_JOINED ? write.joined?.(last.write) : undefined;
    if (last !== undefined && joined !== undefined) {
      last.write = joined;
      last.of.push(waiting);
      return;
    }
    const entry = { write, of: [waiting] };
    this.#waiting.push(entry);
    if (write.executionId !== undefined) this.#last.set(write.executionId, entry);
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, MAX_GROUP);
      for (const entry of group) this.#forget(entry);
      await this.#send(group);
    }
    this.#sending = false;
  }

  /** What is on its way takes nothing up any more. */
  #forget(entry: Entry): void {
    const { executionId } = entry.write;
    if (executionId !== undefined && this.#last.get(executionId) === entry) this.#last.delete(executionId);
  }

  async #send(group: readonly Entry[]): Promise<void> {
    const calls: PreparedCall[] = [];
    for (const [index, { write }] of group.entries()) {
      try {
        calls.push(write.toCall());
      } catch (error) {
        return this.#sendWithout(group, index, error);
      }
    }
    try {
      const applied = await this.#db.batch(calls);
      for (const [index, { of }] of group.entries()) for (const each of of) each.resolve(applied[index] === true);
    } catch (error) {
      if (error instanceof BatchError) return this.#sendWithout(group, error.index, error.cause);
      for (const { of } of group) for (const each of of) each.reject(error);
    }
  }

  /** Of several steps in one statement those before the bad one can be written: they go on one by one. */
  async #sendWithout(group: readonly Entry[], index: number, cause: unknown): Promise<void> {
    const of = group[index]?.of ?? [];
    const alone = of.length > 1 ? of.map((each) => ({ write: each.write, of: [each] })) : [];
    if (alone.length === 0) for (const each of of) each.reject(cause);
    const others = [...group.slice(0, index), ...alone, ...group.slice(index + 1)];
    if (others.length > 0) await this.#send(others);
  }
}
