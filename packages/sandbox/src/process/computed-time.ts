/** How much longer than it computes code may take by the clock: a machine that is busy with other things lets it wait. */
export const MOST_WAITING = 10;

/** Milliseconds that this thread has computed; the difference of two says how long something took of the processor. */
export function computedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
