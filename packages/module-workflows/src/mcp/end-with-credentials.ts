import { isOvenError } from "@oven/contract";
import type { Authenticate } from "@oven/module-registry";

/** How long a stream may go on after its key or token was revoked, or its owner disabled. */
const LOOK_EVERY_MS = 2_000;

/**
 * Serves a request whose answer may be a stream, and ends the stream when the credentials that opened it become invalid. The requested work
 * continues, as after a disconnect.
 * @param serve gets the signal that fires then, and when the client disconnects
 */
export async function endWithCredentials(
  request: Request,
  serve: (signal: AbortSignal) => Promise<Response>,
  authenticate: Authenticate,
): Promise<Response> {
  const ending = new AbortController();
  const { signal: gone } = request;
  const onGone = () => ending.abort(gone.reason);
  if (gone.aborted) onGone();
  else gone.addEventListener("abort", onGone, { once: true });
  const response = await serve(ending.signal);
  if (response.headers.get("content-type")?.startsWith("text/event-stream") !== true || response.body === null)
    return response;
  const credentials = new Request(request.url, { headers: request.headers });
  const look = async () => {
    try {
      if ((await authenticate(credentials)) === undefined) ending.abort();
    } catch (error) {
      if (isOvenError(error) && error.status === 403) return ending.abort();
      // The database may be away for a moment: the next look decides.
      console.warn(`looking whether a stream may go on: ${String(error)}`);
    }
  };
  return new Response(untilAborted(response.body, ending.signal, look), response);
}

function untilAborted(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  look: () => Promise<void>,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  timer.unref();
  return new ReadableStream({
    start: (controller) =>
      signal.addEventListener("abort", () => {
        clearInterval(timer);
        controller.close();
        void reader.cancel();
      }),
    pull: async (controller) => {
      const { done, value } = await reader.read();
      if (signal.aborted) return;
      if (!done) {
        controller.enqueue(value);
        return;
      }
      clearInterval(timer);
      controller.close();
    },
    cancel: async (reason) => {
      clearInterval(timer);
      await reader.cancel(reason);
    },
  });
}
