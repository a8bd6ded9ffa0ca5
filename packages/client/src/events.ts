import { OvenError } from "@oven/contract/error";
import { EventSourceParserStream } from "eventsource-parser/stream";
import type { RunEvent } from "./generated/operations.ts";
import type { Http } from "./http.ts";
import { waitFor } from "./retries.ts";

export type { RunEvent };

export interface ServerEvent {
  /** From which a stream is gone on with. */
  id: string | undefined;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: each event has a shape of its own
  data: any;
}

/** The server-sent events of a response. */
export async function* readEvents(response: Response): AsyncGenerator<ServerEvent> {
  if (response.body === null) return;
  const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  const reader = events.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const { id, event = "message", data } = read.value;
      yield { id, event, data: JSON.parse(data) };
    }
  } finally {
    // The server learns that the reader is gone.
    await reader.cancel();
  }
}

const AGAIN_MS = 1_000;

/**
 * The log of a run, each entry once and in order, until it ends. A connection that breaks is opened again where it broke.
 * @param path of the events, below `api/`
 * @param from `now`: only what happens from now on
 * @throws OvenError of the server
 */
export async function* followRun(
  http: Http,
  path: string,
  { from, signal }: { from?: "now"; signal?: AbortSignal } = {},
): AsyncGenerator<RunEvent> {
  let last: string | undefined;
  let isKnown = false;
  for (;;) {
    try {
      const response = await http.open("GET", path, {
        headers: { accept: "text/event-stream", ...(last === undefined ? {} : { "last-event-id": last }) },
        ...(from === undefined || last !== undefined ? {} : { query: { from } }),
        ...(signal === undefined ? {} : { signal }),
      });
      isKnown = true;
      for await (const { id, event, data } of readEvents(response)) {
        last = id ?? last;
        yield { ...data, event };
        if (event === "end") return;
      }
      // A server that stops closes its streams.
    } catch (error) {
      const isRefusal = error instanceof OvenError && (!isKnown || error.code !== "SERVER_UNREACHABLE");
      if (isRefusal || signal?.aborted === true) throw error;
    }
    await waitFor(AGAIN_MS, signal);
  }
}
