import { readEvents, type ServerSentEvent } from "./server-sent-events.ts";

const RETRY_MS = [500, 1_000, 2_000, 5_000, 10_000];

export interface StreamToFollow {
  /** Below `/api/`. */
  path: string;
  /** The id to go on after; null: from where the stream begins. */
  lastEventId: () => string | null;
  onEvent: (event: ServerSentEvent) => void;
  onConnection: (connection: "open" | "lost") => void;
  /** Nothing more is to come. */
  isDone: () => boolean;
  signal: AbortSignal;
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

/** Follows a stream of server-sent events through reconnects, from where it was lost, until it is done, refused or given up. */
export async function followStream(stream: StreamToFollow): Promise<void> {
  const { path, lastEventId, onEvent, onConnection, isDone, signal } = stream;
  for (let failures = 0; !signal.aborted && !isDone(); ) {
    try {
      const headers: Record<string, string> = { accept: "text/event-stream" };
      const last = lastEventId();
      if (last !== null) headers["last-event-id"] = last;
      const response = await fetch(`/api/${path}`, { headers, signal });
      if (response.status === 204 || (response.status >= 400 && response.status < 500)) return;
      if (response.ok && response.body !== null) {
        onConnection("open");
        failures = 0;
        for await (const event of readEvents(response.body)) onEvent(event);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof TypeError)) throw error;
    }
    if (signal.aborted || isDone()) return;
    onConnection("lost");
    await pause(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 10_000, signal);
    failures += 1;
  }
}
