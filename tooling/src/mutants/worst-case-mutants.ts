import type { Mutant } from "./mutant.ts";

const WALK = "packages/engine/src/worst-case/run-walk.ts";
const PASSES = "packages/engine/src/worst-case/most-passes.ts";
const TOTALS = "packages/engine/src/worst-case/totals.ts";
const RANDOM = "packages/engine/src/worst-case/worst-case.proof.test.ts";
const EXAMPLES = "packages/engine/src/worst-case/worst-case.test.ts";
const PLATFORM = "packages/module-workflow-agents/src/worst-case.test.ts";

/** Mistakes in what a run is said to need at most. */
export const WORST_CASE_MUTANTS: readonly Mutant[] = [
  {
    name: "worst case: attempts do not count",
    file: WALK,
    search: "times(each, invoke.retry.maxAttempts)",
    replace: "times(each, 1)",
    tests: [RANDOM],
  },
  {
    name: "worst case: a loop over a list makes a pass less",
    file: PASSES,
    search: "return Math.min(maxIterations, mostItems",
    replace: "return -1 + Math.min(maxIterations, mostItems",
    tests: [RANDOM],
  },
  {
    name: "worst case: a loop with a condition makes a pass less",
    file: PASSES,
    search: "collection === undefined) return maxIterations;",
    replace: "collection === undefined) return maxIterations - 1;",
    tests: [RANDOM],
  },
  {
    name: "worst case: passes that are runs of their own are forgotten",
    file: WALK,
    search: "return new Map([...times(pass, passes), [WAITING, rounds]]);",
    replace: "return new Map([[WAITING, rounds]]);",
    tests: [RANDOM],
  },
  {
    name: "worst case: regions count as one of them",
    file: TOTALS,
    search: "const added = new Map(sum(list));",
    replace: "const added = new Map(either(list));",
    tests: [RANDOM],
  },
  {
    name: "worst case: cycles are not seen",
    file: WALK,
    search: "component.isCycle\n",
    replace: "component.isCycle && component.members.length < 0\n",
    tests: [RANDOM],
  },
  {
    name: "worst case: a timer does not end a wait",
    file: WALK,
    search: "return this.#counted(state, { ...found, total: this.#beforeTimers(state, total) });",
    replace: "return this.#counted(state, { ...found, total });",
    tests: [EXAMPLES],
  },
  {
    name: "worst case: answers that do not fit their schema are not asked for again",
    file: "packages/module-workflow-agents/src/nodes/ceilings.ts",
    search: "const asks = outputSchema === undefined ? 1 : 1 + corrections;",
    replace: "const asks = outputSchema === undefined ? 1 : 1 + 0 * corrections;",
    tests: [PLATFORM],
  },
  {
    name: "worst case: what nothing bounds is within every limit of a policy",
    file: "packages/module-workflows/src/policies/worst-case.ts",
    search: "(most !== null && most <= limit)",
    replace: "most === null || most <= limit",
    tests: [PLATFORM],
  },
];
