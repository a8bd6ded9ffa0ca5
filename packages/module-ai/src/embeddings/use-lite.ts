import { Worker } from "node:worker_threads";
import type { EmbedJob, EmbedJobResult } from "./use-lite.worker.ts";

/** The model takes about 300 MB while it is loaded. */
const IDLE_MS = 300_000;

interface Waiting {
  resolve(result: { embeddings: number[][]; tokens: number }): void;
  reject(error: Error): void;
}

/**
 * The Universal Sentence Encoder (lite) in a thread of its own: a batch of eight paragraphs computes for about half a
 * second, which would stand still for everybody else on the event loop. Starts with the first call, ends when unused.
 */
class UseLiteThread {
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #nextId = 1;
  readonly #waiting = new Map<number, Waiting>();

  embed(values: string[]): Promise<{ embeddings: number[][]; tokens: number }> {
    const worker = this.#open();
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      const job: EmbedJob = { id, values };
      worker.postMessage(job);
    });
  }

  #open(): Worker {
    clearTimeout(this.#idle);
    if (this.#worker !== undefined) {
      this.#worker.ref();
      return this.#worker;
    }
    const worker = new Worker(new URL("./use-lite.worker.ts", import.meta.url), { name: "use-lite" });
    worker.on("message", (result: EmbedJobResult) => this.#settle(result));
    worker.on("error", (error) => this.#fail(worker, error instanceof Error ? error : new Error(String(error))));
    worker.on("exit", (code) => this.#fail(worker, new Error(`the embedding thread ended with code ${code}`)));
    this.#worker = worker;
    return worker;
  }

  #settle(result: EmbedJobResult): void {
    const waiting = this.#waiting.get(result.id);
    this.#waiting.delete(result.id);
    if ("error" in result) waiting?.reject(new Error(result.error));
    else waiting?.resolve({ embeddings: result.embeddings.map((embedding) => [...embedding]), tokens: result.tokens });
    if (this.#waiting.size > 0) return;
    // Nobody waits for it any more, so it does not keep the process.
    this.#worker?.unref();
    this.#idle = setTimeout(() => this.#close(), IDLE_MS);
    this.#idle.unref();
  }

  #close(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
  }

  #fail(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(error);
  }
}

const thread = new UseLiteThread();

/** Unit vectors of 512 numbers, one per text, and how many tokens the texts had. */
export function embedLocally(values: string[]): Promise<{ embeddings: number[][]; tokens: number }> {
  return thread.embed(values);
}
