import type { PreparedCall } from "@oven/db";
import type { LeasedRun } from "./insert-execution.ts";

interface Unwritten {
  insert: PreparedCall;
  resolve(): void;
  reject(error: unknown): void;
}

/** Runs that were given a lease of this process before anybody has taken them up; some of them are not inserted yet. */
export class NewRuns {
  readonly #write: (insert: PreparedCall) => Promise<unknown>;
  readonly #born = new Map<number, LeasedRun>();
  readonly #unwritten = new Map<number, Unwritten>();

  /** @param write sends an insert; what is sent next goes behind it, in the same transaction where it can */
  constructor(write: (insert: PreparedCall) => Promise<unknown>) {
    this.#write = write;
  }

  /** A run was inserted with a lease. */
  adopt(run: LeasedRun): void {
    this.#born.set(run.row.id, run);
  }

  /** As `adopt`, of a run that is not inserted yet. Resolves once it is. */
  bear(run: LeasedRun): Promise<void> {
    this.adopt(run);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#unwritten.set(run.row.id, { insert: run.insert, resolve, reject });
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

  /** Sends its insert, unless that is done. What became of it is heard by who bore the run. */
  async write(executionId: number): Promise<void> {
    const run = this.#unwritten.get(executionId);
    if (run === undefined) return;
    this.#unwritten.delete(executionId);
    await this.#write(run.insert).then(() => run.resolve(), run.reject);
  }
}
