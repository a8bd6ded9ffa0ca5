import { WORKFLOW_KINDS, type WorkflowKind } from "@oven/ui/components/workflow-kind.ts";

/** The kinds whose workflows a person may see; both while that is not known yet, because the server decides. */
export function readableKinds(can: (permissions: readonly string[]) => boolean): readonly WorkflowKind[] {
  const readable = WORKFLOW_KINDS.filter(({ resource }) => can([`${resource}.read`]));
  return readable.length === 0 ? WORKFLOW_KINDS : readable;
}
