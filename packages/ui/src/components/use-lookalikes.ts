import type { LookalikeGroups } from "@oven/contract";
import { useAnswer } from "./use-answer.ts";
import { useCan } from "./use-can.ts";
import type { WorkflowKind } from "./workflow-kind.ts";

/** Names of workflows that people take for each other; asked again when `again` is another. */
export function useLookalikes({ kind, resource }: WorkflowKind, again?: unknown): LookalikeGroups | undefined {
  const mayRead = useCan(`${resource}.read`);
  return useAnswer<LookalikeGroups>(mayRead ? `${kind}-lookalikes` : null, again).data;
}
