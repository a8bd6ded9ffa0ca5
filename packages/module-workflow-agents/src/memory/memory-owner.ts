import { OvenError } from "@oven/contract";

/** Whose memories: of one agent (or of a workflow without an agent), and of one user or of everybody. */
export interface MemoryOwner {
  tenantId: number;
  agentId: number | null;
  agentWorkflowId: number | null;
  /** Null: everybody's. It is never a wildcard. */
  userId: number | null;
}

/** The owner as one word, which the items of a vector store are filtered by. */
export function ownerWord({ agentId, agentWorkflowId, userId }: Omit<MemoryOwner, "tenantId">): string {
  const of = agentId === null ? `agent-workflow:${agentWorkflowId}` : `agent:${agentId}`;
  return userId === null ? of : `${of}/user:${userId}`;
}

interface Named {
  agentId?: number | null | undefined;
  agentWorkflowId?: number | null | undefined;
  userId?: number | null | undefined;
}

/** @throws OvenError MEMORY_OWNER_MISSING unless exactly one of agent and workflow is named */
export function toOwner(tenantId: number, { agentId, agentWorkflowId, userId }: Named): MemoryOwner {
  if ((agentId == null) === (agentWorkflowId == null)) {
    throw new OvenError("MEMORY_OWNER_MISSING", "A memory belongs to one agent, or to one agent workflow", {
      status: 422,
      path: "$.agentId",
      fix: "Give either `agentId` or `agentWorkflowId`",
    });
  }
  return {
    tenantId,
    agentId: agentId ?? null,
    agentWorkflowId: agentWorkflowId ?? null,
    userId: userId ?? null,
  };
}
