import { isOvenError, OvenError } from "@oven/contract";
import type { OutboundService } from "@oven/module-registry";
import { SendError } from "./outgoing.ts";

const TIMEOUT_MS = 20_000;
const LONGEST_ANSWER = 65_536;

/**
 * Posts JSON and expects a 2xx. Redirects are not followed: where a message goes is what the rule says.
 * @throws SendError, without the address, which may be a credential
 */
export async function postMessage(
  outbound: OutboundService,
  url: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<void> {
  let status: number;
  try {
    const response = await outbound.fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
      timeoutMs: TIMEOUT_MS,
      maxBytes: LONGEST_ANSWER,
      maxRedirects: 0,
    });
    await response.body?.cancel();
    status = response.status;
  } catch (error) {
    throw toSendError(error);
  }
  if (status >= 200 && status < 300) return;
  // 410 is how a receiver says that it wants no more.
  throw new SendError(`The receiver answered ${status}`, status === 410);
}

/** What may be different next time is tried again; what is refused for good is not. */
export function toSendError(error: unknown): SendError {
  if (error instanceof SendError) return error;
  const message = error instanceof OvenError ? `${error.code}: ${error.message}` : String(error);
  return new SendError(message, isOvenError(error) && error.status < 500, { cause: error });
}
