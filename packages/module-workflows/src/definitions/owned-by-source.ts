import { OvenError } from "@oven/contract";
import { sourceOf } from "@oven/contract/format";
import type { UpdateWorkflow, Workflow } from "@oven/contract/workflow";

/**
 * What a document of another format compiles to is changed there alone: the next change of the document would undo any other.
 * @throws OvenError WORKFLOW_OWNED 409
 */
export function requireNotOwned({ name, definition }: Pick<Workflow, "name" | "definition">): void {
  const source = sourceOf(definition);
  if (source === null) return;
  const { format } = source;
  throw new OvenError("WORKFLOW_OWNED", `${name} is kept by its document, a ${format}`, {
    status: 409,
    fix: "Change it in its own form or through its format's API, or convert it: POST /api/workflow-formats/[format]/[workflow]/convert makes a copy of your own.",
    details: { format },
  });
}

/** Whether it changes what the document says. */
export function changesDefinition({ definition, agentConfig, memoryConfig }: UpdateWorkflow): boolean {
  return definition !== undefined || agentConfig != null || memoryConfig != null;
}
