import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { shoot, type TestBrowser } from "./browser.ts";
import { goWithin } from "./go-within.ts";

interface AxeResult {
  violations: { id: string; impact: string | null; nodes: { html: string }[] }[];
}

/** What a screen reader or keyboard user would stumble over. */
export async function seriousIssues(page: Page): Promise<string[]> {
  // A page that was gone to within the dashboard has it from the scan before.
  if ((await page.evaluate("typeof axe")) === "undefined") await page.evaluate(axe.source);
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

/** A page that somebody signed in sees: its path, the name of its screenshots, and a text that it has once it is there. */
export type SeenPage = readonly [path: string, name: string, text: string];

export interface Look {
  width: number;
  dark: boolean;
  /** Absent: English. */
  language?: "de";
}

/** Resizes the window and waits until the page has been laid out for it: a click before that may fall between two layouts. */
export async function resize(page: Page, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height });
  await expect.poll(() => page.evaluate("innerWidth")).toBe(width);
  await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))");
}

/** Each page is no wider than the window and has nothing a screen reader would stumble over, in each look. */
export async function expectWhole(
  chromium: TestBrowser,
  signedIn: Page,
  { url, pages, looks }: { url: string; pages: readonly SeenPage[]; looks: readonly Look[] },
): Promise<void> {
  const { cookies } = await signedIn.context().storageState();
  for (const { width, dark, language } of looks) {
    // One window for all pages: what the dashboard is made of is loaded once.
    const { page } = await chromium.newPage({ width, height: 844, dark });
    await page.context().addCookies(cookies);
    if (language !== undefined) await page.addInitScript(`localStorage.setItem("oven.language", "${language}")`);
    for (const [index, [path, name, text]] of pages.entries()) {
      // To go within waits for an English word.
      if (index === 0 || language !== undefined) await page.goto(`${url}/${path}`);
      else await goWithin(page, path);
      await page.getByText(text).first().waitFor();
      await shoot(
        page,
        [name, width, ...(language === undefined ? [] : [language]), ...(dark ? ["dark"] : [])].join("-"),
      );
      expect(await overflow(page), `${path} at ${width}`).toBeLessThanOrEqual(0);
      await expect.poll(() => seriousIssues(page), { message: `${path} at ${width}` }).toEqual([]);
    }
    await page.context().close();
  }
}
