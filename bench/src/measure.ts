/** The workload every system runs: 20 trivial steps in a row, and a loop of 1,000 steps that each append 1 KiB of text. */
export const NODES = 20;
export const SEQUENTIAL_RUNS = 20;
export const CONCURRENCY = 50;
export const CONCURRENT_RUNS = 200;
export const LOOP_STEPS = 1_000;

const WORDS =
  "oven order late parcel carrier refund customer policy promise bread flour stone mill delivery receipt answer".split(
    " ",
  );

/** About `bytes` of text that does not compress to nothing; the same for the same seed. */
export function text(seed: number, bytes: number): string {
  let state = seed * 2_654_435_761 + 1;
  let out = "";
  while (out.length < bytes) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    out += `${WORDS[state % WORDS.length]}${state % 97} `;
  }
  return out.slice(0, bytes);
}

export interface Report {
  system: string;
  /** Milliseconds a node takes, one run at a time. */
  sequentialMs: number;
  /** Nodes a second with 50 runs at once. */
  nodesPerSecond: number;
  /** Milliseconds for the loop; null when it was not run. */
  loopMs: number | null;
}

export interface Subject {
  system: string;
  /** Runs the 20 nodes once, durably. */
  runLinear(): Promise<void>;
  /** Runs the loop once. */
  runLoop: (() => Promise<void>) | null;
}

/** Each figure is the best of so many tries, which keeps the machine's other work and cold code out of it, for every system alike. */
const TRIES = 3;

export async function measure({ system, runLinear, runLoop }: Subject): Promise<Report> {
  for (let run = 0; run < 5; run++) await runLinear();
  const sequential = await best(async () => {
    for (let run = 0; run < SEQUENTIAL_RUNS; run++) await runLinear();
  });
  const concurrent = await best(async () => {
    let left = CONCURRENT_RUNS;
    await Promise.all(
      Array.from({ length: CONCURRENCY }, async () => {
        while (left-- > 0) await runLinear();
      }),
    );
  });
  return {
    system,
    sequentialMs: sequential / (SEQUENTIAL_RUNS * NODES),
    nodesPerSecond: (CONCURRENT_RUNS * NODES * 1_000) / concurrent,
    loopMs: runLoop === null ? null : await best(runLoop),
  };
}

/** @returns milliseconds */
async function best(work: () => Promise<void>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const startedAt = performance.now();
    await work();
    least = Math.min(least, performance.now() - startedAt);
  }
  return least;
}

/** Prints the report as the process's last line. */
export function print(report: Report): void {
  process.stdout.write(`\nREPORT ${JSON.stringify(report)}\n`);
}
