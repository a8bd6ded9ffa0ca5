import type { JsonObject } from "@oven/contract";
import { type ExecutionStatus, isTerminal, type RunEvent, type RunEventName } from "@oven/contract/run";
import type { Database } from "@oven/db";
import type { RunSubscription, RunWatch } from "./run-watch.ts";
import { ManyRunsSubscription } from "./watch-many.ts";

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

/** Of the newest entries of a run's log, without what steps have made of it. */
export type NewestEvent = Pick<RunEvent, "event" | "at"> & { nodeId?: string };

const NEWEST = 20;

/** The newest entries of a run's log, the last one first. Of the run itself, not of runs inside it. */
export async function readNewestEvents(db: Database, executionId: number): Promise<NewestEvent[]> {
  const rows = await db.query<Pick<EventRow, "event" | "at"> & { nodeId: string | null }>(
    `select event, at, fields->>'nodeId' as "nodeId" from run_events where execution_id = $1 order by seq desc limit ${NEWEST}`,
    [executionId],
    "read-newest-events",
  );
  return rows.map(({ event, at, nodeId }) => ({ event, at: at.toISOString(), ...(nodeId === null ? {} : { nodeId }) }));
}

export interface StreamRequest {
  /** Log entries as frames that are new since the last look; `ended`: nothing will follow. */
  next(): Promise<{ text: string; ended: boolean }>;
  /** The runs whose news are waited for. */
  runs(): readonly number[];
  /** What else may bring news, such as runs that begin. */
  also?: RunSubscription;
  signal: AbortSignal;
}

/**
 * Logs as server-sent events: a view over what is persisted, so that a client can come back anywhere with
 * `Last-Event-ID`. Pulled by the reader: a slow one costs nothing. Closes after the last entry, `end`.
 */
export function streamEvents(watch: RunWatch, request: StreamRequest): Response {
  const gone = new AbortController();
  const signal = AbortSignal.any([request.signal, gone.signal]);
  let lastSent = Date.now();
  let ended = false;
  const subscription = new ManyRunsSubscription(watch, request.runs(), request.also);
  const close = () => {
    subscription.close();
    request.also?.close();
  };
  /** What comes next; undefined at the end. */
  const nextText = async (): Promise<string | undefined> => {
    try {
      while (!signal.aborted && !ended) {
        const news = await request.next();
        ended = news.ended;
        subscription.follow(request.runs());
        if (news.text !== "") {
          lastSent = Date.now();
          return news.text;
        }
        if (ended) break;
        if (Date.now() - lastSent >= COMMENT_MS) {
          lastSent = Date.now();
          return ": still here\n\n";
        }
        await subscription.wait(POLL_MS, signal);
      }
    } catch (error) {
      close();
      throw error;
    }
    close();
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
      // A reader that closes the stream ends the subscription, even if the request gets no signal.
      cancel: () => {
        gone.abort();
        close();
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

/** One run's log after `afterSeq`, as frames. */
export function followRun(
  db: Database,
  executionId: number,
  afterSeq: number,
  status: () => Promise<{ status: ExecutionStatus; seq: number }>,
): Pick<StreamRequest, "next" | "runs"> {
  let cursor = afterSeq;
  return {
    runs: () => [executionId],
    next: async () => {
      const before = await status();
      const events = await readEvents(db, executionId, cursor);
      cursor = events.at(-1)?.seq ?? cursor;
      const ended = events.length === 0 && isTerminal(before.status) && cursor >= before.seq;
      return { text: events.map((event) => toFrame(event, String(event.seq))).join(""), ended };
    },
  };
}

/**
 * An event of a run as server-sent event.
 * @param id cursor from which a client goes on
 */
export function toFrame({ event, ...data }: RunEvent, id: string): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
