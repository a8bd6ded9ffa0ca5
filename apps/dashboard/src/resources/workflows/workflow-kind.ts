import type { ExecutionKind, ExecutionSummary } from "@oven/contract/run";
import { t } from "@oven/i18n";

/** What differs between the pages of the two kinds of workflow. */
export interface WorkflowKind {
  kind: ExecutionKind;
  /** Path of the API and of the page, and first part of the permissions. */
  resource: "workflows" | "agent-workflows";
  executionResource: "workflow-executions" | "agent-workflow-executions";
  /** Where a run names its workflow. */
  workflowIdField: "workflowId" | "agentWorkflowId";
  title: string;
  /** With its article, inside a sentence. */
  aWorkflow: string;
  newWorkflow: string;
  /** What stands below the title of its runs. */
  everyRun: string;
  line: string;
  /** Servers over MCP are made for agent workflows only. */
  mcp: boolean;
}

export const AGENT_WORKFLOWS: WorkflowKind = {
  kind: "agent-workflow",
  resource: "agent-workflows",
  executionResource: "agent-workflow-executions",
  workflowIdField: "agentWorkflowId",
  title: t("Agent Workflows"),
  aWorkflow: t("an agent workflow"),
  newWorkflow: t("New agent workflow"),
  everyRun: t("Every run of an agent workflow, newest first."),
  line: t("Graphs of models, tools and people. Each change makes a new version."),
  mcp: true,
};

export const REGULAR_WORKFLOWS: WorkflowKind = {
  kind: "workflow",
  resource: "workflows",
  executionResource: "workflow-executions",
  workflowIdField: "workflowId",
  title: t("Workflows"),
  aWorkflow: t("a workflow"),
  newWorkflow: t("New workflow"),
  everyRun: t("Every run of a workflow, newest first."),
  line: t("Graphs of steps that call services, wait and decide. Each change makes a new version."),
  mcp: false,
};

export const WORKFLOW_KINDS: readonly WorkflowKind[] = [AGENT_WORKFLOWS, REGULAR_WORKFLOWS];

export function kindOf(kind: ExecutionKind): WorkflowKind {
  return kind === "workflow" ? REGULAR_WORKFLOWS : AGENT_WORKFLOWS;
}

export function workflowIdOf(
  run: Pick<ExecutionSummary, "kind" | "workflowId" | "agentWorkflowId">,
): number | undefined {
  return run[kindOf(run.kind).workflowIdField];
}

/** The page of a run. */
export function runPath(kind: ExecutionKind, id: number): string {
  return `/${kindOf(kind).executionResource}/${id}/show`;
}

/** The page of a workflow. */
export function workflowPath(kind: ExecutionKind, id: number): string {
  return `/${kindOf(kind).resource}/${id}/show`;
}
