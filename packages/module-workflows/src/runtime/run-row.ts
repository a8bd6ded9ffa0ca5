import type { Json, JsonObject } from "@oven/contract";
import type { ExecutionKind } from "@oven/contract/run";
import type { ContextSnapshot, ParentLink, RunRecord, RunState, Seed, StoredRow } from "@oven/engine";
import { runAgentOf } from "../definitions/called-workflows.ts";
import type { RunRow } from "./run-columns.ts";

export const NODE_COLUMNS = "node_id, visit, item, attempt, status, input, output, wait, error_info, duration_ms";

export function toRecord(row: RunRow, kind: ExecutionKind): RunRecord {
  const { id, workflowId, workflowVersion, tenantId, principal, part, depth, options, pinnedCalls } = row;
  const { agentId, sessionId, createdAt, startedAt, epoch, seq, takenOver, signalled } = row;
  return {
    id,
    kind,
    workflowId,
    workflowVersion,
    tenantId,
    input: row.input as JsonObject, // cast: every start checks it
    principal,
    parent: toLink(row),
    rootId: row.rootId ?? id,
    part,
    depth,
    options,
    pinnedCalls,
    agent: runAgentOf({ agentId, sessionId, pinnedCalls }),
    status: row.status as RunRecord["status"], // cast: only the engine writes it
    createdAt: createdAt.toISOString(),
    startedAt: startedAt?.toISOString() ?? null,
    epoch,
    seq,
    takenOver,
    signalled,
    ...(seq === 0 ? { state: null, seed: toSeedOf(row) } : { state: row.state as RunState, seed: null }), // cast: a commit wrote it
    snapshot: seq === 0 ? null : toSnapshot(row),
  };
}

function toSnapshot({ context, contextWriters, contextSeq }: RunRow): ContextSnapshot | null {
  return context === null ? null : { seq: contextSeq, values: context, writers: contextWriters ?? {} };
}

/** A run that takes another one over has something to begin with before its first commit. */
function toSeedOf(row: RunRow): RunRecord["seed"] {
  const context = toSnapshot(row);
  return row.state === null || context === null ? null : { state: row.state as Seed, context }; // cast: insertExecution wrote it
}

function toLink({ parentId, parentNodeId, parentVisit, parentItem, parentSeq }: RunRow): ParentLink | null {
  if (parentId === null) return null;
  return {
    executionId: parentId,
    nodeId: parentNodeId ?? "",
    visit: parentVisit ?? 1,
    item: parentItem,
    seq: parentSeq ?? 0,
  };
}

export interface NodeRow extends Record<string, unknown> {
  node_id: string;
  visit: number;
  item: string | null;
  attempt: number;
  status: StoredRow["status"];
  input: Json;
  output: Json;
  wait: StoredRow["wait"];
  error_info: StoredRow["error"];
  duration_ms: number | null;
}

export function toStoredRow(row: NodeRow): StoredRow {
  return {
    nodeId: row.node_id,
    visit: row.visit,
    item: row.item,
    attempt: row.attempt,
    status: row.status,
    input: row.input,
    output: row.output,
    wait: row.wait,
    error: row.error_info,
    durationMs: row.duration_ms,
  };
}
