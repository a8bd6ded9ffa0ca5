import type { JsonObject } from "@oven/contract";
import type { AgentReply } from "@oven/contract/agent";
import type { RunEvent } from "@oven/contract/run";
import { toEventStream } from "@oven/module-registry";

type Send = (event: string, data: JsonObject | AgentReply) => void;

export interface StreamedRun {
  executionId: number;
  /** Until the run has ended or waits; hands over each entry of its log on the way. */
  follow(onEvents: (events: readonly RunEvent[]) => Promise<void>, signal: AbortSignal): Promise<unknown>;
  reply(): Promise<AgentReply>;
  toError(error: unknown): JsonObject;
  signal: AbortSignal;
}

/**
 * A run of an agent as server-sent events: `run` (the handle), `text` (a piece of the answer), `text-discarded`, `tool-call`,
 * `tool-result`, `tool-error`, `review`, and at last `end` with the reply, or `error`. It closes when the run ends or waits.
 */
export function streamReply({ executionId, follow, reply, toError, signal }: StreamedRun): Response {
  return toEventStream(signal, async (write, watching) => {
    const send: Send = (event, data) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    try {
      send("run", { id: executionId });
      await follow(async (events) => {
        for (const event of events) toFrames(event, send);
      }, watching);
      if (!watching.aborted) send("end", await reply());
    } catch (error) {
      send("error", toError(error));
    }
  });
}

const FRAMES: Partial<Record<RunEvent["event"], string>> = {
  "text.delta": "text",
  "text.discarded": "text-discarded",
  "tool.started": "tool-call",
  "tool.completed": "tool-result",
  "tool.failed": "tool-error",
  "review.opened": "review",
};

function toFrames({ event, ...entry }: RunEvent, send: Send): void {
  const name = FRAMES[event];
  if (name !== undefined) send(name, entry as unknown as JsonObject); // cast: an entry of the log is JSON
}
