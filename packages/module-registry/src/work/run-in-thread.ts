import { Worker } from "node:worker_threads";
import { startDeadline } from "./deadline.ts";

/** Work that may take long or much memory whatever comes in, and takes neither from the server. */
export interface ThreadWork {
  /** The file that the thread runs: it reads `workerData` and posts one message, its result. */
  file: URL;
  name: string;
  /** Copied into the thread as `workerData`. */
  job: unknown;
  /** Of the thread's heap; beyond that the thread ends. */
  maxMemoryMb: number;
  timeoutMs: number;
  signal: AbortSignal;
  /** The error of a thread that took too long (`cause` undefined), or ended without a result. */
  toError(reason: "slow" | "ended", cause?: unknown): Error;
}

/**
 * Runs a file in a thread of its own and waits for its one message.
 * @throws what `toError` makes, the reason of `signal` when that is aborted
 */
export function runInThread<Result>(work: ThreadWork): Promise<Result> {
  const { file, name, job, maxMemoryMb, timeoutMs, signal, toError } = work;
  return new Promise((resolve, reject) => {
    const worker = new Worker(file, {
      name,
      workerData: job,
      resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
    });
    const deadline = startDeadline(timeoutMs);
    const bounded = AbortSignal.any([signal, deadline.signal]);
    const stop = () => {
      void worker.terminate();
      reject(signal.aborted ? signal.reason : toError("slow"));
    };
    bounded.addEventListener("abort", stop, { once: true });
    const settle = (act: () => void) => {
      bounded.removeEventListener("abort", stop);
      deadline.clear();
      act();
    };
    worker.on("message", (result: Result) => settle(() => resolve(result)));
    worker.on("error", (error) => settle(() => reject(toError("ended", error))));
    worker.on("exit", () => settle(() => reject(toError("ended"))));
  });
}
