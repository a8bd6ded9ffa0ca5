import type { QueryVectorsAnswer, VectorFilter, VectorMetric, VectorStore } from "@oven/contract/ai";
import type { Database } from "@oven/db";
import { createTestPglite, testDatabases } from "@oven/db/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { countWords, type OpenStores, openStores, stranger } from "../embeddings/testing/open-stores.ts";
import { toComparison } from "./similarity.ts";
import { indexIfLarge } from "./vector-index.ts";
import { findStore } from "./vector-store-rows.ts";

const embed = countWords("cat", "dog", "ship", "rain");
const texts = {
  cat: "A cat sleeps",
  pets: "The cat and the dog play",
  dog: "My dog barks at another dog",
  ship: "The ship sails at dawn",
  storm: "Rain falls on the ship, rain without end",
};
/** The server of OVEN_TEST_POSTGRES_URL is said to have the extension; the one from npm has not. */
const ON_SERVER = process.env.OVEN_TEST_POSTGRES_VECTOR === "1";
const databases = [
  {
    name: "PGlite with the vector extension",
    extension: true,
    open: async () => {
      const db = await createTestPglite();
      return { db, close: () => db.close() };
    },
  },
  {
    name: "PGlite without it",
    extension: false,
    open: async () => {
      const db = await createTestPglite({ extensions: false });
      return { db, close: () => db.close() };
    },
  },
  ...testDatabases(inject("postgresUrl"))
    .filter(({ name }) => name === "PostgreSQL")
    .map((database) => ({ ...database, name: `PostgreSQL with${ON_SERVER ? "" : "out"} it`, extension: ON_SERVER })),
];

describe.each(databases)("vector stores on $name", ({ open, extension }) => {
  let db: Database;
  let close: () => Promise<void>;
  let stores: OpenStores;

  beforeAll(async () => {
    ({ db, close } = await open());
    stores = await openStores(db, { embed });
  });
  afterAll(async () => {
    await stores.close();
    await close();
  });

  async function fill(
    slug: string,
    metric: VectorMetric = "cosine",
    principal?: typeof stranger,
  ): Promise<VectorStore> {
    const by = principal === undefined ? {} : { principal };
    const body = { name: slug, slug, metric, embeddingModel: "openai:house-embed" };
    const store = await stores.invoke<VectorStore>("POST", "vector-stores", { body, ...by });
    const metadata = { pets: { legs: 4, kinds: ["cat", "dog"] }, ship: { legs: 0, sea: true, named: null } };
    const items = Object.entries(texts).map(([key, text]) => ({
      key,
      text,
      metadata: { topic: key, ...(metadata as Record<string, object>)[key] }, // cast: looked up by any key
    }));
    await stores.invoke("POST", "vector-stores/[id]/upsert", { params: { id: slug }, body: { items }, ...by });
    return store;
  }

  const query = (id: string, body: object) =>
    stores.invoke<QueryVectorsAnswer>("POST", "vector-stores/[id]/query", { params: { id }, body });
  const keysFor = async (id: string, body: object) => (await query(id, body)).matches.map(({ key }) => key);

  it("uses the extension where it is, and keeps the model and its length", async () => {
    const store = await fill("kept");
    expect(store).toMatchObject({ embeddingModel: "openai:house-embed", dimensions: 4, search: "exact" });
    const rows = await db.query("select 1 from pg_extension where extname = 'vector'");
    expect(rows.length > 0).toBe(extension);
    expect(await stores.invoke("GET", "vector-stores/[id]", { params: { id: "kept" } })).toMatchObject({ items: 5 });
  });

  it.each([
    ["cosine", { dog: 1, pets: Math.SQRT1_2, cat: 0 }],
    ["dot", { dog: 2, pets: 1, cat: 0 }],
    ["euclidean", { dog: 1 / 2, pets: 1 / 2, cat: 1 / (1 + Math.SQRT2) }],
  ] as const)("finds by meaning with the metric %s as reckoned by hand", async (metric, expected) => {
    await fill(`by-${metric}`, metric);
    const { matches } = await query(`by-${metric}`, { embedding: [0, 1, 0, 0], mode: "vector", topK: 5 });
    for (const [key, similarity] of Object.entries(expected)) {
      expect(matches.find((match) => match.key === key)?.similarity).toBeCloseTo(similarity, 5);
    }
    expect(matches[0]?.key === "dog" || matches[0]?.key === "pets").toBe(true);
    const similarities = matches.map(({ similarity }) => similarity ?? 0);
    expect(similarities).toEqual(similarities.toSorted((a, b) => b - a));
  });

  it("finds by words, all of them before some, with phrases and exclusions", async () => {
    await fill("by-words");
    const words = (text: string) => keysFor("by-words", { query: text, mode: "text" });
    expect((await words("Which ships sail in the rain?")).toSorted()).toEqual(["ship", "storm"]);
    expect((await words("cat and dog playing"))[0]).toBe("pets");
    expect(await words('"dog play"')).toEqual(["pets"]);
    expect(await words("dog -cat")).toEqual(["dog"]);
    expect(await words("zebra")).toEqual([]);
    expect((await query("by-words", { query: "dog", mode: "text" })).matches[0]).toMatchObject({ similarity: null });
  });

  it("fuses both: what only words find and what only meaning finds is there, what both find is first", async () => {
    await fill("fused");
    const found = await query("fused", { query: "rain at dawn", mode: "hybrid", topK: 3 });
    expect(found.matches[0]?.key).toBe("storm");
    expect(found.matches.map(({ key }) => key)).toContain("ship");
    expect(await keysFor("fused", { query: "rain at dawn", mode: "hybrid", minScore: 0.5 })).toEqual(["storm"]);
  });

  it.each<[string, VectorFilter, string[]]>([
    ["equality", { topic: "cat" }, ["cat"]],
    ["null", { named: null }, ["ship"]],
    ["ne", { topic: { ne: "pets" }, legs: { exists: true } }, ["ship"]],
    ["in", { topic: { in: ["cat", "storm"] } }, ["cat", "storm"]],
    ["an empty in", { topic: { in: [] } }, []],
    ["ranges of numbers", { legs: { gt: 0, lte: 4 } }, ["pets"]],
    ["ranges of texts", { topic: { gte: "pets", lt: "ship" } }, ["pets"]],
    ["contains", { kinds: { contains: "dog" } }, ["pets"]],
    ["exists", { sea: { exists: true } }, ["ship"]],
    ["a number never for a text", { topic: { gt: 1 } }, []],
    ["a hostile name", { "x' or true --": "1" }, []],
    ["a hostile value", { topic: "cat' or '1'='1" }, []],
  ])("filters by %s", async (_name, filter, expected) => {
    if ((await db.query("select 1 from ai_vector_stores where slug = 'filtered'")).length === 0) await fill("filtered");
    const body = { query: "cat dog ship rain", topK: 10, filter };
    for (const mode of ["vector", "text", "hybrid"]) {
      expect((await keysFor("filtered", { ...body, mode })).toSorted()).toEqual(expected);
    }
  });

  it("refuses operators it does not know, and vectors of another length", async () => {
    await fill("strict");
    const filter = { topic: { like: "%" } };
    await expect(query("strict", { query: "cat", filter })).rejects.toMatchObject({ status: 400 });
    const short = { embedding: [1, 2], mode: "vector" };
    await expect(query("strict", short)).rejects.toMatchObject({ code: "VECTOR_DIMENSIONS", status: 422 });
    const items = [{ text: "x", embedding: [1] }];
    const upsert = stores.invoke("POST", "vector-stores/[id]/upsert", { params: { id: "strict" }, body: { items } });
    await expect(upsert).rejects.toMatchObject({ code: "VECTOR_DIMENSIONS" });
  });

  it("replaces by key, names a text without one by its content, and keeps odd characters out of harm", async () => {
    await fill("replaced");
    const params = { id: "replaced" };
    const upsert = (items: object[]) =>
      stores.invoke<{ keys: string[] }>("POST", "vector-stores/[id]/upsert", { params, body: { items } });
    await upsert([{ key: "cat", text: "rain rain" }]);
    expect(await keysFor("replaced", { query: "rain", mode: "vector", topK: 1 })).toEqual(["cat"]);
    const [first, again] = [
      await upsert([{ text: "Odd \u0000 \ud800" }]),
      await upsert([{ text: "Odd \u0000 \ud800" }]),
    ];
    expect(first.keys).toEqual(again.keys);
    expect(await stores.invoke("GET", "vector-stores/[id]", { params })).toMatchObject({ items: 6 });
  });

  it("gives a large store an index of its own with the same answers, and removes it with the store", async () => {
    const store = await fill("large");
    if (!extension) {
      await stores.invoke("DELETE", "vector-stores/[id]", { params: { id: "large" } });
      return;
    }
    const body = { query: "cat and dog", mode: "vector", topK: 3, filter: { topic: { ne: "pets" } } };
    const before = await query("large", body);
    expect(await indexIfLarge(db, await findStore(db, 1, "large"), 5)).toBe(true);
    expect(await stores.invoke("GET", "vector-stores/[id]", { params: { id: "large" } })).toMatchObject({
      search: "hnsw",
    });
    const { distance } = toComparison({ metric: "cosine", dimensions: 4, extension }, "'{1,0,0,0}'");
    const plan = await db.transaction(async (tx) => {
      await tx.query("set local enable_seqscan = off");
      await tx.query("set local enable_bitmapscan = off");
      return tx.query(
        `explain select id from ai_vector_items where vector_store_id = ${store.id} order by ${distance} limit 3`,
      );
    });
    expect(JSON.stringify(plan)).toContain(`ai_vector_items_hnsw_${store.id}`);
    expect((await query("large", body)).matches.map(({ key }) => key)).toEqual(before.matches.map(({ key }) => key));
    await stores.invoke("DELETE", "vector-stores/[id]", { params: { id: "large" } });
    const left = await db.query(`select 1 from pg_class where relname = 'ai_vector_items_hnsw_${store.id}'`);
    expect(left).toEqual([]);
  });

  it("shows a tenant nothing of another's, whatever it asks for", async () => {
    const mine = await fill("shared-name");
    const params = { id: String(mine.id) };
    const calls: [string, string, object?][] = [
      ["GET", "vector-stores/[id]"],
      ["PUT", "vector-stores/[id]", { name: "Theirs" }],
      ["DELETE", "vector-stores/[id]"],
      ["POST", "vector-stores/[id]/query", { query: "cat" }],
      ["POST", "vector-stores/[id]/upsert", { items: [{ key: "cat", text: "theirs" }] }],
    ];
    for (const [method, path, body] of calls) {
      const call = stores.invoke(method, path, { params, body, principal: stranger });
      await expect(call, `${method} ${path}`).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    for (const path of ["ai/rag/retrieve", "ai/rag/ask"]) {
      const body = { store: "shared-name", query: "cat" };
      await expect(stores.invoke("POST", path, { body, principal: stranger })).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
    }
    expect(await stores.invoke("GET", "vector-stores", { principal: stranger })).toEqual([]);
    const theirs = await fill("shared-name", "cosine", stranger);
    expect(theirs.id).not.toBe(mine.id);
    const body = { items: [{ key: "cat", text: "dog dog" }] };
    await stores.invoke("POST", "vector-stores/[id]/upsert", {
      params: { id: "shared-name" },
      body,
      principal: stranger,
    });
    const found = await query("shared-name", { query: "cat", mode: "vector", topK: 1 });
    expect(found.matches[0]?.text).toBe(texts.cat);
  });

  it("takes a slug once per tenant, and changes name and description only", async () => {
    await fill("once");
    const again = stores.invoke("POST", "vector-stores", {
      body: { name: "Once", embeddingModel: "openai:house-embed" },
    });
    await expect(again).rejects.toMatchObject({ code: "SLUG_TAKEN", path: "$.slug" });
    const body = { name: "Renamed", embeddingModel: "other:model" };
    expect(await stores.invoke("PUT", "vector-stores/[id]", { params: { id: "once" }, body })).toMatchObject({
      name: "Renamed",
      embeddingModel: "openai:house-embed",
    });
  });
});
