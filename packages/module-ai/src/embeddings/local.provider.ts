import { OvenError } from "@oven/contract";
import type { EmbeddingModelV4, Provider } from "../providers/model-provider.ts";
import { embedLocally } from "./use-lite.ts";

export const LOCAL_PROVIDER = "local";
export const USE_LITE = "use-lite";
const USE_LITE_DIMENSIONS = 512;
/** A call can be stopped between batches; one of eight paragraphs takes about half a second. */
const BATCH = 8;
/** Time and memory grow with the square of a text's length: 30,000 characters took 2 s and 400 MB. */
const MAX_CHARACTERS = 20_000;

/** Embeddings without any service: English, 512 dimensions, computed in this process. */
export function createLocalProvider(): Provider {
  return {
    id: LOCAL_PROVIDER,
    title: "Local embeddings (Universal Sentence Encoder lite, English)",
    configured: true,
    simulated: false,
    kind: "local",
    keyHint: "It needs no key",
    probe: async () => [USE_LITE],
    requestOptions: {},
    listModels: async () => [USE_LITE],
    embeddingModel(modelId) {
      if (modelId !== USE_LITE) {
        throw new OvenError("MODEL_UNKNOWN", `There is no local model \`${modelId}\``, {
          status: 422,
          fix: `Use \`${LOCAL_PROVIDER}:${USE_LITE}\``,
        });
      }
      return useLite;
    },
  };
}

const useLite: EmbeddingModelV4 = {
  specificationVersion: "v4",
  provider: LOCAL_PROVIDER,
  modelId: USE_LITE,
  maxEmbeddingsPerCall: BATCH,
  supportsParallelCalls: false,
  async doEmbed({ values, abortSignal }) {
    abortSignal?.throwIfAborted();
    for (const value of values) if (value.length > MAX_CHARACTERS) throw tooLong(value.length);
    // The encoder fails on a text without any token; the zero vector is like nothing else.
    const texts = values.filter((value) => value.trim() !== "");
    const found = texts.length === 0 ? { embeddings: [], tokens: 0 } : await embedLocally(texts);
    const rest = found.embeddings[Symbol.iterator]();
    const embeddings = values.map((value) =>
      value.trim() === "" ? new Array<number>(USE_LITE_DIMENSIONS).fill(0) : (rest.next().value ?? []),
    );
    return { embeddings, usage: { tokens: found.tokens }, warnings: [] };
  },
};

function tooLong(length: number): OvenError {
  return new OvenError(
    "EMBEDDING_INPUT_TOO_LONG",
    `A text of ${length} characters is too long for ${LOCAL_PROVIDER}:${USE_LITE}, which takes ${MAX_CHARACTERS}`,
    { status: 422, fix: "Split the text; documents added to a vector store are split by themselves" },
  );
}
