import type { Json } from "@oven/contract";
import type { Execution, ExecutionStatus, ExecutionSummary, NodeRun, NodeStatus } from "@oven/contract/run";
import { expandInput } from "@oven/engine";
import { shownTenant } from "../definitions/workflow-row.ts";
import type { RunTables } from "../tables/run-tables.ts";
import type { WorkflowKind } from "../workflow-kind.ts";

export type ExecutionRow = RunTables["executions"]["$inferSelect"];
export type NodeRow = RunTables["nodes"]["$inferSelect"];

/** What lists leave out. */
type Heavy =
  | "input"
  | "context"
  | "contextWriters"
  | "contextSeq"
  | "stateValue"
  | "checkpoint"
  | "state"
  | "principal";
type Internal = "epoch" | "seq" | "leaseOwner" | "leaseUntil" | "wakeAt" | "parentSeq" | "pinnedCalls";
export type SummaryRow = Omit<ExecutionRow, Heavy | Internal>;

export function toSummary(
  row: SummaryRow,
  kind: WorkflowKind,
  workflow: { name: string; slug: string } | undefined,
): ExecutionSummary {
  const { workflowId } = row;
  return {
    id: row.id,
    kind: kind.kind,
    ...(kind.kind === "workflow" ? { workflowId } : { agentWorkflowId: workflowId }),
    workflowName: workflow?.name ?? "",
    workflowSlug: workflow?.slug ?? "",
    workflowVersion: row.workflowVersion,
    tenantId: shownTenant(row.tenantId),
    status: row.status as ExecutionStatus, // cast: only the engine writes it
    outcome: row.outcome,
    currentState: row.currentState,
    activeStates: row.activeStates,
    waitingUntil: row.waitingUntil?.toISOString() ?? null,
    output: row.output,
    agentId: row.agentId,
    sessionId: row.sessionId,
    triggerEvent: row.triggerEvent,
    triggeredBy: row.triggeredBy,
    parentId: row.parentId,
    rootId: row.rootId ?? row.id,
    parentNodeId: row.parentNodeId,
    parentVisit: row.parentVisit,
    parentItem: row.parentItem,
    part: row.part,
    depth: row.depth,
    retryOf: row.retryOf,
    forkOf: row.forkOf,
    originSeq: row.originSeq,
    options: row.options ?? null,
    priority: row.priority,
    tokenUsage: row.tokenUsage,
    costMicros: row.costMicros,
    steps: row.steps,
    simulated: row.simulated,
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    completedAt: row.completedAt?.toISOString() ?? null,
    error: row.error,
    errorInfo: row.errorInfo ?? null,
  };
}

export function toExecution(
  row: ExecutionRow,
  kind: WorkflowKind,
  workflow: { name: string; slug: string } | undefined,
  more: { context: Json; nodes: NodeRun[] },
): Execution {
  return {
    ...toSummary(row, kind, workflow),
    input: row.input,
    context: more.context,
    stateValue: row.stateValue,
    checkpoint: row.checkpoint ?? null,
    nodes: more.nodes,
  };
}

/** @param messages the run's conversation, which stored inputs refer to instead of copying it */
export function toNodeRun(row: NodeRow, messages: Json): NodeRun {
  return {
    id: row.id,
    executionId: row.executionId,
    nodeId: row.nodeId,
    parentNodeId: row.parentNodeId,
    nodeType: row.nodeType,
    nodeVersion: row.nodeVersion,
    visit: row.visit,
    attempt: row.attempt,
    item: row.item,
    status: row.status as NodeStatus, // cast: only the engine writes it
    input: expandInput(row.input, messages),
    output: row.output,
    tokenUsage: row.tokenUsage ?? null,
    toolCalls: row.toolCalls ?? null,
    costMicros: row.costMicros,
    error: row.error,
    errorInfo: row.errorInfo ?? null,
    durationMs: row.durationMs,
    startedAt: row.startedAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? null,
  };
}
