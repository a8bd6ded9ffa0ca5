import { OvenError } from "@oven/contract";

/** The provider answered, but not with one usable vector per text. */
export function badEmbeddings(model: string, why: string): OvenError {
  return new OvenError("MODEL_BAD_RESPONSE", `The embeddings of ${model} cannot be used: ${why}`, {
    status: 502,
    retryable: true,
  });
}

/** The name stands for a model that gives no embeddings. */
export function notAnEmbeddingModel(name: string): OvenError {
  return new OvenError("MODEL_UNKNOWN", `The provider of \`${name}\` offers no embeddings`, {
    status: 422,
    fix: "Use `local:use-lite`, the alias `embed`, or an embedding model of a configured provider",
  });
}
