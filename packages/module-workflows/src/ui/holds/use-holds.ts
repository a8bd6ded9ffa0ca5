import type { ExecutionKind, Hold } from "@oven/contract/run";
import { useCan } from "@oven/ui/components/use-can.ts";
import { useGetList } from "react-admin";

const ALL = { pagination: { page: 1, perPage: 200 }, sort: { field: "id", order: "DESC" as const } };
const REFRESH_MS = 10_000;

/** What a hold may be about: a run, a workflow, or all runs of the tenant. */
export interface HoldTarget {
  /** Ids of the run and of the root of its family. */
  runs?: readonly number[];
  workflow?: { kind: ExecutionKind; id: number };
}

/** The holds that keep a target from going on, those of all runs among them; the list itself for `refetch`. */
export function useHolds({ runs = [], workflow }: HoldTarget): { holds: Hold[]; refetch: () => void } {
  const mayRead = useCan("holds.read");
  const { data = [], refetch } = useGetList<Hold>("holds", ALL, { enabled: mayRead, refetchInterval: REFRESH_MS });
  const holds = data.filter((hold) => {
    if (hold.executionId !== null) return runs.includes(hold.executionId);
    return hold.workflow === null || (hold.workflow.kind === workflow?.kind && hold.workflow.id === workflow.id);
  });
  return { holds, refetch: () => void refetch() };
}
