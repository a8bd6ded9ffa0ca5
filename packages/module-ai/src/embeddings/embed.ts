import type { EmbedAnswer } from "@oven/contract/ai";
import type { Database } from "@oven/db";
import { startDeadline } from "@oven/module-registry";
import { embedMany } from "ai";
import { resolveChain } from "../aliases/resolve-model.ts";
import type { Recordings } from "../answers/recordings.ts";
import type { Guardrails } from "../guardrails/guardrails.ts";
import { askChain, type Turn } from "../model/ask-chain.ts";
import { type CallProgress, DEFAULT_TIMEOUT_MS } from "../model/call-model.ts";
import { toModelError } from "../model/model-errors.ts";
import type { EmbeddingModelV4 } from "../providers/model-provider.ts";
import type { ProviderDirectory } from "../providers/provider-directory.ts";
import type { Meter } from "../usage/meter.ts";
import type { ModelCaller } from "../usage/record-usage.ts";
import { badEmbeddings, notAnEmbeddingModel } from "./embedding-error.ts";

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
  /** Budgets that a person has let go on for this call. */
  releasedBudgets?: readonly number[];
}

interface EmbedCallsParts {
  db: Database;
  providers: ProviderDirectory;
  meter: Meter;
  guardrails: Guardrails;
  recordings: Recordings;
}

/** Embeddings, with all that is around calls for text but the cache. */
export class EmbedCalls {
  readonly #parts: EmbedCallsParts;

  constructor(parts: EmbedCallsParts) {
    this.#parts = parts;
  }

  /**
   * One vector per text, in the same order, all of the same length. One usage row, whatever becomes of it.
   * @throws OvenError MODEL_UNKNOWN, EMBEDDING_INPUT_TOO_LONG, MODEL_BAD_RESPONSE, GUARDRAIL_BLOCKED, and whatever
   * resolving and calling throw
   */
  async embed(given: EmbedRequest): Promise<EmbedAnswer> {
    const { db, providers, recordings } = this.#parts;
    const request = await this.#guard(given);
    const { model, values, caller } = request;
    const call = { caller, operation: "embed" as const, asked: { operation: "embed", model, values } };
    return recordings.through<EmbedAnswer>(call, async () => {
      const chain = await resolveChain(db, providers, model, caller.tenantId);
      return (await askChain({ chain, ask: (turn: Turn) => this.#askOne(turn, request) })).value;
    });
  }

  async #guard(given: EmbedRequest): Promise<EmbedRequest> {
    if (given.values.length === 0) return given;
    const { model, caller, signal, releasedBudgets } = given;
    const guards = await this.#parts.guardrails.of(caller.tenantId);
    const { request } = await guards.input({
      model,
      caller,
      messages: given.values.map((content) => ({ role: "user", content })),
      ...(signal === undefined ? {} : { signal }),
      ...(releasedBudgets === undefined ? {} : { releasedBudgets }),
    });
    const values = given.values.map((value, index) => {
      const content = request.messages[index]?.content;
      return typeof content === "string" ? content : value;
    });
    return { ...given, values };
  }

  async #askOne({ candidate, last, fallbackFrom }: Turn, request: EmbedRequest): Promise<EmbedAnswer> {
    const { resolved, provider } = candidate;
    const { values, caller, signal, timeoutMs = DEFAULT_TIMEOUT_MS, releasedBudgets = [] } = request;
    const name = `${resolved.providerId}:${resolved.modelId}`;
    if (provider.embeddingModel === undefined) throw notAnEmbeddingModel(name);
    const model = provider.embeddingModel(resolved.modelId);
    const characters = values.reduce((sum, { length }) => sum + length, 0);
    const { value, costMicros } = await this.#parts.meter.run(
      {
        ...{ model: resolved, provider, caller, operation: "embed", timeoutMs, releasedBudgets, signal, fallbackFrom },
        expected: { input: Math.ceil(characters / 4), output: 0 },
        most: () => ({
          input: values.reduce((sum, text) => sum + Buffer.byteLength(text), 0),
          output: 0,
          guessed: false,
        }),
        mayWait: last,
      },
      async (progress) => {
        const bounds = { timeoutMs, signal, progress };
        const { embeddings, tokens } = await callModel(values, model, bounds, (error, timedOut) =>
          toModelError(signal?.aborted === true ? (signal.reason ?? error) : error, {
            model: resolved,
            keyHint: provider.keyHint,
            streaming: false,
            silentForMs: null,
            aborted: signal?.aborted === true,
            timedOutAfterMs: timedOut ? timeoutMs : null,
          }),
        );
        const dimensions = checkVectors(name, embeddings, values.length);
        const usage = { input: tokens, output: 0, total: tokens };
        return { value: { embeddings, dimensions, usage }, usage };
      },
    );
    return { ...value, costMicros, model: resolved };
  }
}

interface Bounds {
  timeoutMs: number;
  signal: AbortSignal | undefined;
  progress: CallProgress;
}

async function callModel(
  values: readonly string[],
  model: EmbeddingModelV4,
  { timeoutMs, signal, progress }: Bounds,
  toError: (error: unknown, timedOut: boolean) => Error,
): Promise<{ embeddings: number[][]; tokens: number }> {
  if (values.length === 0) return { embeddings: [], tokens: 0 };
  const deadline = startDeadline(timeoutMs);
  const bounded = signal === undefined ? deadline.signal : AbortSignal.any([signal, deadline.signal]);
  try {
    bounded.throwIfAborted();
    progress.sent = true;
    const { embeddings, usage } = await embedMany({
      model,
      values: [...values],
      maxRetries: 0,
      maxParallelCalls: PARALLEL_CALLS,
      abortSignal: bounded,
    });
    // NaN where the provider counts no tokens.
    return { embeddings, tokens: Number.isFinite(usage.tokens) ? usage.tokens : 0 };
  } catch (error) {
    throw toError(error, deadline.signal.aborted);
  } finally {
    deadline.clear();
  }
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
