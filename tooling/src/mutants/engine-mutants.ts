import type { Mutant } from "./mutant.ts";

const AHEAD = "packages/engine/src/run/run-ahead.test.ts";
const CRASH = "packages/engine/src/run/crash.test.ts";
const ENGINE = "packages/engine/src/run/run-engine.test.ts";
const KERNEL = "packages/engine/src/plan/kernel.test.ts";
const PLAN = "packages/engine/src/plan/plan.test.ts";
const TIMERS = "packages/engine/src/run/timers.test.ts";
const REVIEWS = "packages/engine/src/run/reviews.test.ts";
const SIMULATION = "packages/engine/src/testing/simulation/simulation.proof.test.ts";

/** Mistakes in how a run is planned and driven. */
export const ENGINE_MUTANTS: readonly Mutant[] = [
  {
    name: "an action does not count as a change",
    file: "packages/engine/src/compile/effect.ts",
    search: "return [{ ...snapshot }];",
    replace: "return [snapshot];",
    tests: [KERNEL],
  },
  {
    name: "a state that takes any event is asked about those it names only",
    file: "packages/engine/src/plan/kernel.ts",
    search: "if (hasPatterns) continue;",
    replace: "",
    tests: [KERNEL],
  },
  {
    name: "a state's value is resolved once for all runs",
    file: "packages/engine/src/plan/kernel.ts",
    search: "if (last?.value === value) return last.snapshot;",
    replace: "if (last) return last.snapshot;",
    tests: [KERNEL],
  },
  {
    name: "an at-most-once call is made before its start is recorded",
    file: "packages/engine/src/run/run-driver.ts",
    search: 'if (unit.effect === "at-most-once" && unit.status === "planned") {',
    replace: 'if (unit.effect === "at-most-once" && unit.status === "backoff") {',
    tests: [CRASH, SIMULATION],
  },
  {
    name: "a takeover is ignored",
    file: "packages/engine/src/run/run-driver.ts",
    search: "if (this.#record.takenOver)",
    replace: "if (this.#record.takenOver && this.#record.epoch < 0)",
    tests: [CRASH],
  },
  {
    name: "a lost commit is taken for a good one",
    file: "packages/engine/src/run/pending-commits.ts",
    search: '(isWritten) => (isWritten ? "written" : "lost"),',
    replace: '() => "written",',
    tests: [AHEAD, CRASH],
  },
  {
    name: "a call to the outside does not wait for what led to it to be written",
    file: "packages/engine/src/run/run-driver.ts",
    search: "if (!this.#isLocal(unit) && !(await this.#confirm())) return true;",
    replace: "if (!this.#isLocal(unit) && this.#lost) return true;",
    tests: [AHEAD, SIMULATION],
  },
  {
    name: "a commit is told of before it is written",
    file: "packages/engine/src/run/pending-commits.ts",
    search: "const outcome = await settled;",
    replace: 'const outcome: string | { cause: unknown } = "written";\n      settled.catch(() => undefined);',
    tests: [AHEAD, CRASH],
  },
  {
    name: "what stands behind a commit that was not written counts",
    file: "packages/engine/src/run/pending-commits.ts",
    search: "if (this.isBroken) return;",
    replace: "",
    tests: [AHEAD, CRASH],
  },
  {
    name: "a lost at-most-once call is made again without asking",
    file: "packages/engine/src/plan/on-clock.ts",
    search: 'if (unit.effect === "at-most-once") askWhatHappened(frame, unit, STOPPED);\n    else if',
    replace: "if",
    tests: [CRASH, SIMULATION],
  },
  {
    name: "the result of an earlier visit or attempt counts",
    file: "packages/engine/src/plan/on-result.ts",
    search: "return open && unit.visit === key.visit && unit.attempt === key.attempt ? unit : undefined;",
    replace: "return open ? unit : undefined;",
    tests: [PLAN],
  },
  {
    name: "what cannot succeed is tried again",
    file: "packages/engine/src/plan/on-result.ts",
    search: 'failure.retryable && unit.effect !== "at-most-once" && policy',
    replace: 'unit.effect !== "at-most-once" && policy',
    tests: [ENGINE],
  },
  {
    name: "Retry-After is not honoured",
    file: "packages/engine/src/plan/retry.ts",
    search: "Math.round(Math.max(wait, retryAfterMs ?? 0))",
    replace: "Math.round(Math.max(wait, 0 * (retryAfterMs ?? 0)))",
    tests: [ENGINE],
  },
  {
    name: "a signal that comes while its run is taken up is not looked for",
    file: "packages/engine/src/run/run-driver.ts",
    search: "may lack it.\n    this.#asked = undefined;",
    replace: "may lack it.",
    tests: [REVIEWS],
  },
  {
    name: "timers are not kept",
    file: "packages/engine/src/plan/close-frame.ts",
    search: 'keep(state, "timers", frame.end ? [] : frame.timers);',
    replace: 'keep(state, "timers", []);',
    tests: [TIMERS],
  },
  {
    name: "a rejection goes on as if it were an approval",
    file: "packages/engine/src/plan/on-result.ts",
    search: 'signal?.type !== "decision" || signal.action !== "reject") return undefined;',
    replace: 'signal?.type !== "decision" || signal.action !== "no such action") return undefined;',
    tests: [REVIEWS],
  },
  {
    name: "a full snapshot claims to be older than it is",
    file: "packages/engine/src/run/to-commit.ts",
    search: "snapshot: toSnapshot(context, seq)",
    replace: "snapshot: toSnapshot(context, position.seq)",
    tests: [CRASH, ENGINE, SIMULATION],
  },
  {
    name: "an idempotency key changes with the attempt",
    file: "packages/engine/src/run/node-call.ts",
    search: "[record.id, nodeId, visit, item, ordinal]",
    replace: "[record.id, nodeId, visit, attempt, item, ordinal]",
    tests: [ENGINE, SIMULATION],
  },
  {
    name: "an error that nobody handles ends in completed",
    file: "packages/engine/src/plan/deliver.ts",
    search: "if (!frame.handled) frame.fail(error, outcomeOf(error));",
    replace:
      'if (!frame.handled) frame.end ??= { status: "completed", outcome: outcomeOf(error), output: null, error: null };',
    tests: [ENGINE],
  },
  {
    name: "a cancelled run leaves its rows open",
    file: "packages/engine/src/plan/on-signal.ts",
    search: "for (const unit of [...frame.state.units]) cancelUnit(frame, unit);",
    replace: "frame.state.units.length = 0;",
    tests: [ENGINE, REVIEWS, SIMULATION],
  },
  {
    name: "the limit of steps is not looked at",
    file: "packages/engine/src/plan/node-units.ts",
    search: "if (frame.state.steps > limit) {",
    replace: "if (frame.state.steps > limit * 1_000) {",
    tests: [PLAN, ENGINE],
  },
  {
    name: "a stuck run waits for ever",
    file: "packages/engine/src/plan/close-frame.ts",
    search: "if (!frame.end && idle.length === 0 && !canMove(frame)) {",
    replace: "if (!frame.end && idle.length < 0 && !canMove(frame)) {",
    tests: [PLAN],
  },
];
