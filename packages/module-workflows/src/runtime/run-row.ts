import type { ExecutionKind, Json, JsonObject, Principal, RunOptions } from "@oven/contract";
import type { ContextSnapshot, ParentLink, RunRecord, RunState, Seed, StoredRow } from "@oven/engine";
import { runAgentOf } from "../definitions/called-workflows.ts";

export interface RunRow extends Record<string, unknown> {
  id: number;
  tenant_id: number;
  workflow_id: number;
  workflow_version: number;
  workflow_name: string;
  agent_id: number | null;
  session_id: number | null;
  principal: Principal;
  input: JsonObject;
  parent_id: number | null;
  parent_node_id: string | null;
  parent_visit: number | null;
  parent_item: string | null;
  parent_seq: number | null;
  part: string | null;
  root_id: number | null;
  depth: number;
  options: RunOptions | null;
  pinned_calls: Record<string, number> | null;
  trigger_event: string | null;
  status: RunRecord["status"];
  created_at: Date;
  started_at: Date | null;
  epoch: number;
  seq: number;
  taken_over: boolean;
  signalled: boolean;
  state: RunState | Seed | null;
  context: JsonObject | null;
  context_writers: Record<string, string> | null;
  context_seq: number;
}

export const RUN_COLUMNS = `e.id, e.tenant_id, e.workflow_version, e.agent_id, e.session_id, e.principal, e.input, e.parent_id, e.parent_node_id,
  e.parent_visit, e.parent_item, e.parent_seq, e.root_id, e.part, e.depth, e.options, e.pinned_calls, e.trigger_event, e.status, e.created_at, e.started_at,
  e.epoch, e.seq, e.state, e.context, e.context_writers, e.context_seq`;

export const NODE_COLUMNS = "node_id, visit, item, attempt, status, input, output, wait, error_info, duration_ms";

export function toRecord(row: RunRow, kind: ExecutionKind): RunRecord {
  return {
    id: row.id,
    kind,
    workflowId: row.workflow_id,
    workflowVersion: row.workflow_version,
    tenantId: row.tenant_id,
    input: row.input,
    principal: row.principal,
    parent: toLink(row),
    rootId: row.root_id ?? row.id,
    part: row.part,
    depth: row.depth,
    options: row.options,
    pinnedCalls: row.pinned_calls,
    agent: runAgentOf({ agentId: row.agent_id, sessionId: row.session_id, pinnedCalls: row.pinned_calls }),
    status: row.status,
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    epoch: row.epoch,
    seq: row.seq,
    takenOver: row.taken_over,
    signalled: row.signalled,
    ...(row.seq === 0 ? { state: null, seed: toSeedOf(row) } : { state: row.state as RunState, seed: null }), // cast: a commit wrote it
    snapshot: row.seq === 0 ? null : toSnapshot(row),
  };
}

function toSnapshot({ context, context_writers, context_seq }: RunRow): ContextSnapshot | null {
  return context === null ? null : { seq: context_seq, values: context, writers: context_writers ?? {} };
}

/** A run that takes another one over has something to begin with before its first commit. */
function toSeedOf(row: RunRow): RunRecord["seed"] {
  const context = toSnapshot(row);
  return row.state === null || context === null ? null : { state: row.state as Seed, context }; // cast: insertExecution wrote it
}

function toLink({ parent_id, parent_node_id, parent_visit, parent_item, parent_seq }: RunRow): ParentLink | null {
  if (parent_id === null) return null;
  const [nodeId, visit, seq] = [parent_node_id ?? "", parent_visit ?? 1, parent_seq ?? 0];
  return { executionId: parent_id, nodeId, visit, item: parent_item, seq };
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
