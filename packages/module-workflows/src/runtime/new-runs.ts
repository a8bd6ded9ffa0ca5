import { toRunInsertWrite, type Write } from "./commit-group.ts";
import type { LeasedRun } from "./insert-execution.ts";

interface Unwritten {
  write: Write;
  resolve(applied: boolean): void;
  reject(error: unknown): void;
}

/**
 * Runs that were inserted with a lease of this process and that the engine has not claimed yet. The insert of some of them is deferred:
 * it goes out with their first commit.
 */
export class NewRuns {
  readonly #send: (write: Write) => Promise<boolean>;
  readonly #unclaimed = new Map<number, LeasedRun>();
  readonly #unwritten = new Map<number, Unwritten>();

  /** @param send queues a write; later writes follow it, in the same transaction or joined to one statement where possible */
  constructor(send: (write: Write) => Promise<boolean>) {
    this.#send = send;
  }

  /** Remembers a run that was inserted with a lease. */
  registerLease(run: LeasedRun): void {
    this.#unclaimed.set(run.row.id, run);
  }

  /** As `registerLease`, for a run whose insert is deferred. Resolves once it is inserted; false when one of its row versions had changed. */
  deferInsert(run: LeasedRun): Promise<boolean> {
    this.registerLease(run);
    return this.defer(run.row.id, toRunInsertWrite(run.runInsert));
  }

  /** Defers a write until the run's next commit. Resolves once it is written, with whether it returned a row. */
  defer(executionId: number, write: Write): Promise<boolean> {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    this.#unwritten.set(executionId, { write, resolve, reject });
    return promise;
  }

  /** Gives the run to the first caller, once. */
  take(executionId: number): LeasedRun | undefined {
    const run = this.#unclaimed.get(executionId);
    this.#unclaimed.delete(executionId);
    return run;
  }

  isUnwritten(executionId: number): boolean {
    return this.#unwritten.has(executionId);
  }

  /** Sends the deferred write, if there is one. The caller that deferred it gets the result. */
  async write(executionId: number): Promise<void> {
    const unwritten = this.#unwritten.get(executionId);
    if (unwritten === undefined) return;
    this.#unwritten.delete(executionId);
    await this.#send(unwritten.write).then(unwritten.resolve, unwritten.reject);
  }
}
