import type { Actor, NewEvent } from "@oven/contract";
import type { MemoryFact } from "@oven/contract/ai";
import type { Transaction } from "@oven/db";
import { and, eq, sql } from "@oven/db/drizzle";
import type { ServiceMap } from "@oven/module-registry";
import { agentMemory } from "../schema.ts";
import { ownerWord } from "./memory-owner.ts";
import { itemKey, type MemoryRow } from "./memory-rows.ts";

/** An event of a memory, delivered once its transaction has committed. */
export function toMemoryEvent(
  change: "created" | "updated" | "deleted",
  row: Pick<MemoryRow, "id" | "tenantId" | "agentId" | "agentWorkflowId"> & { key?: string },
  actor: Actor,
): NewEvent {
  return {
    name: `agents-workflow.memory.${change}`,
    tenantId: row.tenantId,
    actor,
    payload: {
      id: row.id,
      agentId: row.agentId,
      agentWorkflowId: row.agentWorkflowId,
      ...(row.key === undefined ? {} : { key: row.key }),
    },
    orderKey: `memory:${row.id}`,
  };
}

/** What is searched: the key says what the content is about. */
export function toText({ key, content }: MemoryFact): string {
  return `${key}: ${content}`;
}

/** Writes a memory's row, its item in the vector store and its event, all in the caller's transaction. */
export function createMemoryWriter({ vectorStores, events }: Pick<ServiceMap, "vectorStores" | "events">) {
  async function writeItem(tx: Transaction, row: MemoryRow, embedding: readonly number[]): Promise<void> {
    if (row.vectorStoreId === null) throw new Error(`memory ${row.id} has no vector store`);
    const metadata = { owner: ownerWord(row), memoryId: row.id };
    const item = { key: itemKey(row.id), text: toText(row), metadata, embedding };
    await vectorStores.write(tx, row.tenantId, row.vectorStoreId, [item]);
  }

  async function insert(
    tx: Transaction,
    values: typeof agentMemory.$inferInsert,
    embedding: readonly number[],
    actor: Actor,
  ): Promise<MemoryRow> {
    const [row] = await tx.orm.insert(agentMemory).values(values).returning();
    if (row === undefined) throw new Error("the memory was not written");
    await writeItem(tx, row, embedding);
    await events.write(tx, [toMemoryEvent("created", row, actor)]);
    return row;
  }

  async function change(
    tx: Transaction,
    { id, tenantId }: Pick<MemoryRow, "id" | "tenantId">,
    values: Partial<typeof agentMemory.$inferInsert>,
    embedding: readonly number[] | undefined,
    actor: Actor,
  ): Promise<MemoryRow> {
    const [row] = await tx.orm
      .update(agentMemory)
      .set({ ...values, updatedAt: sql`now()` })
      .where(and(eq(agentMemory.id, id), eq(agentMemory.tenantId, tenantId)))
      .returning();
    if (row === undefined) throw new Error(`memory ${id} is gone`);
    if (embedding !== undefined) await writeItem(tx, row, embedding);
    await events.write(tx, [toMemoryEvent("updated", row, actor)]);
    return row;
  }

  return { insert, change };
}
