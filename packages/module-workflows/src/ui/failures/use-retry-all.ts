import type { FailureGroup, RedriveReport } from "@oven/contract/run";
import { api } from "@oven/ui/api/api-client.ts";
import { kindOf } from "@oven/ui/components/workflow-kind.ts";
import { useRef, useState } from "react";

/** So many runs are asked for at once: few enough that progress is seen and stopping works. */
const BATCH = 10;

export interface RetryState {
  /** How many runs are to be tried again. */
  total: number;
  report: RedriveReport;
  going: boolean;
  failure: unknown;
}

const NOTHING: RedriveReport = { retried: [], refused: [] };

/** Tries the open runs of a group again on the current version, batch by batch; what was begun stays begun. */
export function useRetryAll(
  group: FailureGroup,
  onDone: () => void,
): { state: RetryState | null; start: () => Promise<void>; stop: () => void } {
  const [state, setState] = useState<RetryState | null>(null);
  const stopped = useRef(false);
  const start = async (): Promise<void> => {
    stopped.current = false;
    const total = group.open.length;
    let report = NOTHING;
    let failure: unknown = null;
    setState({ total, report, going: true, failure });
    // The oldest first, as they once were asked for.
    const ids = group.open.toReversed();
    for (let at = 0; at < total && !stopped.current && failure === null; at += BATCH) {
      try {
        const body = { ids: ids.slice(at, at + BATCH), version: "current" };
        const path = `${kindOf(group.workflow.kind).executionResource}/redrive`;
        const next = (await api(path, { method: "POST", body })).json as RedriveReport; // cast: the shape of the route
        report = { retried: [...report.retried, ...next.retried], refused: [...report.refused, ...next.refused] };
      } catch (error) {
        failure = error;
      }
      setState({ total, report, going: true, failure });
    }
    setState({ total, report, going: false, failure });
    onDone();
  };
  return {
    state,
    start,
    stop: () => {
      stopped.current = true;
    },
  };
}
