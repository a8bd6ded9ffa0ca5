import type { TagCount } from "@oven/contract";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";

/** The tags in use, the most used first; read again when `again` is another. */
export function useTags({ kind }: WorkflowKind, again?: unknown): readonly TagCount[] {
  return useAnswer<TagCount[]>(`${kind}-tags`, again).data ?? [];
}
