import type { Evaluation } from "@oven/contract/run";
import { t } from "@oven/i18n";

/** What would become of a branch. */
export interface Verdict {
  is: "taken" | "passed" | "denied" | "broken";
  text: string;
}

type Result = NonNullable<Evaluation["results"]>[number];

/**
 * Which of several branches would be taken: the first whose condition holds. A condition that cannot be computed ends the run there,
 * so nothing after it is taken.
 * @param guarded whether each branch has a condition
 * @param results of those that have one, in order
 */
export function judgeBranches(guarded: readonly boolean[], results: readonly Result[]): Verdict[] {
  let next = 0;
  let decided: "taken" | "broken" | null = null;
  return guarded.map((hasGuard): Verdict => {
    const result = hasGuard ? results[next++] : { value: true, problem: null };
    if (result === undefined) return { is: "denied", text: t("not known") };
    const before = decided;
    if (result.problem !== null) {
      decided ??= "broken";
      return { is: "broken", text: result.problem.message };
    }
    if (result.value !== true) return { is: "denied", text: t("the condition does not hold") };
    decided ??= "taken";
    if (before === null) return { is: "taken", text: t("this branch would be taken") };
    return {
      is: "passed",
      text: before === "taken" ? t("an earlier branch would be taken") : t("an earlier condition cannot be computed"),
    };
  });
}
