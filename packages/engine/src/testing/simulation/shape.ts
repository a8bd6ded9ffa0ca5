import type { Effect } from "@oven/contract/node";
import fc from "fast-check";

/** One state of a random definition, and how what runs in it behaves. Fields that a kind does not use say nothing. */
export interface Shape {
  kind: "task" | "items" | "pair" | "review" | "sleep" | "listen" | "hold" | "branch" | "group" | "parallel" | "loop";
  effect: Effect;
  /** Passing faults before the outcome. */
  failures: number;
  /** Fails for good; of a review: nobody answers. */
  broken: boolean;
  /** An error leads on instead of ending the run. */
  catches: boolean;
  /** Faults come when the node goes on after its wait, not before it. */
  late: boolean;
  /** The first `times` visits lead elsewhere. */
  jump: { to: number; times: number; history: boolean } | undefined;
  /** Items or iterations; also picks between variants of a kind. */
  size: number;
  concurrency: number;
  minutes: number;
  /** A deadline or a timer beside what the kind waits for; of a task: it streams text and, in a wild case, may time out. */
  timed: boolean;
  /** An output large enough that full snapshots are written. */
  big: boolean;
  children: Shape[];
}

const FAULTS = [
  "crash",
  "crash before",
  "crash after",
  "freeze",
  "freeze before",
  "freeze after",
  "thaw",
  "error before",
  "error after",
  "drain",
  "restart all",
  "lose wake",
  "double wake",
  "tick",
] as const;
export const WILD_FAULTS = [...FAULTS, "jump", "skew", "cancel", "event", "decide", "decide twice"] as const;

export interface Fault {
  kind: (typeof WILD_FAULTS)[number];
  /** Moves of the world since the fault before. */
  after: number;
  worker: number;
  /** What a kind needs besides: milliseconds, which signal. */
  amount: number;
}

/**
 * A random definition, what goes wrong, and in which order calls return. `calm`: nothing in it lets time or faults decide
 * the outcome, so it must end as it does without faults. `wild`: only what always holds is asked.
 */
export interface Case {
  calm: boolean;
  root: Shape[];
  faults: Fault[];
  /** Which of the calls in flight returns next. */
  order: number[];
  workers: number;
}

const LEAVES: Shape["kind"][] = [
  "task",
  "task",
  "task",
  "items",
  "pair",
  "review",
  "sleep",
  "listen",
  "hold",
  "branch",
];
const COMPOSED: Shape["kind"][] = ["group", "parallel", "loop"];

const rarely = (): fc.Arbitrary<boolean> => fc.integer({ min: 0, max: 7 }).map((value) => value === 7);

const shape: fc.Memo<Shape> = fc.memo((depth) =>
  fc
    .record({
      kind: fc.constantFrom(...LEAVES, ...(depth > 1 ? COMPOSED : [])),
      effect: fc.constantFrom<Effect>("pure", "idempotent", "at-least-once", "at-most-once"),
      failures: fc.integer({ min: 0, max: 2 }),
      broken: rarely(),
      catches: fc.boolean(),
      late: fc.boolean(),
      jump: fc.option(fc.record({ to: fc.nat(30), times: fc.integer({ min: 1, max: 2 }), history: fc.boolean() }), {
        nil: undefined,
        freq: 3,
      }),
      size: fc.integer({ min: 0, max: 3 }),
      concurrency: fc.integer({ min: 1, max: 3 }),
      minutes: fc.integer({ min: 1, max: 3 }),
      timed: rarely(),
      big: rarely(),
      children: depth > 1 ? fc.array(shape(depth - 1), { minLength: 1, maxLength: 3 }) : fc.constant<Shape[]>([]),
    })
    .map((found) => {
      if (!COMPOSED.includes(found.kind)) return { ...found, children: [] };
      // A loop in which nothing runs goes round twelve thousand times before it is stopped: right, and slow.
      return found.kind === "loop" && !runs(found) ? { ...found, kind: "group" as const } : found;
    }),
);

function runs({ kind, children }: Shape): boolean {
  return (!COMPOSED.includes(kind) && kind !== "branch" && kind !== "hold") || children.some(runs);
}

const fault = (kinds: readonly Fault["kind"][]): fc.Arbitrary<Fault> =>
  fc.record({
    kind: fc.constantFrom(...kinds),
    after: fc.nat(6),
    worker: fc.nat(2),
    amount: fc.nat(9),
  });

const root = fc.array(shape(3), { minLength: 1, maxLength: 4 });
const order = fc.array(fc.nat(5), { maxLength: 12 });
const workers = fc.integer({ min: 1, max: 3 });

/** Random cases, half of them calm. */
export const cases: fc.Arbitrary<Case> = fc.boolean().chain((calm) =>
  fc.record({
    calm: fc.constant(calm),
    root,
    faults: fc.array(fault(calm ? FAULTS : WILD_FAULTS), { maxLength: 12 }),
    order,
    workers,
  }),
);
