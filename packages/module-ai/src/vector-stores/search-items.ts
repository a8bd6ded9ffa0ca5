import type { QueryVectors } from "@oven/contract/ai";
import type { Database, Queryable } from "@oven/db";
import { toFilterConditions } from "./filter-conditions.ts";
import { fuseRanks } from "./fuse-ranks.ts";
import { toSearchQuery } from "./search-text.ts";
import { toArrayText, toComparison, toInteger, toStored } from "./similarity.ts";
import { SqlValues } from "./sql-values.ts";
import type { StoreRow } from "./vector-store-rows.ts";

/** How many of each list are fused: more than are wanted, because what is second in both lists may be the best. */
const FUSED = 50;
/** Candidates an HNSW scan keeps; pgvector's own 40 is too few for a filtered search. */
const EF_SEARCH = 200;

export interface SearchRequest {
  query: string | undefined;
  /** Absent in mode `text`. */
  embedding: readonly number[] | undefined;
  mode: QueryVectors["mode"];
  filter: QueryVectors["filter"];
  minScore: number | undefined;
  limit: number;
}

export interface Found {
  id: number;
  score: number;
  similarity: number | null;
}

interface Searched {
  db: Database;
  store: StoreRow;
  extension: boolean;
  /** Whether the store has an HNSW index. */
  indexed: boolean;
}

/** The best items of one store, best first. */
export async function searchItems(searched: Searched, request: SearchRequest): Promise<Found[]> {
  const { limit, minScore = Number.NEGATIVE_INFINITY } = request;
  if (request.mode === "text") {
    const byWords = await findByWords(searched, request, limit);
    return byWords
      .map(({ id, rank }) => ({ id, score: rank, similarity: null }))
      .filter(({ score }) => score >= minScore);
  }
  const fused = request.mode === "hybrid" ? Math.max(limit, FUSED) : limit;
  const byMeaning = (await findByMeaning(searched, request, fused)).filter(({ similarity }) => similarity >= minScore);
  if (request.mode === "vector") return byMeaning.map((found) => ({ ...found, score: found.similarity }));
  const byWords = (await findByWords(searched, request, fused)).filter(({ similarity }) => similarity >= minScore);
  const similarities = new Map([...byWords, ...byMeaning].map(({ id, similarity }) => [id, similarity]));
  return fuseRanks([byMeaning.map(({ id }) => id), byWords.map(({ id }) => id)])
    .slice(0, limit)
    .map(({ id, score }) => ({ id, score, similarity: similarities.get(id) ?? null }));
}

async function findByMeaning(
  { db, store, extension, indexed }: Searched,
  { embedding = [], filter = {} }: SearchRequest,
  limit: number,
): Promise<{ id: number; similarity: number }[]> {
  const values = new SqlValues();
  const { distance, similarity } = toComparison({ ...store, extension }, toWanted(store, embedding, values));
  const sql = `select id, ${similarity} as similarity from ai_vector_items
    where ${conditions(store, filter, values)} order by ${distance}${indexed ? "" : ", id"} limit ${toInteger(limit)}`;
  const run = (on: Queryable) => on.query<{ id: number; similarity: number }>(sql, values.params);
  const rows = indexed
    ? await db.transaction(async (tx) => {
        await tx.query("select set_config('hnsw.iterative_scan', 'strict_order', true)");
        await tx.query("select set_config('hnsw.ef_search', $1, true)", [String(Math.max(EF_SEARCH, limit))]);
        return run(tx);
      })
    : await run(db);
  return rows.sort((a, b) => b.similarity - a.similarity || a.id - b.id);
}

/**
 * Items that share words with the query: those with all of them first. A question in whole sentences rarely has all its
 * words in one passage, so any of them counts; a query with `-word` or "a phrase" is taken as it stands.
 */
async function findByWords(
  { db, store, extension }: Searched,
  { query = "", embedding, filter = {} }: SearchRequest,
  limit: number,
): Promise<{ id: number; rank: number; similarity: number }[]> {
  const values = new SqlValues();
  const { text: words, beginnings } = toSearchQuery(query);
  const text = values.add(words);
  const begun = beginnings.map(
    (beginning) => `to_tsquery('simple', ${values.add(`'${beginning.replaceAll("'", "''")}':*`)})`,
  );
  const compared =
    embedding === undefined
      ? "null::float8"
      : toComparison({ ...store, extension }, toWanted(store, embedding, values)).similarity;
  const where = conditions(store, filter, values);
  return db.query(
    `with asked as (select ${[`websearch_to_tsquery('${languageOf(store)}', ${text})`, ...begun].join(" && ")} as strict),
       wanted as (select strict,
         case when strict::text ~ '[!]|<' then strict else replace(strict::text, ' & ', ' | ')::tsquery end as loose from asked)
     select id, rank, ${compared} as similarity from (
       select id, embedding, (ts_rank_cd(search, loose, 33) + case when search @@ strict then 1 else 0 end)::float8 / 2 as rank
       from ai_vector_items, wanted
       where ${where} and search @@ loose order by 3 desc, id limit ${toInteger(limit)}) as best
     order by rank desc, id`,
    values.params,
  );
}

function conditions(store: StoreRow, filter: NonNullable<QueryVectors["filter"]>, values: SqlValues): string {
  const own = [`vector_store_id = ${toInteger(store.id)}`, `tenant_id = ${toInteger(store.tenantId)}`, "not pending"];
  return [...own, ...toFilterConditions(filter, values)].join(" and ");
}

function toWanted(store: StoreRow, embedding: readonly number[], values: SqlValues): string {
  return values.add(toArrayText(toStored(embedding, store.metric)));
}

/** One of two literals, never what somebody wrote. */
export function languageOf({ language }: Pick<StoreRow, "language">): "english" | "simple" {
  return language === "english" ? "english" : "simple";
}
