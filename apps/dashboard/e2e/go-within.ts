import type { Page } from "playwright-core";

/** To another page of the dashboard without loading it all anew; by way of none, so that nothing of the page before is taken for it. */
export async function goWithin(page: Page, path: string): Promise<void> {
  for (const to of ["/there-is-no-such-page", `/${path}`]) {
    await page.evaluate(
      `history.pushState({}, "", ${JSON.stringify(to)}); dispatchEvent(new PopStateEvent("popstate"))`,
    );
    if (to !== `/${path}`) await page.getByRole("heading", { name: "Page not found" }).waitFor();
  }
}
