import { Worker } from "node:worker_threads";
import type { Picture, RecognizerAnswer, RecognizerSettings } from "./recognize.worker.ts";

/** Text of a picture, or why there is none. */
export type Recognized = { text: string; confidence: number } | { problem: "slow" | "failed" };

/** JavaScript of the thread; the pictures and the model are in memory of WebAssembly, which grows with the picture. */
const MAX_HEAP_MB = 256;

/** Recognizes text in pictures, one after the other, in a thread of its own: that one can be ended while it computes. */
export class Recognizer {
  readonly #settings: RecognizerSettings;
  readonly #timeoutMs: number;
  #worker: Worker | undefined;

  /** @param timeoutMs of one picture */
  constructor(settings: RecognizerSettings, timeoutMs: number) {
    this.#settings = settings;
    this.#timeoutMs = timeoutMs;
  }

  /** After a picture that was too slow, or that ended the thread, the next one has a new thread. */
  async recognize(picture: Picture): Promise<Recognized> {
    const worker = this.#open();
    const answer = await ask(worker, picture, this.#timeoutMs);
    if (!("problem" in answer)) return answer;
    await this.close();
    return answer;
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #open(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(new URL("./recognize.worker.ts", import.meta.url), {
      name: "recognize",
      workerData: this.#settings,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    // The caller that waits for it hears of its end.
    worker.on("error", (error) => console.warn(`documents: the text recognition ended: ${String(error)}`));
    this.#worker = worker;
    return worker;
  }
}

function ask(worker: Worker, picture: Picture, timeoutMs: number): Promise<Recognized> {
  return new Promise((resolve) => {
    const settle = (result: Recognized): void => {
      clearTimeout(timer);
      worker.off("message", answer).off("exit", end);
      resolve(result);
    };
    const answer = (given: RecognizerAnswer): void => settle("error" in given ? { problem: "failed" } : given);
    const end = (): void => settle({ problem: "failed" });
    const timer = setTimeout(() => settle({ problem: "slow" }), timeoutMs);
    worker.on("message", answer).on("exit", end);
    worker.postMessage(picture, [picture.file.buffer as ArrayBuffer]); // cast: page-image.ts made it for this
  });
}
