import { OvenError } from "@oven/contract/error";

/** What a server or a proxy says when it has not begun with a request, or cannot now. */
const BUSY: ReadonlySet<number> = new Set([429, 503]);
/** What a proxy says when it does not know whether the server has begun. */
const UNKNOWN: ReadonlySet<number> = new Set([502, 504]);
const FIRST_MS = 250;
const MOST_MS = 30_000;

export interface RetryOptions {
  /** How often a request is sent again. */
  retries: number;
}

/**
 * Sends a request, and sends it again when the server is busy or cannot be reached: after `Retry-After`, else after waits that double.
 * A request that must not happen twice is sent again only when the server said that it had not begun.
 */
export async function sendWithRetries(
  send: () => Promise<Response>,
  { retries, isRepeatable, signal }: RetryOptions & { isRepeatable: boolean; signal?: AbortSignal },
): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    const isLast = attempt >= retries;
    let response: Response;
    try {
      response = await send();
    } catch (error) {
      const isUnreachable = error instanceof OvenError && error.code === "SERVER_UNREACHABLE";
      if (isLast || !isRepeatable || !isUnreachable) throw error;
      await waitFor(backOff(attempt), signal);
      continue;
    }
    const { status, headers } = response;
    if (isLast || !(BUSY.has(status) || (isRepeatable && UNKNOWN.has(status)))) return response;
    const asked = Number(headers.get("retry-after")) * 1_000;
    // A caller that has to wait for minutes gets the answer instead.
    if (asked > MOST_MS) return response;
    // Not waited for: of a copied response it would last until the other one is read.
    response.body?.cancel().catch(() => undefined);
    await waitFor(asked > 0 ? asked : backOff(attempt), signal);
  }
}

/** Half of it by chance, so that many clients do not come back at once. */
function backOff(attempt: number): number {
  const most = Math.min(FIRST_MS * 2 ** attempt, MOST_MS);
  return most / 2 + (Math.random() * most) / 2;
}

/** @throws the signal's reason */
export function waitFor(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", end, { once: true });
  });
}
