import fc from "fast-check";

/* What a case of the proof of releases is made of, and how it is drawn. */

const STATES = ["start", "hub", "look", "review", "between", "pay", "after"] as const;
const PLACES = ["between", "pay", "guard", "after"] as const;

export interface Graph {
  /** The review is in a workflow that is called. */
  inChild: boolean;
  hasBetween: boolean;
  /** What fails between review and payment is passed by. */
  isLenient: boolean;
  /** Only without a policy: ways that need no review, or that the graph draws once and the run goes twice. */
  shape: "line" | "small" | "hub";
}
export interface Way {
  as: "operator" | "editor" | "key";
  approves: boolean;
}
export interface Run extends Way {
  isSmall: boolean;
  /** How often each place fails. */
  fails: Record<(typeof PLACES)[number], number>;
  /** Begins there, or has this output given. */
  begin: { option: "from" | "pins"; state: (typeof STATES)[number] } | null;
}
export type Action =
  | ({ act: "execute" } & Run)
  | ({ act: "draft"; isReviewed: boolean } & Run)
  | { act: "publish"; graph: Graph; isReviewed: boolean }
  | ({ act: "fork"; run: number; at: number; patch: "none" | "small" | "large"; version: Version } & Way)
  | ({ act: "retry"; run: number; nodeId: (typeof STATES)[number] | null; version: Version; times: 1 | 2 } & Way)
  | ({ act: "redrive"; run: number } & Way);
type Version = "own" | "first" | "current" | "draft";
export interface Case {
  hasPolicy: boolean;
  graph: Graph;
  /** A version from before the review was there, with a run of it. */
  before: "none" | "workflow" | "child";
  actions: Action[];
}

const graphs: fc.Arbitrary<Graph> = fc.record({
  inChild: fc.boolean(),
  hasBetween: fc.boolean(),
  isLenient: fc.boolean(),
  shape: fc.constantFrom("line", "line", "small", "hub"),
});
const way = {
  as: fc.constantFrom<Way["as"][]>("operator", "editor", "key"),
  approves: fc.constantFrom(true, true, true, true, false),
};
const times = fc.constantFrom(0, 0, 0, 1, 2);
const run = {
  ...way,
  isSmall: fc.boolean(),
  fails: fc.record({ between: times, pay: times, guard: times, after: times }),
  begin: fc.option(fc.record({ option: fc.constantFrom("from", "pins"), state: fc.constantFrom(...STATES) }), {
    freq: 2,
  }),
};
const version = fc.constantFrom<Version[]>("own", "own", "own", "first", "current", "draft");
const past = { run: fc.nat(20), ...way };
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ act: fc.constant("execute"), ...run }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("draft"), isReviewed: fc.boolean(), ...run }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("publish"), graph: graphs, isReviewed: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant("fork"),
      at: fc.nat(20),
      patch: fc.constantFrom("none", "small", "large"),
      version,
      ...past,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant("retry"),
      nodeId: fc.option(fc.constantFrom(...STATES)),
      version,
      times: fc.constantFrom(1, 2),
      ...past,
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("redrive"), ...past }) },
);
export const cases: fc.Arbitrary<Case> = fc.record({
  hasPolicy: fc.boolean(),
  graph: graphs,
  before: fc.constantFrom("none", "none", "workflow", "child"),
  actions: fc.array(action, { minLength: 3, maxLength: 6 }),
});

/** What fails last is behind the payment, and what failed before it was passed by. */
export const PASSED_BY: Case = {
  hasPolicy: false,
  graph: { inChild: false, hasBetween: true, isLenient: true, shape: "line" },
  before: "none",
  actions: [
    {
      act: "execute",
      as: "operator",
      approves: true,
      isSmall: false,
      fails: { between: 1, pay: 0, guard: 1, after: 0 },
      begin: null,
    },
    { act: "retry", as: "operator", approves: true, run: 0, nodeId: null, version: "own", times: 1 },
  ],
};
