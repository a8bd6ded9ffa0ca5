import { type McpEnvelope, type McpRunView, RUN_VIEW_TOOL } from "@oven/contract/mcp";
import { toApiError } from "@oven/ui/api/api-error.ts";
import { useCallback, useEffect, useState } from "react";
import type { Host, ToolResult } from "./host.ts";
import { nextShown, type ShownReview } from "./shown-review.ts";

const LOOK_EVERY_MS = 2_000;
const TERMINAL: readonly string[] = ["completed", "failed", "cancelled"];

export interface FollowedRun {
  /** Undefined: nothing is known of it yet. */
  view: McpRunView | undefined;
  shown: ShownReview | undefined;
  failure: unknown;
  /** Why there will be no run. */
  cancelled: boolean;
  /** Looks again now; undefined: there is no run to look at. */
  look: (() => void) | undefined;
  /** Shows what the review has become. */
  showChanged: () => void;
}

/** The run in what a tool answered, and from then on as it is, until it has ended. */
export function useRunView(host: Host): FollowedRun {
  const [runId, setRunId] = useState<number>();
  const [view, setView] = useState<McpRunView>();
  const [shown, setShown] = useState<ShownReview>();
  const [failure, setFailure] = useState<unknown>(null);
  const [cancelled, setCancelled] = useState(false);

  useEffect(() => {
    host.on("ui/notifications/tool-result", (params) => {
      try {
        setRunId(runIn(params as ToolResult)); // cast: the protocol's
      } catch (error) {
        setFailure(error);
      }
    });
    host.on("ui/notifications/tool-cancelled", () => setCancelled(true));
    host.begin();
  }, [host]);

  const look = useCallback(async () => {
    if (runId === undefined) return;
    try {
      const next = toValue<McpRunView>(await host.callTool(RUN_VIEW_TOOL, { id: runId }));
      setView(next);
      setShown((before) => nextShown(before, next.reviews));
      setFailure(null);
    } catch (error) {
      setFailure(error);
    }
  }, [host, runId]);

  const isOver = view !== undefined && TERMINAL.includes(view.envelope.status);
  useEffect(() => {
    if (runId === undefined || isOver) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let left = false;
    const follow = async (isFirst: boolean): Promise<void> => {
      // A view that is not seen asks for nothing.
      if (isFirst || document.visibilityState === "visible") await look();
      if (!left) timer = setTimeout(() => void follow(false), LOOK_EVERY_MS);
    };
    void follow(true);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [look, runId, isOver]);

  const showChanged = () =>
    setShown((now) => (now?.changed === undefined ? now : { review: now.changed, changed: undefined }));
  const lookNow = runId === undefined ? undefined : () => void look();
  return { view, shown, failure, cancelled, look: lookNow, showChanged };
}

/** @throws ApiError when the tool refused */
function runIn(result: ToolResult): number {
  const envelope = valueIn(result) as Partial<McpEnvelope> | undefined; // cast: looked at below
  const id = envelope?.run?.id;
  if (typeof id === "number") return id;
  throw toApiError(409, textOf(result));
}

/** What a tool answered. @throws ApiError when it refused */
export function toValue<Value>(result: ToolResult): Value {
  if (result.isError === true) throw toApiError(409, textOf(result));
  return valueIn(result) as Value; // cast: the tool's output schema, which the server checks
}

/** Clients that drop the structured content hand on the text, which is the same. */
function valueIn(result: ToolResult): unknown {
  if (result.structuredContent !== undefined) return result.structuredContent;
  try {
    return JSON.parse(textOf(result));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function textOf({ content }: ToolResult): string {
  return content?.find(({ type }) => type === "text")?.text ?? "";
}
