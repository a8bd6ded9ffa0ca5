import type { Write } from "./commit-group.ts";
import type { LeasedRun } from "./insert-execution.ts";
import { toBirthWrite } from "./joined-commits.ts";

interface Unwritten {
  write: Write;
  resolve(applied: boolean): void;
  reject(error: unknown): void;
}

/**
 * Runs that were given a lease of this process before anybody has taken them up. Of some, the statement that gives it waits
 * for their next commit, to be written with that.
 */
export class NewRuns {
  readonly #send: (write: Write) => Promise<boolean>;
  readonly #born = new Map<number, LeasedRun>();
  readonly #unwritten = new Map<number, Unwritten>();

  /** @param send what is sent next goes behind it, in the same transaction where it can, or as one with it */
  constructor(send: (write: Write) => Promise<boolean>) {
    this.#send = send;
  }

  /** A run was inserted with a lease. */
  adopt(run: LeasedRun): void {
    this.#born.set(run.row.id, run);
  }

  /** As `adopt`, of a run that is not inserted yet. Resolves once it is: false, if one of its witnesses had changed. */
  bear(run: LeasedRun): Promise<boolean> {
    this.adopt(run);
    return this.defer(run.row.id, toBirthWrite(run.birth));
  }

  /** What is to be written before the run's next commit. Resolves once it is: whether it answered a row. */
  defer(executionId: number, write: Write): Promise<boolean> {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    this.#unwritten.set(executionId, { write, resolve, reject });
    return promise;
  }

  /** The first who asks has it. */
  take(executionId: number): LeasedRun | undefined {
    const run = this.#born.get(executionId);
    this.#born.delete(executionId);
    return run;
  }

  isUnwritten(executionId: number): boolean {
    return this.#unwritten.has(executionId);
  }

  /** Sends what waits, unless that is done. What became of it is heard by who deferred it. */
  async write(executionId: number): Promise<void> {
    const unwritten = this.#unwritten.get(executionId);
    if (unwritten === undefined) return;
    this.#unwritten.delete(executionId);
    await this.#send(unwritten.write).then(unwritten.resolve, unwritten.reject);
  }
}
