import { shoot } from "./browser.ts";
import type { EditorPage } from "./editor-page.ts";

/** Saves what the editor shows, light as `<name>.png` and dark as `<name>-dark.png`. */
export async function shootIn({ page }: EditorPage, name: string): Promise<void> {
  await shoot(page, name);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))");
  await shoot(page, `${name}-dark`);
  await page.emulateMedia({ colorScheme: "light" });
}
