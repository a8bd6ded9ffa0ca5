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
  /** Words are read when they are shown: the kinds are loaded before the language is. */
  readonly title: string;
  /** With its article, inside a sentence. */
  readonly aWorkflow: string;
  readonly newWorkflow: string;
  /** What stands below the title of its runs. */
  readonly everyRun: string;
  readonly line: string;
  /** Servers over MCP are made for agent workflows only. */
  mcp: boolean;
}

/** Workflows with `agent.*` nodes. */
export const AGENT_WORKFLOWS: WorkflowKind = {
  kind: "agent-workflow",
  resource: "agent-workflows",
  executionResource: "agent-workflow-executions",
  workflowIdField: "agentWorkflowId",
  get title() {
    return t("Agent Workflows");
  },
  get aWorkflow() {
    return t("an agent workflow");
  },
  get newWorkflow() {
    return t("New agent workflow");
  },
  get everyRun() {
    return t("Every run of an agent workflow, newest first.");
  },
  get line() {
    return t("Graphs of models, tools and people. Each change makes a new version.");
  },
  mcp: true,
};

/** Workflows without agents. */
export const REGULAR_WORKFLOWS: WorkflowKind = {
  kind: "workflow",
  resource: "workflows",
  executionResource: "workflow-executions",
  workflowIdField: "workflowId",
  get title() {
    return t("Workflows");
  },
  get aWorkflow() {
    return t("a workflow");
  },
  get newWorkflow() {
    return t("New workflow");
  },
  get everyRun() {
    return t("Every run of a workflow, newest first.");
  },
  get line() {
    return t("Graphs of steps that call services, wait and decide. Each change makes a new version.");
  },
  mcp: false,
};

/** Both kinds, agent workflows first. */
export const WORKFLOW_KINDS: readonly WorkflowKind[] = [AGENT_WORKFLOWS, REGULAR_WORKFLOWS];

/** What the pages of a kind of workflow say and call. */
export function kindOf(kind: ExecutionKind): WorkflowKind {
  return kind === "workflow" ? REGULAR_WORKFLOWS : AGENT_WORKFLOWS;
}

/** The workflow of a run, whatever its kind. */
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
