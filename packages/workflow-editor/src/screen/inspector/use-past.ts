import type { Json, JsonObject } from "@oven/contract";
import type { Execution, ExecutionKind, ExecutionSummary, RunCheckpoint } from "@oven/contract/run";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { useEffect, useMemo, useState } from "react";
import { useGetList, useGetOne } from "react-admin";
import { useCheckpoint, useCheckpoints } from "../../run/use-checkpoints.ts";

/** How many of the newest runs are offered. */
const LISTED = 20;
const NO_RUNS: readonly ExecutionSummary[] = [];
const NO_CHECKPOINTS: readonly RunCheckpoint[] = [];

/** The run that previews and last values are taken from, and where in it. */
export interface Past {
  /** Whose runs they are. */
  workflow: { kind: ExecutionKind; workflowId: number };
  run: Execution | undefined;
  runs: readonly ExecutionSummary[];
  checkpoints: readonly RunCheckpoint[];
  /** seq of a checkpoint; null: where the run stands now, or ended. */
  checkpoint: number | null;
  /** What variables have their values from; undefined: it is not here yet. */
  values: { input: Json; context: Json } | undefined;
  chooseRun: (id: number | null) => void;
  chooseCheckpoint: (seq: number | null) => void;
}

/** What was chosen for a workflow; null: the newest run, its end. */
interface Choice {
  run: number | null;
  checkpoint: number | null;
}

const NOTHING: Choice = { run: null, checkpoint: null };

function readChoice(key: string): Choice {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "null");
    if (typeof kept !== "object" || kept === null) return NOTHING;
    const { run, checkpoint } = kept as Partial<Choice>; // cast: what is in it is asked for next
    return {
      run: typeof run === "number" ? run : null,
      checkpoint: typeof run === "number" && typeof checkpoint === "number" ? checkpoint : null,
    };
  } catch (cause) {
    // Written by something else, or a browser that keeps nothing: the newest run is as good.
    if (cause instanceof SyntaxError || cause instanceof DOMException) return NOTHING;
    throw cause;
  }
}

export interface PastOptions {
  /** Whether a state is being looked at. */
  isOpen: boolean;
  /** Changes when a run that was started here begins or ends. */
  ran: string;
}

/** The past run to try things on: the newest, until another one is chosen, which this browser remembers for the workflow. */
export function usePast(kind: WorkflowKind, workflowId: number, { isOpen, ran }: PastOptions): Past {
  const key = `oven.preview.${kind.resource}.${workflowId}`;
  const [choice, setChoice] = useState(() => readChoice(key));
  const listed = useGetList<ExecutionSummary>(
    kind.executionResource,
    {
      filter: { [kind.workflowIdField]: workflowId },
      pagination: { page: 1, perPage: LISTED },
      sort: { field: "id", order: "DESC" },
    },
    { staleTime: 5_000 },
  );
  const runs = listed.data ?? NO_RUNS;
  const { refetch } = listed;
  const [known, setKnown] = useState(ran);
  useEffect(() => {
    if (known === ran) return;
    setKnown(ran);
    void refetch();
  }, [known, ran, refetch]);
  const newest = runs[0]?.id;
  const { data, isError } = useGetOne(
    kind.executionResource,
    { id: choice.run ?? newest ?? 0 },
    { enabled: choice.run !== null || newest !== undefined, retry: false },
  );
  // One that is gone is not missed: the newest takes its place.
  if (isError && choice.run !== null) setChoice(NOTHING);
  // What a list answered is at hand at once, and leaves the steps out.
  const run = data !== undefined && "nodes" in data ? (data as Execution) : undefined; // cast: the whole row of a run
  const path = run === undefined ? null : `${kind.executionResource}/${run.id}`;
  // To list them the server goes through the run: not before somebody looks at a state.
  const [wanted, setWanted] = useState(isOpen);
  if (isOpen && !wanted) setWanted(true);
  const checkpoints = useCheckpoints(wanted ? path : null).data ?? NO_CHECKPOINTS;
  const chosen = run !== undefined && run.id === choice.run ? choice.checkpoint : null;
  const { data: there } = useCheckpoint(path ?? "", path === null ? undefined : (chosen ?? undefined));
  const runId = run?.id ?? null;
  return useMemo((): Past => {
    const choose = (next: Choice): void => {
      setChoice(next);
      try {
        if (next.run === null) localStorage.removeItem(key);
        else localStorage.setItem(key, JSON.stringify(next));
      } catch (cause) {
        // Full, or not to be written to: then it holds until the page is left.
        if (!(cause instanceof DOMException)) throw cause;
      }
    };
    return {
      workflow: { kind: kind.kind, workflowId },
      run,
      runs,
      checkpoints,
      checkpoint: chosen,
      values: run === undefined ? undefined : chosen === null ? run : there && toValues(run, there.context),
      chooseRun: (id) => choose({ run: id, checkpoint: null }),
      chooseCheckpoint: (seq) => choose({ run: runId, checkpoint: seq }),
    };
  }, [kind, workflowId, key, run, runId, runs, checkpoints, chosen, there]);
}

function toValues(run: Execution, context: JsonObject): { input: Json; context: Json } {
  return { input: run.input, context };
}
