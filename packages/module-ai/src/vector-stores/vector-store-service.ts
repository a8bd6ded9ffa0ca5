import type { ListParams, Principal } from "@oven/contract";
import type {
  AskAnswer,
  AskBody,
  CreateVectorStore,
  QueryVectors,
  QueryVectorsAnswer,
  RetrieveAnswer,
  RetrieveBody,
  UpdateVectorStore,
  VectorItem,
  VectorStore,
} from "@oven/contract/ai";
import type { Database, Queryable, Transaction } from "@oven/db";
import { listRows } from "@oven/module-registry";
import type { AiService } from "../service.ts";
import { aiVectorStores } from "../tables/ai-vector-stores.table.ts";
import { ask } from "./ask.ts";
import { embedFor, queryStore, type Spend, type StoreCall } from "./query-store.ts";
import { labelOf, markUntrusted } from "./untrusted-content.ts";
import { openVectorExtension } from "./vector-extension.ts";
import { dropIndex, indexedStores, indexIfLarge } from "./vector-index.ts";
import { deleteItems, existingKeys, keyOf, type NewItem, requireDimensions, writeItems } from "./vector-items.ts";
import {
  findStore,
  findStoreIfAny,
  insertStore,
  type StoreRow,
  toVectorStores,
  updateStore,
} from "./vector-store-rows.ts";

type StoreName = number | string;

/** Vector stores by id or slug, always of one tenant: the caller's. */
export interface VectorStoreService {
  list(principal: Principal, params: ListParams): Promise<{ stores: VectorStore[]; total: number }>;
  get(tenantId: number, store: StoreName): Promise<VectorStore>;
  /** @throws OvenError SLUG_TAKEN, and what an embedding call throws: the model is asked for the length of its vectors */
  create(body: CreateVectorStore, call: StoreCall): Promise<VectorStore>;
  /** The id of the store with that slug, which is made when it is missing. */
  ensure(body: CreateVectorStore & { slug: string }, call: StoreCall): Promise<number>;
  update(tenantId: number, store: StoreName, change: UpdateVectorStore): Promise<VectorStore>;
  /** With its items and documents. */
  remove(tenantId: number, store: StoreName): Promise<void>;
  /** @throws OvenError NOT_FOUND, VECTOR_DIMENSIONS, and what an embedding call throws */
  upsert(store: StoreName, items: readonly VectorItem[], call: StoreCall): Promise<{ keys: string[]; spend: Spend }>;
  /** Vectors of texts by the store's model, for `write`. */
  embed(
    store: StoreName,
    values: readonly string[],
    call: StoreCall,
  ): Promise<{ embeddings: number[][]; spend: Spend }>;
  /** Writes items whose vectors are known, inside the caller's transaction. */
  write(on: Transaction, tenantId: number, store: StoreName, items: readonly NewItem[]): Promise<void>;
  /** Inside the caller's transaction. @returns how many there were */
  removeItems(on: Queryable, tenantId: number, storeId: number, keys: readonly string[]): Promise<number>;
  /** Those of the keys that the store has. */
  existing(tenantId: number, storeId: number, keys: readonly string[]): Promise<Set<string>>;
  /** @throws OvenError NOT_FOUND, VECTOR_DIMENSIONS, and what a model call throws */
  query(store: StoreName, query: QueryVectors, call: StoreCall): Promise<QueryVectorsAnswer & { spend: Spend }>;
  /** As `query`, with the matches as marked text for a model. */
  retrieve(store: StoreName, body: RetrieveBody, call: StoreCall): Promise<RetrieveAnswer & { spend: Spend }>;
  /** @throws OvenError as `query`, and what a model call throws */
  ask(store: StoreName, body: AskBody, call: StoreCall): Promise<AskAnswer & { simulated: boolean }>;
}

declare module "@oven/module-registry" {
  interface ServiceMap {
    vectorStores: VectorStoreService;
  }
}

export interface VectorStoreDeps {
  db: Database;
  models: Pick<AiService, "embed" | "generate" | "resolve">;
}

export function createVectorStoreService({ db, models }: VectorStoreDeps): VectorStoreService {
  let opened: Promise<boolean> | undefined;
  const hasExtension = (): Promise<boolean> => {
    opened ??= openVectorExtension(db.system);
    return opened;
  };
  const find = (call: StoreCall, store: StoreName) => findStore(db, call.caller.tenantId, store);
  const toStores = async (rows: readonly StoreRow[]): Promise<VectorStore[]> =>
    toVectorStores(db, rows, (await hasExtension()) ? await indexedStores(db) : new Set());
  const toOne = async (row: StoreRow): Promise<VectorStore> => {
    const [store] = await toStores([row]);
    if (store === undefined) throw new Error(`vector store ${row.id} is gone`);
    return store;
  };
  const index = async (row: StoreRow): Promise<void> => {
    if (await hasExtension()) await indexIfLarge(db.system, row);
  };
  const search = async (row: StoreRow, query: QueryVectors, call: StoreCall) =>
    queryStore({ db, models, extension: await hasExtension() }, row, query, call);

  async function create(body: CreateVectorStore, call: StoreCall): Promise<StoreRow> {
    const { providerId, modelId } = await models.resolve(body.embeddingModel, call.caller.tenantId);
    const embeddingModel = `${providerId}:${modelId}`;
    const { dimensions } = await models.embed({ model: embeddingModel, values: ["How long are you?"], ...call });
    const { name, slug, description, metric, language } = body;
    return insertStore(db, call.caller.tenantId, {
      name,
      metric,
      language,
      embeddingModel,
      dimensions,
      ...(slug === undefined ? {} : { slug }),
      description: description ?? null,
    });
  }

  async function retrieve(row: StoreRow, body: RetrieveBody, call: StoreCall) {
    const found = await search(row, body, call);
    const passages = found.matches.map(({ text, source }) => ({ text, label: labelOf(source) }));
    return { ...found, context: markUntrusted(passages) };
  }

  return {
    async list(principal, params) {
      const { id, slug, name, embeddingModel, createdAt, updatedAt, tenantId } = aiVectorStores;
      const { rows, total } = await listRows(db.orm, principal, params, {
        table: aiVectorStores,
        fields: { id, slug, name, embeddingModel, createdAt, updatedAt },
        search: [name, slug],
        tenant: tenantId,
      });
      return { stores: await toStores(rows), total };
    },
    get: async (tenantId, store) => toOne(await findStore(db, tenantId, store)),
    create: async (body, call) => toOne(await create(body, call)),
    async ensure(body, call) {
      const known = () => findStoreIfAny(db, call.caller.tenantId, body.slug);
      const row = await known();
      if (row !== undefined) return row.id;
      try {
        return (await create(body, call)).id;
      } catch (error) {
        // Another call may have made it meanwhile.
        const made = await known();
        if (made === undefined) throw error;
        return made.id;
      }
    },
    update: async (tenantId, store, change) =>
      toOne(await updateStore(db, await findStore(db, tenantId, store), change)),
    async remove(tenantId, store) {
      const { id } = await findStore(db, tenantId, store);
      if (await hasExtension()) await dropIndex(db.system, id);
      await db.query("delete from ai_vector_stores where id = $1 and tenant_id = $2", [id, tenantId]);
    },
    async upsert(store, items, call) {
      const row = await find(call, store);
      for (const { embedding } of items) if (embedding !== undefined) requireDimensions(row, embedding);
      const missing = items.filter(({ embedding }) => embedding === undefined).map(({ text }) => text);
      const { embeddings, spend } = await embedFor(models, row, missing, call);
      const computed = embeddings[Symbol.iterator]();
      const written = items.map(({ key, text, metadata, embedding }) => ({
        key: key ?? keyOf(text),
        text,
        metadata: metadata ?? {},
        embedding: embedding ?? computed.next().value ?? [],
      }));
      await writeItems(db, row, written);
      await index(row);
      return { keys: written.map(({ key }) => key), spend };
    },
    embed: async (store, values, call) => embedFor(models, await find(call, store), values, call),
    write: async (on, tenantId, store, items) => writeItems(on, await findStore(on, tenantId, store), items),
    removeItems: (on, tenantId, id, keys) => deleteItems(on, { id, tenantId }, keys),
    existing: (tenantId, id, keys) => existingKeys(db, { id, tenantId }, keys),
    query: async (store, query, call) => search(await find(call, store), query, call),
    retrieve: async (store, body, call) => retrieve(await find(call, store), body, call),
    ask: async (store, body, call) => {
      const { model, system, ...search } = body;
      return ask(models, body, await retrieve(await find(call, store), search, call), call);
    },
  };
}
