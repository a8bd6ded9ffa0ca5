import type { QueryVectors, QueryVectorsAnswer } from "@oven/contract/ai";
import type { TokenUsage } from "@oven/contract/node";
import type { Database } from "@oven/db";
import type { AiService } from "../service.ts";
import type { ModelCaller } from "../usage/record-usage.ts";
import { rerank } from "./rerank.ts";
import { searchItems } from "./search-items.ts";
import { indexedStores } from "./vector-index.ts";
import { requireDimensions, toMatches } from "./vector-items.ts";
import type { StoreRow } from "./vector-store-rows.ts";

/** What model calls of a search cost: the query's embedding, and the order by a language model. */
export interface Spend {
  usage: TokenUsage;
  costMicros: number;
  simulated: boolean;
}

const NO_SPEND: Spend = { usage: { input: 0, output: 0, total: 0 }, costMicros: 0, simulated: false };

export function addSpend(a: Spend, b: { usage: TokenUsage; costMicros: number; simulated: boolean }): Spend {
  const { input, output, total } = a.usage;
  return {
    usage: { input: input + b.usage.input, output: output + b.usage.output, total: total + b.usage.total },
    costMicros: a.costMicros + b.costMicros,
    simulated: a.simulated || b.simulated,
  };
}

export interface StoreCall {
  caller: ModelCaller;
  signal?: AbortSignal;
}

export type Models = Pick<AiService, "embed" | "generate">;

interface SearchDeps {
  db: Database;
  models: Models;
  extension: boolean;
}

const DEFAULT_RERANK = { model: "fast", candidates: 20 };

/** @throws OvenError VECTOR_DIMENSIONS, and what a model call throws */
export async function queryStore(
  { db, models, extension }: SearchDeps,
  store: StoreRow,
  query: QueryVectors,
  call: StoreCall,
): Promise<QueryVectorsAnswer & { spend: Spend }> {
  const order = query.rerank === true ? DEFAULT_RERANK : query.rerank === false ? undefined : query.rerank;
  const { embedding, spend } = await toEmbedding(models, store, query, call);
  const indexed = extension && (await indexedStores(db)).has(store.id);
  const found = await searchItems(
    { db, store, extension, indexed },
    {
      query: query.query,
      embedding,
      mode: query.mode,
      filter: query.filter,
      minScore: query.minScore,
      limit: order === undefined ? query.topK : Math.max(query.topK, order.candidates),
    },
  );
  const matches = await toMatches(db, store, found);
  if (order === undefined || query.query === undefined || matches.length < 2) {
    return { matches: matches.slice(0, query.topK), warnings: [], spend };
  }
  const ordered = await rerank(models.generate, { model: order.model, ...call }, query.query, matches);
  const { usage, costMicros, model } = ordered.answer;
  return {
    matches: ordered.matches.slice(0, query.topK),
    warnings: [...(ordered.warning === null ? [] : [ordered.warning]), ...(ordered.answer.notes ?? [])],
    spend: addSpend(spend, { usage, costMicros, simulated: model.simulated }),
  };
}

async function toEmbedding(
  models: Models,
  store: StoreRow,
  { query, embedding, mode }: QueryVectors,
  call: StoreCall,
): Promise<{ embedding: readonly number[] | undefined; spend: Spend }> {
  if (mode === "text") return { embedding: undefined, spend: NO_SPEND };
  if (embedding !== undefined) {
    requireDimensions(store, embedding);
    return { embedding, spend: NO_SPEND };
  }
  const { embeddings, spend } = await embedFor(models, store, [query ?? ""], call);
  return { embedding: embeddings[0] ?? [], spend };
}

/**
 * Vectors by the store's own model.
 * @throws OvenError VECTOR_DIMENSIONS when the model answers other lengths than when the store was made
 */
export async function embedFor(
  models: Models,
  store: StoreRow,
  values: readonly string[],
  call: StoreCall,
): Promise<{ embeddings: number[][]; spend: Spend }> {
  if (values.length === 0) return { embeddings: [], spend: NO_SPEND };
  const answer = await models.embed({ model: store.embeddingModel, values, ...call });
  for (const embedding of answer.embeddings) requireDimensions(store, embedding);
  const { usage, costMicros, model } = answer;
  return { embeddings: answer.embeddings, spend: { usage, costMicros, simulated: model.simulated } };
}
