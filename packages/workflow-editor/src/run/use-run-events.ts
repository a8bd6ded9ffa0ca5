import type { ExecutionKind, RunEvent } from "@oven/contract/run";
import { followStream } from "@oven/ui/api/follow-stream.ts";
import { kindOf } from "@oven/ui/components/workflow-kind.ts";
import { useEffect, useRef, useState } from "react";
import { foldRunEvent, type LiveRun, NOTHING_YET } from "./fold-run-events.ts";

export type Connection = "idle" | "open" | "lost" | "closed";

function toRunEvent(event: string, data: string): RunEvent {
  return { ...JSON.parse(data), event };
}

/**
 * Follows the stream of a run while `active`, through reconnects, from where it was lost. `onChange` is called when
 * the rows of the API have changed, at most every 250 ms.
 */
export function useRunEvents(
  kind: ExecutionKind,
  executionId: number,
  active: boolean,
  onChange: () => void,
): { live: LiveRun; connection: Connection } {
  const [live, setLive] = useState<LiveRun>(NOTHING_YET);
  const [connection, setConnection] = useState<Connection>("idle");
  const { executionResource } = kindOf(kind);
  const notify = useRef(onChange);
  notify.current = onChange;

  useEffect(() => {
    setLive(NOTHING_YET);
    if (!active) return;
    const controller = new AbortController();
    const { signal } = controller;
    let state = NOTHING_YET;
    let drawn: ReturnType<typeof setTimeout> | null = null;
    let told: ReturnType<typeof setTimeout> | null = null;

    const accept = (event: RunEvent): void => {
      state = foldRunEvent(state, event);
      drawn ??= setTimeout(() => {
        drawn = null;
        setLive(state);
      }, 50);
      if (event.event === "text.delta") return;
      told ??= setTimeout(() => {
        told = null;
        notify.current();
      }, 250);
    };

    const follow = async (): Promise<void> => {
      await followStream({
        path: `${executionResource}/${executionId}/events`,
        lastEventId: () => (state.lastSeq > 0 ? String(state.lastSeq) : null),
        onEvent: ({ event, data }) => accept(toRunEvent(event, data)),
        onConnection: setConnection,
        isDone: () => state.ended,
        signal,
      });
      if (signal.aborted) return;
      setConnection("closed");
      notify.current();
    };
    void follow();
    return () => {
      controller.abort();
      if (drawn !== null) clearTimeout(drawn);
      if (told !== null) clearTimeout(told);
    };
  }, [executionResource, executionId, active]);

  return { live, connection };
}
