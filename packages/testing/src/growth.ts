const ROUNDS = 5;
/** Microseconds that a measurement lasts at least: much longer than the clock's steps. */
const LEAST_CPU = 4_000;

/** Microseconds of processor time: what else the machine does does not count. */
function cpuOf(work: () => unknown): number {
  let runs = 0;
  const before = process.threadCpuUsage();
  for (;;) {
    work();
    runs++;
    const { user, system } = process.threadCpuUsage(before);
    if (user + system >= LEAST_CPU) return (user + system) / runs;
  }
}

/** The least of several is what the work itself takes: compiling and collecting garbage only add. */
function least(work: () => unknown): number {
  return Math.min(...Array.from({ length: ROUNDS }, () => cpuOf(work)));
}

/**
 * How many times as much processor time work takes over an input `factor` times as large: about `factor` for what is
 * linear, its square for what is quadratic.
 * @param size of the smaller input
 */
export function growthOf(work: (size: number) => unknown, size: number, factor: number): number {
  return least(() => work(size * factor)) / least(() => work(size));
}

/** Milliseconds of processor time that work takes in this process, its helper threads included. */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
