import type { ExecutionKind, RunEvent } from "@oven/contract";
import { useEffect, useRef, useState } from "react";
import { readEvents } from "../../providers/server-sent-events.ts";
import { kindOf } from "../workflows/workflow-kind.ts";
import { foldRunEvent, type LiveRun, NOTHING_YET } from "./fold-run-events.ts";

const RETRY_MS = [500, 1_000, 2_000, 5_000, 10_000];

export type Connection = "idle" | "open" | "lost" | "closed";

function toRunEvent(event: string, data: string): RunEvent {
  return { ...JSON.parse(data), event };
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
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
      for (let failures = 0; !signal.aborted && !state.ended; ) {
        try {
          const headers: Record<string, string> = { accept: "text/event-stream" };
          if (state.lastSeq > 0) headers["last-event-id"] = String(state.lastSeq);
          const response = await fetch(`/api/${executionResource}/${executionId}/events`, { headers, signal });
          if (response.status === 204 || (response.status >= 400 && response.status < 500)) break;
          if (response.ok && response.body !== null) {
            setConnection("open");
            failures = 0;
            for await (const { event, data } of readEvents(response.body)) accept(toRunEvent(event, data));
          }
        } catch (error) {
          if (signal.aborted) return;
          if (!(error instanceof TypeError)) throw error;
        }
        if (signal.aborted || state.ended) break;
        setConnection("lost");
        await pause(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 10_000, signal);
        failures += 1;
      }
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
