import type { ExecutionSummary } from "@oven/contract";
import type { RunCommit } from "@oven/engine";
import type { LeasedRun } from "../runtime/insert-execution.ts";
import { storable } from "../runtime/statement-builder.ts";
import { toSummary } from "./execution-row.ts";

/**
 * The summary of a run after its last commit, without reading it: the process that inserted the run and made the commit has all of it.
 * @param output as JSON
 */
export function toEndedSummary(
  { row, kind, shown }: LeasedRun,
  columns: RunCommit["columns"],
  output: string,
): ExecutionSummary {
  const { errorInfo } = columns;
  const ended = {
    ...shown,
    ...columns,
    id: row.id,
    tenantId: row.tenant_id,
    workflowId: row.workflow_id,
    workflowVersion: row.workflow_version,
    agentId: row.agent_id,
    sessionId: row.session_id,
    parentId: null,
    rootId: null,
    parentNodeId: null,
    parentVisit: null,
    parentItem: null,
    part: row.part,
    depth: row.depth,
    options: row.options,
    // What a column would give back.
    output: JSON.parse(output),
    error: asText(errorInfo?.message ?? null),
    outcome: asText(columns.outcome),
    currentState: storable(columns.currentState),
    createdAt: row.created_at,
    waitingUntil: toDate(columns.waitingUntil),
    startedAt: toDate(columns.startedAt),
    completedAt: toDate(columns.completedAt),
  };
  return toSummary(ended, kind.kind, { name: row.workflow_name, slug: shown.workflowSlug });
}

function asText(text: string | null): string | null {
  return text === null ? null : storable(text);
}

function toDate(instant: string | null): Date | null {
  return instant === null ? null : new Date(instant);
}
