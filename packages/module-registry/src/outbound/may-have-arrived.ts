/** What requests failed with whose connection stood. */
const SENT = new WeakSet<object>();

/** Says of an error that the other side may have acted. */
export function markSent(error: unknown): void {
  if (typeof error === "object" && error !== null) SENT.add(error);
}

/**
 * Whether a request of the outbound service may have arrived although it failed: its connection stood by then, or an earlier one did
 * that led on to another address. It depends on what happened, not on the message or code of the error or of one of its causes.
 */
export function mayHaveArrived(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) if (SENT.has(at)) return true;
  return false;
}
