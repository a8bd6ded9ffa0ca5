import type { VectorMetric } from "@oven/contract/ai";

/** Above that an HNSW index takes no vector. */
export const MAX_INDEXED_DIMENSIONS = 2_000;

export interface Comparison {
  /** Larger is more alike. */
  similarity: string;
  /** What an index answers in order; ascending. */
  distance: string;
}

/** For the metric cosine vectors are stored with length 1, so that the inner product is the cosine. */
export function toStored(vector: readonly number[], metric: VectorMetric): number[] {
  if (metric !== "cosine") return [...vector];
  const length = Math.hypot(...vector);
  return length === 0 ? [...vector] : vector.map((value) => value / length);
}

/** Text that PostgreSQL reads as `real[]`. */
export function toArrayText(vector: readonly number[]): string {
  return `{${vector.join(",")}}`;
}

/** The stored vector as the extension's type; the index is on this very expression. */
export function vectorExpression(dimensions: number): string {
  return `(embedding::vector(${toInteger(dimensions)}))`;
}

export function operatorClass(metric: VectorMetric): string {
  return metric === "euclidean" ? "vector_l2_ops" : "vector_ip_ops";
}

/** SQL that compares an item's vector with the bound one; the extension's answers and the scan's are the same. */
export function toComparison(
  { metric, dimensions, extension }: { metric: VectorMetric; dimensions: number; extension: boolean },
  wanted: string,
): Comparison {
  if (extension) {
    const distance = `${vectorExpression(dimensions)} ${metric === "euclidean" ? "<->" : "<#>"} ${wanted}::text::real[]::vector(${toInteger(dimensions)})`;
    return { distance, similarity: metric === "euclidean" ? `1 / (1 + (${distance}))` : `-(${distance})` };
  }
  const term = metric === "euclidean" ? "(a::float8 - b) * (a::float8 - b)" : "a::float8 * b";
  const sum = `(select sum(${term}) from unnest(embedding, ${wanted}::text::real[]) as pair(a, b))`;
  return metric === "euclidean"
    ? { distance: sum, similarity: `1 / (1 + sqrt(${sum}))` }
    : { distance: `-${sum}`, similarity: sum };
}

/** Ids and dimensions are written into statements, because a partial index is found by constants only. */
export function toInteger(value: number): string {
  if (!Number.isSafeInteger(value)) throw new Error(`${value} is no integer`);
  return String(value);
}
