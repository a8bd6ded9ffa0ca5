import { createRunTables, createWorkflowTables } from "@oven/module-workflows";

const definitions = createWorkflowTables("agent_");
export const agentWorkflows = definitions.workflows;
export const agentWorkflowVersions = definitions.versions;
export const agentWorkflowDrafts = definitions.drafts;
export const agentWorkflowTestData = definitions.testData;
export const agentWorkflowSeenDifferences = definitions.seenDifferences;

const runs = createRunTables("agent_", () => agentWorkflows.id);
export const agentWorkflowExecutions = runs.executions;
export const agentWorkflowNodeExecutions = runs.nodes;
