import type { ExecutionKind } from "@oven/contract/run";

/** The two kinds of workflow share all code; this is what differs by name. */
export interface WorkflowKind {
  kind: ExecutionKind;
  /** First part of event and API node names. */
  namespace: "workflows" | "agents-workflow";
  /** Path and permission resource of definitions. */
  resource: "workflows" | "agent-workflows";
  executionResource: "workflow-executions" | "agent-workflow-executions";
  /** Name of the workflow's id in API rows and events. */
  workflowIdField: "workflowId" | "agentWorkflowId";
  title: string;
}

/** `an agent workflow`, `a workflow`. */
export function withArticle(title: string): string {
  return `${/^[aeiou]/.test(title) ? "an" : "a"} ${title}`;
}

/** Workflows without agents. */
export const REGULAR: WorkflowKind = {
  kind: "workflow",
  namespace: "workflows",
  resource: "workflows",
  executionResource: "workflow-executions",
  workflowIdField: "workflowId",
  title: "workflow",
};

/** Agent workflows: the kind whose tables and routes begin with `agent-`. */
export const AGENT: WorkflowKind = {
  kind: "agent-workflow",
  namespace: "agents-workflow",
  resource: "agent-workflows",
  executionResource: "agent-workflow-executions",
  workflowIdField: "agentWorkflowId",
  title: "agent workflow",
};
