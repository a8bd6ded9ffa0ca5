import type { DraftCaseResult, NotProved } from "@oven/contract/workflow";
import { t } from "@oven/i18n";

/** What nothing has shown of a draft, in words. */
export function toNotProvedText(what: NotProved): string {
  switch (what) {
    case "no-case":
      return t("There is no test case: nothing was tried.");
    case "model-answers":
      return t("What real models answer: the tries used examples in their place.");
    case "outside-calls":
      return t("What services answer: none of them was called.");
    case "reviews":
      return t("What people decide: none of them was asked.");
    case "unbounded":
      return t("How much a run may cost or take: nothing limits it.");
  }
}

/** How the test cases went, in a line. */
export function toCasesText(cases: readonly DraftCaseResult[]): string {
  const passed = cases.filter((one) => one.passed).length;
  return t("{{passed}} of {{total}} test cases passed", { passed, total: cases.length });
}
