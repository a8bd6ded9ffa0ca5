import type { Case, Shape } from "../simulation/shape.ts";

const state = (kind: Shape["kind"], more: Partial<Shape> = {}): Shape => ({
  kind,
  effect: "pure",
  failures: 0,
  broken: false,
  catches: true,
  late: false,
  jump: undefined,
  size: 0,
  concurrency: 1,
  minutes: 1,
  timed: false,
  big: false,
  children: [],
  ...more,
});

const task = state("task");

/** Runs that wait for each of the things a run can wait for. */
export const CORPUS_CASES: Readonly<Record<string, Pick<Case, "root" | "faults">>> = {
  review: { root: [task, state("review"), task], faults: [] },
  "review-with-deadline": { root: [state("review", { timed: true, broken: true, minutes: 2 }), task], faults: [] },
  delay: { root: [task, state("sleep", { minutes: 3 }), task], faults: [] },
  event: { root: [state("listen"), task], faults: [] },
  "event-with-deadline": { root: [state("listen", { timed: true, broken: true }), task], faults: [] },
  "on-and-after": { root: [state("hold", { size: 2, jump: { to: 0, times: 1, history: false } }), task], faults: [] },
  "back-off": { root: [task, state("task", { failures: 2 }), state("review")], faults: [] },
  history: {
    root: [
      state("group", { late: true, children: [task, state("hold"), task] }),
      state("review", { jump: { to: 0, times: 1, history: true } }),
      task,
    ],
    faults: [],
  },
  regions: {
    root: [state("parallel", { children: [state("review"), state("listen"), state("sleep"), task] }), task],
    faults: [],
  },
  loop: { root: [state("loop", { size: 3, children: [task, state("review")] }), task], faults: [] },
  children: { root: [state("loop", { size: 3, concurrency: 2, children: [state("review"), task] }), task], faults: [] },
  "items-then-review": {
    root: [state("items", { size: 3, concurrency: 2 }), state("pair"), state("review"), task],
    faults: [],
  },
  "full-snapshot": {
    root: [state("task", { big: true }), state("task", { big: true }), state("review"), task],
    faults: [],
  },
  "lost-at-most-once": {
    root: [state("task", { effect: "at-most-once" }), task],
    faults: [{ kind: "crash", after: 0, worker: 0, amount: 0 }],
  },
};
