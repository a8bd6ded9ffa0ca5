/*
 * What an installation can do, from what one node run costs: a formula for the reader, and a simulation that checks it.
 */

/** Costs of one node run, in milliseconds, and what there is to pay them with. */
export interface Installation {
  workers: number;
  /** Runs that one worker works on at once. */
  runsPerWorker: number;
  /** Time of a worker's one thread. */
  workerMs: number;
  /** Time of one core of the database. */
  databaseMs: number;
  databaseCores: number;
  /** What a commit waits for beside both: network, and the disk's flush. */
  waitMs: number;
}

export type Bottleneck = "workers" | "database" | "runs";

/** Node runs a second, and what sets the limit: the slowest of the three decides. */
export function capacity(installation: Installation): { perSecond: number; bottleneck: Bottleneck } {
  const { workers, runsPerWorker, workerMs, databaseMs, databaseCores, waitMs } = installation;
  const limits: [Bottleneck, number][] = [
    ["workers", workers / workerMs],
    ["database", databaseCores / databaseMs],
    ["runs", (workers * runsPerWorker) / (workerMs + databaseMs + waitMs)],
  ];
  const [bottleneck, perMs] = limits.reduce((lowest, limit) => (limit[1] < lowest[1] ? limit : lowest));
  return { perSecond: perMs * 1_000, bottleneck };
}

interface Event {
  at: number;
  run: number;
  /** What ends at that instant. */
  ends: "work" | "commit" | "wait";
}

/** First come, first served, by a number of servers. */
class Station {
  readonly #queue: number[] = [];
  #free: number;

  constructor(servers: number) {
    this.#free = servers;
  }

  /** Whether the run is served at once. */
  arrive(run: number): boolean {
    if (this.#free > 0) {
      this.#free -= 1;
      return true;
    }
    this.#queue.push(run);
    return false;
  }

  /** Who is served next; undefined: the server stands idle. */
  leave(): number | undefined {
    const next = this.#queue.shift();
    if (next === undefined) this.#free += 1;
    return next;
  }
}

/**
 * The same, gone through event by event: each run is worked on by its worker's one thread, committed by one of the database's
 * cores, and waits. Service times are spread evenly over ±50 %, by a seeded generator.
 */
export function simulate(installation: Installation, milliseconds: number, seed = 1): number {
  const { workers, runsPerWorker, workerMs, databaseMs, databaseCores, waitMs } = installation;
  const random = generator(seed);
  const spread = (mean: number): number => mean * (0.5 + random());
  const threads = Array.from({ length: workers }, () => new Station(1));
  const database = new Station(databaseCores);
  const events = new Agenda();
  const threadOf = (run: number): Station => threads[run % workers] ?? new Station(1);
  const toWork = (run: number, now: number): void => {
    if (threadOf(run).arrive(run)) events.add({ at: now + spread(workerMs), run, ends: "work" });
  };
  for (let run = 0; run < workers * runsPerWorker; run += 1) toWork(run, 0);
  let done = 0;
  for (let event = events.next(); event && event.at < milliseconds; event = events.next()) {
    const { at, run } = event;
    if (event.ends === "work") {
      const next = threadOf(run).leave();
      if (next !== undefined) events.add({ at: at + spread(workerMs), run: next, ends: "work" });
      if (database.arrive(run)) events.add({ at: at + spread(databaseMs), run, ends: "commit" });
    } else if (event.ends === "commit") {
      const next = database.leave();
      if (next !== undefined) events.add({ at: at + spread(databaseMs), run: next, ends: "commit" });
      events.add({ at: at + waitMs, run, ends: "wait" });
    } else {
      done += 1;
      toWork(run, at);
    }
  }
  return (done * 1_000) / milliseconds;
}

/** A binary heap of events by time. */
class Agenda {
  readonly #heap: Event[] = [];

  add(event: Event): void {
    const heap = this.#heap;
    let at = heap.push(event) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above];
      if (!parent || parent.at <= event.at) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = event;
  }

  next(): Event | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const smaller = (heap[right]?.at ?? Infinity) < (heap[left]?.at ?? Infinity) ? right : left;
      const child = heap[smaller];
      if (!child || child.at >= last.at) break;
      heap[at] = child;
      at = smaller;
    }
    heap[at] = last;
    return first;
  }
}

/** Mulberry32: the same numbers in [0, 1) for the same seed. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}
