import { createWorkflowTables } from "../definitions/workflow-tables.ts";
import { createRunTables } from "./run-tables.ts";

const definitions = createWorkflowTables("");
export const workflows = definitions.workflows;
export const workflowVersions = definitions.versions;
export const workflowDrafts = definitions.drafts;
export const workflowTestData = definitions.testData;
export const workflowSeenDifferences = definitions.seenDifferences;

const runs = createRunTables("", () => workflows.id);
export const workflowExecutions = runs.executions;
export const nodeExecutions = runs.nodes;

/** All of this kind. */
export const regularTables = {
  workflows,
  versions: workflowVersions,
  drafts: workflowDrafts,
  testData: workflowTestData,
  seenDifferences: workflowSeenDifferences,
  executions: workflowExecutions,
  nodes: nodeExecutions,
};
