import type { TagCount } from "@oven/contract";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";

/** The tags in use, the most used first; read again when `again` is another. */
export function useTags({ kind, resource }: WorkflowKind, again?: unknown): readonly TagCount[] {
  const mayRead = useCan(`${resource}.read`);
  return useAnswer<TagCount[]>(mayRead ? `${kind}-tags` : null, again).data ?? [];
}
