import type { ApiConnectionOperation, ApiConnectionOperationDetail, ApiOperation } from "@oven/contract/api";
import { hashJson, schemaNotes } from "@oven/engine";
import { pinnedState } from "@oven/module-agent-core";
import type { apiOperations } from "../schema.ts";

export type OperationRow = typeof apiOperations.$inferSelect;

/** The first part of the ids of operations as tools. */
export const API_NAMESPACE = "api";

export function toToolId(connection: string, operation: string): string {
  return `${API_NAMESPACE}.${connection}.${operation}`;
}

/** What a model sees and what is sent. Sections, deprecation and problems decide nothing and may change. */
export function pinOf({ tags: _tags, deprecated: _old, problem: _problem, ...pinned }: ApiOperation): string {
  return hashJson(pinned);
}

export function toOperation(row: OperationRow): ApiConnectionOperation {
  const { id, connectionId, toolId, name, problem, listed, listedHash, approvedBy, approvedAt } = row;
  const { title, description, method, path, tags, deprecated, reads } = listed;
  return {
    ...{ id, connectionId, toolId, name, title, description, method, path, tags, deprecated, reads, problem },
    state: pinnedState(row),
    hash: listedHash,
    effect: row.effect,
    needsApproval: row.needsApproval,
    approvalWhen: row.approvalWhen,
    approvedBy,
    approvedAt: approvedAt?.toISOString() ?? null,
  };
}

export function toDetail(row: OperationRow): ApiConnectionOperationDetail {
  const { listed, approved, problem } = row;
  return {
    ...toOperation(row),
    listed,
    approved,
    notes: problem === null ? schemaNotes(listed.inputSchema) : [],
  };
}
