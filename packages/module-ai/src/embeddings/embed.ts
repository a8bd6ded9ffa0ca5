import { type EmbedAnswer, isOvenError, type OvenError, type TokenUsage } from "@oven/contract";
import type { Database } from "@oven/db";
import { embedMany } from "ai";
import { resolveModel } from "../aliases/resolve-model.ts";
import { toModelError } from "../model/model-errors.ts";
import type { Provider } from "../providers/model-provider.ts";
import { toCostMicros } from "../usage/prices.ts";
import { type ModelCaller, recordUsage } from "../usage/record-usage.ts";
import { badEmbeddings, notAnEmbeddingModel } from "./embedding-error.ts";

const DEFAULT_TIMEOUT_MS = 300_000;
/** What a provider is asked at once; each bounds the number of texts per request itself. */
const PARALLEL_CALLS = 2;

export interface EmbedRequest {
  /** An alias or `providerId:modelId`. */
  model: string;
  values: readonly string[];
  caller: ModelCaller;
  signal?: AbortSignal;
  /** Bounds the whole call, in milliseconds. Default 300,000. */
  timeoutMs?: number;
}

/**
 * One vector per text, in the same order, all of the same length. One usage row, whatever becomes of it.
 * @throws OvenError MODEL_UNKNOWN, MODEL_PROVIDER_NOT_CONFIGURED, EMBEDDING_INPUT_TOO_LONG, MODEL_BAD_RESPONSE and
 * whatever a model call throws
 */
export async function embed(
  db: Database,
  providers: ReadonlyMap<string, Provider>,
  request: EmbedRequest,
): Promise<EmbedAnswer> {
  const { caller, values } = request;
  const { resolved } = await resolveModel(db, providers, request.model, caller.tenantId);
  const name = `${resolved.providerId}:${resolved.modelId}`;
  const provider = providers.get(resolved.providerId);
  if (provider?.embeddingModel === undefined) throw notAnEmbeddingModel(name);
  const model = provider.embeddingModel(resolved.modelId);
  const started = performance.now();
  const record = (tokenUsage: TokenUsage, costMicros: number, error: unknown) =>
    recordUsage(db, {
      model: resolved,
      caller,
      operation: "embed",
      tokenUsage,
      costMicros,
      latencyMs: Math.round(performance.now() - started),
      status: error === null ? "ok" : request.signal?.aborted === true ? "aborted" : "error",
      error: error === null ? null : isOvenError(error) ? `${error.code}: ${error.message}` : String(error),
    });
  try {
    const { embeddings, tokens } = await callModel(request, model);
    const dimensions = checkVectors(name, embeddings, values.length);
    const usage = { input: tokens, output: 0, total: tokens };
    const costMicros = toCostMicros(usage, provider.price(resolved.modelId));
    await record(usage, costMicros, null);
    return { embeddings, dimensions, usage, costMicros, model: resolved };
  } catch (error) {
    const failure = toFailure(error, request, resolved);
    await record({ input: 0, output: 0, total: 0 }, 0, failure);
    throw failure;
  }
}

type EmbeddingModel = ReturnType<NonNullable<Provider["embeddingModel"]>>;

async function callModel(
  { values, signal, timeoutMs = DEFAULT_TIMEOUT_MS }: EmbedRequest,
  model: EmbeddingModel,
): Promise<{ embeddings: number[][]; tokens: number }> {
  if (values.length === 0) return { embeddings: [], tokens: 0 };
  const timeout = AbortSignal.timeout(timeoutMs);
  const bounded = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  bounded.throwIfAborted();
  const { embeddings, usage } = await embedMany({
    model,
    values: [...values],
    maxRetries: 0,
    maxParallelCalls: PARALLEL_CALLS,
    abortSignal: bounded,
  });
  // NaN where the provider counts no tokens.
  return { embeddings, tokens: Number.isFinite(usage.tokens) ? usage.tokens : 0 };
}

function toFailure(error: unknown, { signal, timeoutMs }: EmbedRequest, model: EmbedAnswer["model"]): OvenError {
  const aborted = signal?.aborted === true;
  const timedOut = !aborted && error instanceof DOMException && error.name === "TimeoutError";
  return toModelError(aborted ? (signal?.reason ?? error) : error, {
    model,
    streaming: false,
    aborted,
    timedOutAfterMs: timedOut ? (timeoutMs ?? DEFAULT_TIMEOUT_MS) : null,
  });
}

/** @returns the length of the vectors; 0 when none were asked for */
function checkVectors(name: string, embeddings: readonly number[][], wanted: number): number {
  if (embeddings.length !== wanted) throw badEmbeddings(name, `${embeddings.length} vectors for ${wanted} texts`);
  const dimensions = embeddings[0]?.length ?? 0;
  for (const vector of embeddings) {
    if (vector.length !== dimensions || (wanted > 0 && dimensions === 0)) {
      throw badEmbeddings(name, `vectors of ${dimensions} and of ${vector.length} numbers`);
    }
    if (!vector.every(Number.isFinite)) throw badEmbeddings(name, "a vector holds something that is no number");
  }
  return dimensions;
}
