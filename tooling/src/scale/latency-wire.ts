export const NOTED_STEP = "measure.noted";
export const LATENCY_KEY = "bootstrap-key-of-the-latency-measurement";

/** What a process is asked to do, one thing at a time. */
export type LatencyRequest =
  | { method: string; path: string; body?: unknown }
  /** Through the service, as a route would after it has read its request. */
  | { decide: { reviewId: number; digest: string } }
  | { start: { workflow: string } };

export type LatencyAnswer =
  | { ready: true }
  // biome-ignore lint/suspicious/noExplicitAny: whatever a route answers
  | { done: any; startedAt: number }
  /** The noted step of this run was called. */
  | { called: number; at: number };

/** Milliseconds on a clock that all processes of one machine share. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
