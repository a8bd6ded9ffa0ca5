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

export async function measure(subject: Subject): Promise<Report> {
  for (let run = 0; run < 5; run++) await subject.runLinear();
  let startedAt = performance.now();
  for (let run = 0; run < SEQUENTIAL_RUNS; run++) await subject.runLinear();
  const sequentialMs = (performance.now() - startedAt) / (SEQUENTIAL_RUNS * NODES);
  startedAt = performance.now();
  let left = CONCURRENT_RUNS;
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      while (left-- > 0) await subject.runLinear();
    }),
  );
  const nodesPerSecond = (CONCURRENT_RUNS * NODES * 1_000) / (performance.now() - startedAt);
  startedAt = performance.now();
  await subject.runLoop?.();
  const loopMs = subject.runLoop === null ? null : performance.now() - startedAt;
  return { system: subject.system, sequentialMs, nodesPerSecond, loopMs };
}

/** Prints the report as the process's last line. */
export function print(report: Report): void {
  process.stdout.write(`\nREPORT ${JSON.stringify(report)}\n`);
}
