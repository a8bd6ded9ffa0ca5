import { Worker } from "node:worker_threads";
import { startDeadline } from "./deadline.ts";

/** Work that may take long or much memory whatever comes in, and takes neither from the server. */
export interface ThreadWork<Progress = never> {
  /** The file that the thread runs: it reads `workerData` and posts one message, its result; before that perhaps `{ progress }`. */
  file: URL;
  name: string;
  /** Copied into the thread as `workerData`. */
  job: unknown;
  /** Of the thread's heap; beyond that the thread ends. */
  maxMemoryMb: number;
  /** Until the result, or the next `{ progress }`. */
  timeoutMs: number;
  signal: AbortSignal;
  /** The error of a thread that took too long (`cause` undefined), or ended without a result. */
  toError(reason: "slow" | "ended", cause?: unknown): Error;
  /** Called with each `progress` in order, one at a time. When it fails, the thread ends and the work fails with its error. */
  onProgress?(progress: Progress): Promise<void>;
}

/**
 * Runs a file in a thread of its own and waits for its result.
 * @throws what `toError` makes, the reason of `signal` when that is aborted, what `onProgress` throws
 */
export function runInThread<Result extends object, Progress = never>(work: ThreadWork<Progress>): Promise<Result> {
  const { file, name, job, maxMemoryMb, timeoutMs, signal, toError, onProgress } = work;
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const worker = new Worker(file, {
      name,
      workerData: job,
      resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
    });
    const abort = (): void => stop(signal.reason);
    const startTimer = () => {
      const deadline = startDeadline(timeoutMs);
      deadline.signal.addEventListener("abort", () => stop(toError("slow")), { once: true });
      return deadline;
    };
    const settle = (act: () => void): void => {
      signal.removeEventListener("abort", abort);
      deadline.clear();
      act();
    };
    const stop = (reason: unknown): void => {
      void worker.terminate();
      settle(() => reject(reason));
    };
    let deadline = startTimer();
    let isDone = false;
    let handled = Promise.resolve();
    signal.addEventListener("abort", abort, { once: true });
    worker.on("message", (message: Result | { progress: Progress }) => {
      deadline.clear();
      if ("progress" in message) {
        deadline = startTimer();
        handled = handled.then(() => onProgress?.(message.progress));
        handled.catch(stop);
        return;
      }
      isDone = true;
      handled.then(
        () => settle(() => resolve(message)),
        () => undefined, // `stop` was called with it
      );
    });
    worker.on("error", (error) => settle(() => reject(toError("ended", error))));
    worker.on("exit", () => {
      if (!isDone) settle(() => reject(toError("ended")));
    });
  });
}
