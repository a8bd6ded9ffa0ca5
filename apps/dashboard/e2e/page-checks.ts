import axe from "axe-core";
import type { Page } from "playwright-core";

interface AxeResult {
  violations: { id: string; impact: string | null; nodes: { html: string }[] }[];
}

/** What a screen reader or keyboard user would stumble over. */
export async function seriousIssues(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const result = (await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")) as AxeResult; // cast: axe's result
  return result.violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

/** By how many pixels the page is wider than the window. */
export async function overflow(page: Page): Promise<number> {
  return page.evaluate(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  ) as Promise<number>; // cast: a difference of numbers
}
