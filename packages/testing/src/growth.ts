/** At least, and at most where a machine that is busy with other work blurs the result. */
const ROUNDS = 5;
const MOST_ROUNDS = 120;
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

/**
 * How many times as much processor time work takes over an input `factor` times as large: about `factor` for what is
 * linear, its square for what is quadratic.
 * @param size of the smaller input
 */
export function growthOf(work: (size: number) => unknown, size: number, factor: number): number {
  // The least of several is what the work itself takes: compiling, collecting garbage and neighbours only add.
  let small = Number.POSITIVE_INFINITY;
  let large = Number.POSITIVE_INFINITY;
  for (let round = 1; ; round++) {
    small = Math.min(
      small,
      cpuOf(() => work(size)),
    );
    large = Math.min(
      large,
      cpuOf(() => work(size * factor)),
    );
    const growth = large / small;
    const isClear = round >= ROUNDS && growth < 2 * factor;
    if (isClear || round >= MOST_ROUNDS) return growth;
  }
}

/** Milliseconds of processor time that work takes in this process, its helper threads included. */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
