import { OvenError } from "@oven/contract";
import type { CodeLanguage, ProcessAnswer, ProcessJob } from "../job.ts";
import { CodeProcess } from "./code-process.ts";

export interface PoolSettings {
  /** Most processes at a time. */
  processes: number;
  /** Most jobs that wait for a process. */
  maxWaiting: number;
  /** Milliseconds after which a process without a job is closed. */
  idleMs: number;
}

interface Waiting {
  language: CodeLanguage;
  take(process: CodeProcess): void;
  refuse(error: unknown): void;
}

/** The processes that run code: started when they are needed, closed when nothing needs them. */
export class ProcessPool {
  readonly #settings: PoolSettings;
  readonly #idle = new Map<CodeProcess, NodeJS.Timeout>();
  readonly #busy = new Set<CodeProcess>();
  readonly #waiting: Waiting[] = [];
  #isClosed = false;

  constructor(settings: PoolSettings) {
    this.#settings = settings;
  }

  /** The processes that work on a job. */
  get busy(): readonly CodeProcess[] {
    return [...this.#busy];
  }

  /**
   * Runs a job in a process that has nothing else to do; waits for one where all work.
   * @param timeoutMs how long the process may work on it
   * @throws ProcessEnded, OvenError CODE_BUSY 503, the reason of `signal` when it is aborted
   */
  async run(job: ProcessJob, timeoutMs: number, signal?: AbortSignal): Promise<ProcessAnswer> {
    signal?.throwIfAborted();
    const process = await this.#acquire(job.language, signal);
    const stop = () => process.kill();
    signal?.addEventListener("abort", stop, { once: true });
    try {
      return await process.run(job, timeoutMs);
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener("abort", stop);
      this.#release(process);
    }
  }

  /** Kills all processes; jobs that run or wait fail. */
  close(): void {
    this.#isClosed = true;
    for (const { refuse } of this.#waiting.splice(0)) refuse(closed());
    for (const process of this.#busy) process.kill();
    for (const process of this.#idle.keys()) this.#retire(process);
  }

  #acquire(language: CodeLanguage, signal: AbortSignal | undefined): Promise<CodeProcess> {
    if (this.#isClosed) throw closed();
    const ready = this.#find(language);
    if (ready !== undefined) return Promise.resolve(ready);
    if (this.#waiting.length >= this.#settings.maxWaiting) throw busy(this.#waiting.length);
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal?.reason);
      };
      const waiting: Waiting = {
        language,
        take(process) {
          signal?.removeEventListener("abort", abort);
          resolve(process);
        },
        refuse(error) {
          signal?.removeEventListener("abort", abort);
          reject(error);
        },
      };
      signal?.addEventListener("abort", abort, { once: true });
      this.#waiting.push(waiting);
    });
  }

  /** A process that takes the next job of a language; undefined: all work. */
  #find(language: CodeLanguage): CodeProcess | undefined {
    const known = [...this.#idle.keys()].find((process) => process.language === language && process.isAlive);
    if (known === undefined) {
      // The place of one that died, or of one that speaks another language.
      if (this.#busy.size + this.#idle.size >= this.#settings.processes) {
        const [other] = this.#idle.keys();
        if (other === undefined) return undefined;
        this.#retire(other);
      }
      return this.#begin(new CodeProcess(language));
    }
    clearTimeout(this.#idle.get(known));
    this.#idle.delete(known);
    return this.#begin(known);
  }

  #begin(process: CodeProcess): CodeProcess {
    this.#busy.add(process);
    return process;
  }

  #release(process: CodeProcess): void {
    this.#busy.delete(process);
    if (this.#isClosed) process.kill();
    else if (process.isAlive) {
      const timer = setTimeout(() => this.#retire(process), this.#settings.idleMs);
      timer.unref();
      this.#idle.set(process, timer);
    }
    const [first] = this.#waiting;
    const next = first === undefined ? undefined : this.#find(first.language);
    if (first === undefined || next === undefined) return;
    this.#waiting.shift();
    first.take(next);
  }

  #retire(process: CodeProcess): void {
    clearTimeout(this.#idle.get(process));
    this.#idle.delete(process);
    process.kill();
  }
}

function busy(waiting: number): OvenError {
  return new OvenError("CODE_BUSY", `${waiting} pieces of code wait for a process already`, {
    status: 503,
    fix: "Try again later, or raise OVEN_CODE_PROCESSES.",
    retryable: true,
    retryAfterMs: 5_000,
  });
}

function closed(): OvenError {
  return new OvenError("CODE_BUSY", "The processes that run code are being stopped", {
    status: 503,
    fix: "Try again once the server runs.",
    retryable: true,
  });
}
