import { WORKFLOW_KINDS } from "@oven/ui/components/workflow-kind.ts";

/** The part of a filter of runs that says of which workflows; workflows of the two kinds have ids of their own. */
export interface RunsOf {
  resource: string;
  workflowId?: number;
  agentWorkflowId?: number;
}

/** Takes that part out of a filter. A workflow's id alone says its kind. */
export function runsOf(filter: Record<string, unknown>): {
  chosen: RunsOf | undefined;
  others: Record<string, unknown>;
} {
  const { resource, workflowId, agentWorkflowId, ...others } = filter;
  const named = WORKFLOW_KINDS.find(({ workflowIdField }) => filter[workflowIdField] !== undefined);
  const kind = named ?? WORKFLOW_KINDS.find(({ executionResource }) => executionResource === resource);
  if (kind === undefined) return { chosen: undefined, others };
  const id = filter[kind.workflowIdField];
  const chosen: RunsOf = { resource: kind.executionResource };
  return { chosen: id === undefined ? chosen : { ...chosen, [kind.workflowIdField]: Number(id) }, others };
}
