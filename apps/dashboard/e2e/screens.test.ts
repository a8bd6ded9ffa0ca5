import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, shoot, type TestBrowser } from "./browser.ts";
import { goWithin } from "./go-within.ts";
import { type OvenProcess, startOven } from "./oven-process.ts";
import { overflow, seriousIssues } from "./page-checks.ts";
import { SCREENS } from "./screens.ts";
import { seedScreens } from "./seed-screens.ts";
import { signUp } from "./sign-up.ts";

describe("every screen", () => {
  let oven: OvenProcess;
  let chromium: TestBrowser;
  let signedIn: BrowserContext;
  beforeAll(async () => {
    oven = await startOven();
    chromium = await openBrowser();
    const { page } = await chromium.newPage();
    await signUp(page, oven);
    await seedScreens(oven, page);
    signedIn = page.context();
  });
  afterAll(async () => {
    await chromium?.close();
    await oven?.kill("SIGKILL");
  });

  describe.each([
    { look: "desktop", width: 1280, height: 800, dark: false },
    { look: "phone-dark", width: 390, height: 844, dark: true },
  ])("on a $look", ({ look, width, height, dark }) => {
    let page: Page;
    let complaints: string[];
    beforeAll(async () => {
      ({ page, complaints } = await chromium.newPage({ width, height, dark }));
      await page.context().addCookies(await signedIn.cookies());
      await page.goto(`${oven.url}/there-is-no-such-page`);
      await page.getByRole("heading", { name: "Page not found" }).waitFor();
    });
    afterAll(() => page?.context().close());

    it.each(SCREENS)(
      "/%s is there, as wide as the window, with nothing a screen reader stumbles over (%s)",
      async (path, name, text) => {
        await goWithin(page, path);
        await page.getByText(text).filter({ visible: true }).first().waitFor();
        await shoot(page, `${name}-${look}`);
        expect(await overflow(page)).toBeLessThanOrEqual(0);
        await expect.poll(() => seriousIssues(page)).toEqual([]);
        // The browser tells of the draft that an editor asks for and nobody has begun.
        const noDraft = /status of 404/;
        expect(complaints.splice(0).filter((line) => name !== "editor" || !noDraft.test(line))).toEqual([]);
      },
    );
  });
});
