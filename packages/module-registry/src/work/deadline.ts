/** The longest time that a timer of the platform takes. */
const MAX_TIMER_MS = 2_147_483_647;

/** A time limit on a piece of work. */
export interface Deadline {
  /** Aborts with a `TimeoutError` when the time is over. */
  signal: AbortSignal;
  /** Ends the limit; called when the work is over. */
  clear(): void;
}

/**
 * A limit that can be ended. The timer of `AbortSignal.timeout` runs on when the work is over, and until then keeps what the work held: its
 * request, and what its asynchronous context refers to.
 * @param milliseconds until the signal aborts
 */
export function startDeadline(milliseconds: number): Deadline {
  const controller = new AbortController();
  const giveUp = (): void =>
    controller.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
  const timer = setTimeout(giveUp, Math.min(milliseconds, MAX_TIMER_MS));
  timer.unref();
  return { signal: controller.signal, clear: () => clearTimeout(timer) };
}
