import { Worker } from "node:worker_threads";
import { startDeadline } from "./deadline.ts";

/** Work that may take long or much memory whatever comes in, and takes neither from the server. */
export interface ThreadWork<Progress = never> {
  /** The file that the thread runs: for each message, a job, it posts one message, its result; before that perhaps `{ progress }`. */
  file: URL;
  name: string;
  /** Copied into the thread. */
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

/** To load what such a file imports takes longer than most of its jobs: a thread waits this long for the next one. */
const IDLE_MS = 30_000;
/** Frees what libraries hold on to after a job. */
const MAX_JOBS = 50;

interface Thread {
  worker: Worker;
  jobs: number;
  /** Called when it throws; it has ended then. */
  onError(error: unknown): void;
  timer?: NodeJS.Timeout;
}

/** At most one for each file. */
const idle = new Map<string, Thread>();

/**
 * Runs a job in a thread that has nothing else to do, and waits for its result. A thread that has answered takes later jobs of its file; one that was slow, ended or was aborted takes none.
 * @throws what `toError` makes, the reason of `signal` when that is aborted, what `onProgress` throws
 */
export function runInThread<Result extends object, Progress = never>(work: ThreadWork<Progress>): Promise<Result> {
  const { job, timeoutMs, signal, toError, onProgress } = work;
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const thread = takeThread(work);
    const { worker } = thread;
    const abort = (): void => stop(signal.reason);
    const startTimer = () => {
      const deadline = startDeadline(timeoutMs);
      deadline.signal.addEventListener("abort", () => stop(toError("slow")), { once: true });
      return deadline;
    };
    const settle = (act: () => void): void => {
      signal.removeEventListener("abort", abort);
      deadline.clear();
      worker.off("message", onMessage).off("exit", onExit);
      act();
    };
    const stop = (reason: unknown): void => {
      void worker.terminate();
      settle(() => reject(reason));
    };
    let deadline = startTimer();
    let handled = Promise.resolve();
    signal.addEventListener("abort", abort, { once: true });
    const onMessage = (message: Result | { progress: Progress }): void => {
      deadline.clear();
      if ("progress" in message) {
        deadline = startTimer();
        handled = handled.then(() => onProgress?.(message.progress));
        handled.catch(stop);
        return;
      }
      handled.then(
        () => {
          settle(() => resolve(message));
          keepThread(work.file.href, thread);
        },
        () => undefined, // `stop` was called with it
      );
    };
    const onExit = (): void => settle(() => reject(toError("ended")));
    worker.on("message", onMessage).on("exit", onExit);
    thread.onError = (error) => settle(() => reject(toError("ended", error)));
    worker.postMessage(job);
  });
}

function takeThread({ file, name, maxMemoryMb }: ThreadWork): Thread {
  const waiting = idle.get(file.href);
  if (waiting !== undefined) {
    idle.delete(file.href);
    clearTimeout(waiting.timer);
    waiting.worker.ref();
    waiting.jobs += 1;
    return waiting;
  }
  const worker = new Worker(file, { name, resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb } });
  const thread: Thread = { worker, jobs: 1, onError: () => undefined };
  const forget = (): void => {
    if (idle.get(file.href) === thread) idle.delete(file.href);
  };
  worker.on("error", (error) => {
    forget();
    thread.onError(error);
  });
  worker.on("exit", forget);
  return thread;
}

/** It does not keep the process, and is given up after a while. */
function keepThread(file: string, thread: Thread): void {
  const { worker, jobs } = thread;
  if (idle.has(file) || jobs >= MAX_JOBS) {
    void worker.terminate();
    return;
  }
  thread.timer = setTimeout(() => {
    if (idle.get(file) === thread) idle.delete(file);
    void worker.terminate();
  }, IDLE_MS);
  thread.timer.unref();
  worker.unref();
  idle.set(file, thread);
}
