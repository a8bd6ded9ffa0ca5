import type { JsonObject } from "@oven/contract";
import type { NodeType } from "@oven/contract/node";
import { type Execution, isTerminal, type RunEvent } from "@oven/contract/run";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { useMemo } from "react";
import { useGetOne } from "react-admin";
import { toGraph } from "../graph/to-graph.ts";
import { type LiveText, toOpenTexts } from "./fold-run-events.ts";
import { type TimelineRow, toTimeline } from "./timeline.ts";
import { type Connection, useRunEvents } from "./use-run-events.ts";

export interface ShownRun {
  /** Undefined until it is there. */
  run: Execution | undefined;
  error: unknown;
  rows: TimelineRow[];
  writing: readonly LiveText[];
  /** The entries of its log, oldest first, without the pieces of streamed text. */
  events: readonly RunEvent[];
  connection: Connection;
  labels: Readonly<Record<string, string>>;
  /** What it ran, as far as it is known. */
  definition: JsonObject | undefined;
  refetch: () => void;
}

/** A run with its timeline, followed while it goes on. */
export function useShownRun(
  kind: WorkflowKind,
  id: number | null,
  definition: JsonObject | undefined,
  nodeTypes: readonly NodeType[] | undefined,
): ShownRun {
  const { data, error, refetch } = useGetOne<Execution>(
    kind.executionResource,
    { id: id ?? 0 },
    { enabled: id !== null, retry: false },
  );
  // Lists leave the nodes out, and what they showed is at hand at once.
  const run = id !== null && data?.id === id && "nodes" in data ? data : undefined;
  const { live, connection } = useRunEvents(kind.kind, id ?? 0, id !== null, () => void refetch());
  const going = run !== undefined && !isTerminal(run.status);
  const labels = useMemo(
    () => Object.fromEntries(toGraph(definition).nodes.map((node) => [node.id, node.label])),
    [definition],
  );
  const rows = useMemo(
    () =>
      run === undefined
        ? []
        : toTimeline({ nodes: run.nodes, live: going ? Object.values(live.nodes) : [], nodeTypes, labels }),
    [run, going, live.nodes, nodeTypes, labels],
  );
  return {
    run,
    error,
    rows,
    events: live.events,
    writing: run !== undefined && going ? toOpenTexts(live, run.nodes) : [],
    connection,
    labels,
    definition,
    refetch: () => void refetch(),
  };
}
