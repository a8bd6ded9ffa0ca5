import { type ExecutionStatus, isTerminal, type JsonObject, type RunEvent, type RunEventName } from "@oven/contract";
import type { Database } from "@oven/db";
import type { RunWatch } from "./run-watch.ts";

interface EventRow extends Record<string, unknown> {
  seq: number;
  event: RunEventName;
  at: Date;
  fields: JsonObject;
}

const BATCH = 500;
const POLL_MS = 1_000;
const COMMENT_MS = 15_000;
const encoder = new TextEncoder();

/** Entries of a run's log after `afterSeq`, in order. */
export async function readEvents(db: Database, executionId: number, afterSeq: number): Promise<RunEvent[]> {
  const rows = await db.query<EventRow>(
    `select seq, event, at, fields from run_events where execution_id = $1 and seq > $2::bigint order by seq limit ${BATCH}`,
    [executionId, afterSeq],
    "read-events",
  );
  return rows.map(({ seq, event, at, fields }) => ({ ...fields, seq, executionId, at: at.toISOString(), event }));
}

export interface StreamRequest {
  executionId: number;
  /** The last entry the client has. */
  afterSeq: number;
  signal: AbortSignal;
  status: () => Promise<{ status: ExecutionStatus; seq: number }>;
}

/**
 * The run's log as server-sent events: a view over what is persisted, so that a client can come back anywhere with
 * `Last-Event-ID`. Pulled by the reader: a slow one costs nothing. Closes after the log's last entry, `end`.
 */
export function streamEvents(db: Database, watch: RunWatch, request: StreamRequest): Response {
  const { executionId } = request;
  const gone = new AbortController();
  const signal = AbortSignal.any([request.signal, gone.signal]);
  let cursor = request.afterSeq;
  let lastSent = Date.now();
  const subscription = watch.subscribe(executionId);
  /** What comes next; undefined at the end. */
  const nextText = async (): Promise<string | undefined> => {
    try {
      while (!signal.aborted) {
        const { status, seq } = await request.status();
        const events = await readEvents(db, executionId, cursor);
        if (events.length > 0) {
          cursor = events.at(-1)?.seq ?? cursor;
          lastSent = Date.now();
          return events.map(toFrame).join("");
        }
        if (isTerminal(status) && cursor >= seq) break;
        if (Date.now() - lastSent >= COMMENT_MS) {
          lastSent = Date.now();
          return ": still here\n\n";
        }
        await subscription.wait(POLL_MS, signal);
      }
    } catch (error) {
      subscription.close();
      throw error;
    }
    subscription.close();
    return undefined;
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(encoder.encode(": connected\n\n")),
      pull: async (controller) => {
        const text = await nextText();
        if (text !== undefined) controller.enqueue(encoder.encode(text));
        else if (!gone.signal.aborted) controller.close();
      },
      // A reader that goes away ends the watching, whether or not the request is told.
      cancel: () => {
        gone.abort();
        subscription.close();
      },
    },
    { highWaterMark: 1 },
  );
  return new Response(stream, {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    },
  });
}

function toFrame({ event, ...data }: RunEvent): string {
  return `id: ${data.seq}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
