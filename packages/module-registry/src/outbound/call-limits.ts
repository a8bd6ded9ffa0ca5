import { OvenError } from "@oven/contract";

/** The longest time that a timer of the platform takes. */
const MAX_TIMER_MS = 2_147_483_647;

/** How long a call may take. */
export interface CallLimits {
  /** Aborts with OUTBOUND_TIMEOUT. */
  signal: AbortSignal;
  /** Something of the answer arrived. */
  heard(): void;
  /** Ends the limits; called when the answer is complete. */
  clear(): void;
}

/**
 * @param timeoutMs of the whole call, or of each silence where `maxTotalMs` is given
 * @param maxTotalMs of the whole call, however much arrives
 */
export function startLimits(timeoutMs: number, maxTotalMs?: number): CallLimits {
  const controller = new AbortController();
  const start = (milliseconds: number, words: string) =>
    setTimeout(() => controller.abort(timedOut(words)), Math.min(milliseconds, MAX_TIMER_MS)).unref();
  if (maxTotalMs === undefined) {
    const timer = start(timeoutMs, `No complete answer within ${timeoutMs} ms`);
    return { signal: controller.signal, heard: () => undefined, clear: () => clearTimeout(timer) };
  }
  const total = start(maxTotalMs, `No complete answer within ${maxTotalMs} ms (maxTotalMs)`);
  const silence = start(timeoutMs, `Nothing arrived for ${timeoutMs} ms (timeoutMs)`);
  return {
    signal: controller.signal,
    heard: () => void silence.refresh(),
    clear() {
      clearTimeout(total);
      clearTimeout(silence);
    },
  };
}

function timedOut(message: string): OvenError {
  return new OvenError("OUTBOUND_TIMEOUT", message, {
    status: 504,
    fix: "Raise the time-out, or ask for less.",
    retryable: true,
  });
}
