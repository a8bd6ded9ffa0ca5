import { OvenError } from "@oven/contract";
import { FIRST_VERSION, type Workflow } from "@oven/contract/workflow";

/** The version that runs; null: it is the one that the workflow was created with, which ends at once and belongs to no person. */
export function publishedVersion({ version, definition }: Workflow): number | null {
  return version === 1 && JSON.stringify(definition) === JSON.stringify(FIRST_VERSION) ? null : version;
}

/** What runs the published version would do nothing, and say that it was done. @throws OvenError INVALID_REQUEST */
export function requirePublished(workflow: Workflow): void {
  if (publishedVersion(workflow) !== null) return;
  throw new OvenError("INVALID_REQUEST", `Nothing of ${workflow.name} has been published yet`, {
    path: "$.workflow_id",
    fix: "Run its draft with test_agent_workflow, or publish it with publish_agent_workflow first.",
  });
}
