const COMMENT_MS = 15_000;
const encoder = new TextEncoder();

/**
 * An answer of server-sent events as they are made. It closes once `produce` is done; a silent one gets a comment now and then, since
 * proxies close what is silent for long.
 * @param produce writes whole frames; `watching` is aborted when the client is gone
 */
export function toEventStream(
  signal: AbortSignal,
  produce: (write: (frame: string) => void, watching: AbortSignal) => Promise<void>,
): Response {
  const gone = new AbortController();
  const watching = AbortSignal.any([signal, gone.signal]);
  const stream = new ReadableStream<Uint8Array>({
    async start(controller) {
      const write = (frame: string) => {
        if (!watching.aborted) controller.enqueue(encoder.encode(frame));
      };
      const alive = setInterval(() => write(": still here\n\n"), COMMENT_MS);
      try {
        await produce(write, watching);
        if (!gone.signal.aborted) controller.close();
      } catch (error) {
        if (!gone.signal.aborted) controller.error(error);
      } finally {
        clearInterval(alive);
      }
    },
    cancel: () => gone.abort(),
  });
  return new Response(stream, {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    },
  });
}
