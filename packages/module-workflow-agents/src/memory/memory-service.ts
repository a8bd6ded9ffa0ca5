import type { Actor, JsonObject, ListParams, Principal } from "@oven/contract";
import { toActor } from "@oven/contract";
import type {
  CreateMemory,
  MemoryEntry,
  MemoryFact,
  MemoryMatch,
  MemoryStrategy,
  SearchMode,
  UpdateMemory,
} from "@oven/contract/ai";
import type { Database, Transaction } from "@oven/db";
import { and, eq, inArray } from "@oven/db/drizzle";
import type { Spend, StoreCall } from "@oven/module-ai";
import { listRows, type ServiceMap } from "@oven/module-registry";
import { agentMemory } from "../schema.ts";
import { type MemoryOwner, ownerWord, toOwner } from "./memory-owner.ts";
import {
  type ExpiredMemory,
  findMemory,
  itemKey,
  lockOwner,
  type MemoryRow,
  notExpired,
  ownedBy,
  takeExpired,
  takeOf,
  toMemoryEntry,
} from "./memory-rows.ts";
import { createMemoryWriter, toMemoryEvent, toText } from "./memory-writer.ts";

const DEFAULT_MEMORY_STORE = "agent-memory";

export interface RecallRequest {
  owner: MemoryOwner;
  query: string;
  strategy: MemoryStrategy;
  topK: number;
  minScore?: number | undefined;
  /** Slug or id of a vector store; absent: the tenant's own. */
  store?: string | undefined;
}

export interface RememberRequest {
  owner: MemoryOwner;
  /** `replaces`: the id of a memory of this owner that the fact contradicts or makes more exact. */
  facts: readonly (MemoryFact & { replaces?: number | undefined })[];
  metadata?: JsonObject;
  expiresAt?: Date | null;
  store?: string | undefined;
  actor: Actor;
}

export interface Remembered {
  id: number;
  key: string;
  content: string;
  change: "added" | "updated" | "unchanged";
}

/** Memories of agents: each belongs to one owner, and nobody else finds it. */
export interface AgentMemoryService {
  /** @throws OvenError NOT_FOUND for an unknown store, and what an embedding call throws */
  recall(request: RecallRequest, call: StoreCall): Promise<{ memories: MemoryMatch[]; spend: Spend }>;
  /**
   * Writes facts, one memory each. The same content again changes nothing; the same key, or a fact that replaces another,
   * updates that one.
   */
  remember(request: RememberRequest, call: StoreCall): Promise<{ memories: Remembered[]; spend: Spend }>;
  list(principal: Principal, params: ListParams): Promise<{ entries: MemoryEntry[]; total: number }>;
  get(tenantId: number, id: number): Promise<MemoryEntry>;
  create(principal: Principal, body: CreateMemory, call: StoreCall): Promise<MemoryEntry>;
  update(principal: Principal, id: number, change: UpdateMemory, call: StoreCall): Promise<MemoryEntry>;
  remove(principal: Principal, id: number): Promise<void>;
  /** Everything that an agent, or a workflow without one, remembers of anybody: for when it is deleted. */
  forget(tenantId: number, of: { agentId: number } | { agentWorkflowId: number }): Promise<void>;
}

declare module "@oven/module-registry" {
  interface ServiceMap {
    agentMemory: AgentMemoryService;
  }
}

const MODES: Record<MemoryStrategy, SearchMode> = { semantic: "vector", keyword: "text", hybrid: "hybrid" };
const SYSTEM: Actor = { kind: "system", id: null };

export function createAgentMemoryService(db: Database, services: ServiceMap): AgentMemoryService {
  const { vectorStores, events } = services;
  const { insert, change } = createMemoryWriter(services);

  async function storeFor(store: string | undefined, call: StoreCall): Promise<number> {
    if (store !== undefined && store !== DEFAULT_MEMORY_STORE) {
      return (await vectorStores.get(call.caller.tenantId, store)).id;
    }
    return vectorStores.ensure(
      {
        slug: DEFAULT_MEMORY_STORE,
        name: "Agent memory",
        description: "What agents remember",
        embeddingModel: "embed",
        metric: "cosine",
        language: "english",
      },
      call,
    );
  }

  async function inTransaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const result = await db.transaction(work);
    events.wake();
    return result;
  }

  async function forgetExpired(tenantId: number): Promise<void> {
    const known = await db.query("select 1 from agent_memory where tenant_id = $1 and expires_at <= now() limit 1", [
      tenantId,
    ]);
    if (known.length === 0) return;
    await inTransaction(async (tx) => clearUp(tx, tenantId, await takeExpired(tx, tenantId)));
  }

  /** What hangs on memories whose rows are gone. */
  async function clearUp(tx: Transaction, tenantId: number, gone: readonly ExpiredMemory[]): Promise<void> {
    for (const { id, agent_id: agentId, agent_workflow_id: agentWorkflowId, vector_store_id } of gone) {
      if (vector_store_id !== null) await vectorStores.removeItems(tx, tenantId, vector_store_id, [itemKey(id)]);
      await events.write(tx, [toMemoryEvent("deleted", { id, tenantId, agentId, agentWorkflowId }, SYSTEM)]);
    }
  }

  const embed = (storeId: number, facts: readonly MemoryFact[], call: StoreCall) =>
    vectorStores.embed(storeId, facts.map(toText), call);

  async function toEntries(rows: readonly MemoryRow[]): Promise<MemoryEntry[]> {
    const stores = new Map<string, { tenantId: number; storeId: number; keys: string[] }>();
    for (const { id, tenantId, vectorStoreId } of rows) {
      if (vectorStoreId === null) continue;
      const place = `${tenantId}/${vectorStoreId}`;
      const store = stores.get(place) ?? { tenantId, storeId: vectorStoreId, keys: [] };
      store.keys.push(itemKey(id));
      stores.set(place, store);
    }
    const found = new Set<string>();
    for (const { tenantId, storeId, keys } of stores.values()) {
      for (const key of await vectorStores.existing(tenantId, storeId, keys)) found.add(key);
    }
    return rows.map((row) => toMemoryEntry(row, found.has(itemKey(row.id))));
  }

  const one = async (row: MemoryRow): Promise<MemoryEntry> => {
    const [entry] = await toEntries([row]);
    if (entry === undefined) throw new Error(`memory ${row.id} is gone`);
    return entry;
  };

  return {
    async recall({ owner, query, strategy, topK, minScore, store }, call) {
      await forgetExpired(owner.tenantId);
      const storeId = await storeFor(store, call);
      const { matches, spend } = await vectorStores.query(
        storeId,
        {
          query,
          mode: MODES[strategy],
          topK,
          filter: { owner: ownerWord(owner) },
          rerank: false,
          ...(minScore === undefined ? {} : { minScore }),
        },
        call,
      );
      const ids = matches.map(({ key }) => Number(key.slice("memory-".length))).filter(Number.isSafeInteger);
      // The rows decide whose a memory is; the store only finds it.
      const rows =
        ids.length === 0
          ? []
          : await db.orm
              .select()
              .from(agentMemory)
              .where(and(ownedBy(owner), inArray(agentMemory.id, ids)));
      const memories = matches.flatMap(({ key, score, similarity }) => {
        const row = rows.find(({ id }) => itemKey(id) === key);
        return row === undefined ? [] : [{ ...toMemoryEntry(row, true), score, similarity }];
      });
      return { memories, spend };
    },

    async remember({ owner, facts, metadata = {}, expiresAt = null, store, actor }, call) {
      await forgetExpired(owner.tenantId);
      const storeId = await storeFor(store, call);
      const { embeddings, spend } = await embed(storeId, facts, call);
      const memories = await inTransaction(async (tx) => {
        await lockOwner(tx, owner.tenantId, ownerWord(owner));
        const remembered: Remembered[] = [];
        const known = new Map<number, MemoryRow>();
        const rows = await tx.orm
          .select()
          .from(agentMemory)
          .where(and(ownedBy(owner), eq(agentMemory.vectorStoreId, storeId)))
          .orderBy(agentMemory.id);
        for (const row of rows) known.set(row.id, row);
        for (const [index, { key, content, replaces }] of facts.entries()) {
          const all = [...known.values()];
          const same = all.find((row) => normal(row.content) === normal(content));
          const replaced = replaces === undefined ? undefined : known.get(replaces);
          const older = replaced ?? all.findLast((row) => normal(row.key) === normal(key));
          if (same !== undefined && (older === undefined || older.id === same.id)) {
            if (expiresAt !== null) await change(tx, same, { expiresAt }, undefined, actor);
            remembered.push({ id: same.id, key: same.key, content: same.content, change: "unchanged" });
            continue;
          }
          const values = { key, content, expiresAt, vectorStoreId: storeId };
          const embedding = embeddings[index] ?? [];
          const before = older && { content: older.content, updatedAt: older.updatedAt.toISOString() };
          const row =
            older === undefined
              ? await insert(tx, { ...owner, ...values, metadata }, embedding, actor)
              : await change(
                  tx,
                  older,
                  { ...values, metadata: { ...metadata, ...(before && { before }) } },
                  embedding,
                  actor,
                );
          known.set(row.id, row);
          remembered.push({ id: row.id, key, content, change: older === undefined ? "added" : "updated" });
        }
        return remembered;
      });
      return { memories, spend };
    },

    async list(principal, params) {
      const { id, agentId, agentWorkflowId, userId, key, content, tenantId, vectorStoreId, createdAt, updatedAt } =
        agentMemory;
      const { rows, total } = await listRows(db.orm, principal, params, {
        table: agentMemory,
        fields: { id, agentId, agentWorkflowId, userId, key, vectorStoreId, createdAt, updatedAt },
        search: [key, content],
        tenant: tenantId,
        where: notExpired(),
      });
      return { entries: await toEntries(rows), total };
    },

    get: async (tenantId, id) => one(await findMemory(db, tenantId, id)),

    async create(principal, body, call) {
      const owner = toOwner(principal.tenantId, body);
      const storeId = await storeFor(body.store, call);
      const { key, content, metadata, expiresAt } = body;
      const { embeddings } = await embed(storeId, [{ key, content }], call);
      const values = {
        ...owner,
        key,
        content,
        metadata: metadata ?? {},
        vectorStoreId: storeId,
        expiresAt: expiresAt == null ? null : new Date(expiresAt),
      };
      return one(await inTransaction((tx) => insert(tx, values, embeddings[0] ?? [], toActor(principal))));
    },

    async update(principal, id, { key, content, metadata, expiresAt }, call) {
      const row = await findMemory(db, principal.tenantId, id);
      const entry = await one(row);
      const storeId =
        entry.embedded && row.vectorStoreId !== null ? row.vectorStoreId : await storeFor(undefined, call);
      const fact = { key: key ?? row.key, content: content ?? row.content };
      const { embeddings } = await embed(storeId, [fact], call);
      const values = {
        ...fact,
        vectorStoreId: storeId,
        ...(metadata === undefined ? {} : { metadata: metadata ?? {} }),
        ...(expiresAt === undefined ? {} : { expiresAt: expiresAt === null ? null : new Date(expiresAt) }),
      };
      return one(await inTransaction((tx) => change(tx, row, values, embeddings[0] ?? [], toActor(principal))));
    },

    async forget(tenantId, of) {
      await inTransaction(async (tx) => clearUp(tx, tenantId, await takeOf(tx, tenantId, of)));
    },

    async remove(principal, id) {
      await inTransaction(async (tx) => {
        const row = await findMemory(tx, principal.tenantId, id);
        await tx.orm.delete(agentMemory).where(eq(agentMemory.id, id));
        if (row.vectorStoreId !== null) {
          await vectorStores.removeItems(tx, row.tenantId, row.vectorStoreId, [itemKey(id)]);
        }
        const { key: _, ...deleted } = row;
        await events.write(tx, [toMemoryEvent("deleted", deleted, toActor(principal))]);
      });
    },
  };
}

/** Two wordings that differ in case, spaces or the full stop are one. */
function normal(text: string): string {
  return text
    .trim()
    .replace(/\s+/g, " ")
    .replace(/[.!]+$/, "")
    .toLowerCase();
}
