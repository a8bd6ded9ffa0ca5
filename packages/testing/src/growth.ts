/** The least of several is what the work itself takes: whatever else the machine does only adds. */
const ROUNDS = 5;

function least(work: () => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now();
    work();
    best = Math.min(best, performance.now() - started);
  }
  return best;
}

/**
 * How many times as long work takes over an input `factor` times as large: about `factor` for what is linear, its square
 * for what is quadratic. Compared with itself on the same machine at the same moment, so that a busy one says the same.
 * @param size of the smaller input; its work must take some hundredths of a millisecond at least
 */
export function growthOf(work: (size: number) => unknown, size: number, factor: number): number {
  work(size);
  const small = least(() => work(size));
  return least(() => work(size * factor)) / small;
}
