import { notFound } from "@oven/contract";
import type { MemoryEntry } from "@oven/contract/ai";
import type { Database, Queryable, Transaction } from "@oven/db";
import { and, eq, isNull, type SQL, sql } from "@oven/db/drizzle";
import { agentMemory } from "../schema.ts";
import type { MemoryOwner } from "./memory-owner.ts";

export type MemoryRow = typeof agentMemory.$inferSelect;

/** The name of a memory's text and vector in its store. */
export function itemKey(id: number): string {
  return `memory-${id}`;
}

export function notExpired(): SQL {
  return sql`(${agentMemory.expiresAt} is null or ${agentMemory.expiresAt} > now())`;
}

/** Rows of exactly this owner: no user's are everybody's, nor the other way round. */
export function ownedBy({ tenantId, agentId, agentWorkflowId, userId }: MemoryOwner): SQL | undefined {
  return and(
    eq(agentMemory.tenantId, tenantId),
    agentId === null ? isNull(agentMemory.agentId) : eq(agentMemory.agentId, agentId),
    agentWorkflowId === null ? isNull(agentMemory.agentWorkflowId) : eq(agentMemory.agentWorkflowId, agentWorkflowId),
    userId === null ? isNull(agentMemory.userId) : eq(agentMemory.userId, userId),
    notExpired(),
  );
}

/** @throws OvenError NOT_FOUND also for another tenant's row and for one that has expired */
export async function findMemory(on: Pick<Database, "orm">, tenantId: number, id: number): Promise<MemoryRow> {
  const [row] = await on.orm
    .select()
    .from(agentMemory)
    .where(and(eq(agentMemory.id, id), eq(agentMemory.tenantId, tenantId), notExpired()));
  if (row === undefined) throw notFound("Memory", id);
  return row;
}

/** Two runs that learn the same thing at once write it one after the other. */
export async function lockOwner(tx: Transaction, tenantId: number, word: string): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [`agent-memory:${tenantId}:${word}`]);
}

export interface ExpiredMemory extends Record<string, unknown> {
  id: number;
  agent_id: number | null;
  agent_workflow_id: number | null;
  vector_store_id: number | null;
}

/** Rows of the tenant whose time is over, removed. */
export async function takeExpired(on: Queryable, tenantId: number): Promise<ExpiredMemory[]> {
  return on.query(
    `delete from agent_memory where tenant_id = $1 and expires_at <= now()
     returning id, agent_id, agent_workflow_id, vector_store_id`,
    [tenantId],
  );
}

/** All rows of an agent, or of a workflow, removed. */
export async function takeOf(
  on: Queryable,
  tenantId: number,
  of: { agentId: number } | { agentWorkflowId: number },
): Promise<ExpiredMemory[]> {
  const [column, id] = "agentId" in of ? ["agent_id", of.agentId] : ["agent_workflow_id", of.agentWorkflowId];
  return on.query(
    `delete from agent_memory where tenant_id = $1 and ${column} = $2
     returning id, agent_id, agent_workflow_id, vector_store_id`,
    [tenantId, id],
  );
}

export function toMemoryEntry(row: MemoryRow, embedded: boolean): MemoryEntry {
  return {
    ...row,
    metadata: row.metadata ?? {},
    embedded,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
