import type { Trigger } from "@oven/contract/trigger";
import { useCan } from "@oven/ui/components/use-can.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { useGetList } from "react-admin";

const FIRST = { pagination: { page: 1, perPage: 50 }, sort: { field: "id", order: "ASC" as const } };

export interface Triggers {
  list: readonly Trigger[];
  refetch: () => void;
}

/** What starts a workflow by itself, as far as this person may see it. */
export function useTriggers({ kind }: WorkflowKind, workflowId: number): Triggers {
  const mayRead = useCan("triggers.read");
  const { data = [], refetch } = useGetList<Trigger>(
    "triggers",
    { ...FIRST, filter: { kind, workflowId } },
    { enabled: mayRead },
  );
  return { list: data, refetch: () => void refetch() };
}
