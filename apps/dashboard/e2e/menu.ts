import type { Page } from "playwright-core";

/** Opens the folded part of the menu, where it is shown at all. */
export async function unfoldSettings(page: Page): Promise<void> {
  const button = page.getByRole("navigation", { name: "Main" }).getByRole("button", { name: "Settings" });
  await button.waitFor();
  if ((await button.getAttribute("aria-expanded")) === "false") await button.click();
  await page.getByRole("list", { name: "Settings", exact: true }).getByRole("link").first().waitFor();
}

/** Opens a page by its entry in the folded part of the menu. */
export async function openSetting(page: Page, name: string): Promise<void> {
  await unfoldSettings(page);
  await page.getByRole("list", { name: "Settings", exact: true }).getByRole("link", { name, exact: true }).click();
}
