import type { IncomingMessage } from "node:http";

/** What is read and thrown away of a request that was answered early, such as one whose body is over a limit. */
export interface DrainBounds {
  bytes: number;
  ms: number;
}

const BOUNDS: DrainBounds = { bytes: 64 * 1_048_576, ms: 30_000 };

/**
 * Reads the rest of a request that is answered before all of it has arrived. A client that reads only once it has sent
 * everything, as most do, would find its connection reset instead of the answer.
 * @returns whether the request has ended, so that its connection can serve another one
 */
export async function drainRequest(request: IncomingMessage, bounds: DrainBounds = BOUNDS): Promise<boolean> {
  if (request.readableEnded || !hasBody(request)) return true;
  if (request.destroyed) return false;
  return new Promise((resolve) => {
    let size = 0;
    const end = () => settle(true);
    const stop = () => settle(request.readableEnded);
    const read = (chunk: Buffer) => {
      size += chunk.byteLength;
      if (size > bounds.bytes) stop();
      // A stream that was made of the request pauses it, because its reader has left.
      else request.resume();
    };
    const timer = setTimeout(stop, bounds.ms);
    function settle(hasEnded: boolean): void {
      clearTimeout(timer);
      request.off("data", read).off("end", end).off("close", stop).off("error", stop);
      resolve(hasEnded);
    }
    request.on("data", read).once("end", end).once("close", stop).once("error", stop);
    request.resume();
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}
