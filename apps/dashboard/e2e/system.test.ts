import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, shoot, type TestBrowser } from "./browser.ts";
import { type OvenProcess, startOven } from "./oven-process.ts";
import { signUp } from "./sign-up.ts";

const ends = { initial: "done", states: { done: { type: "final" } } };

describe("tags, artefacts, the system and languages in the browser", () => {
  let oven: OvenProcess;
  let chromium: TestBrowser;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    oven = await startOven();
    chromium = await openBrowser();
    ({ page, complaints } = await chromium.newPage());
    await signUp(page, oven);
    complaints.length = 0;
    for (const name of ["One", "Two"]) await oven.call("POST", "workflows", { name, definition: ends });
  });
  afterAll(async () => {
    await chromium?.close();
    await oven?.kill("SIGKILL");
  });

  it("tags one workflow on its page and two from the list, and filters by a tag in the address", async () => {
    await page.goto(`${oven.url}/workflows`);
    await page.getByRole("link", { name: "One", exact: true }).click();
    await page.getByRole("button", { name: "Add tags" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Tags").fill("Customer  Care,");
    await dialog.getByLabel("Tags").press("Enter");
    await dialog.getByRole("button", { name: "Save tags" }).click();
    await page.getByRole("link", { name: "Workflows tagged customer care" }).waitFor();
    await page.goto(`${oven.url}/workflows`);
    for (const name of ["One", "Two"]) await page.getByRole("checkbox", { name: `Choose ${name}` }).check();
    await page.getByRole("group", { name: "Chosen workflows" }).getByRole("button", { name: "Tags" }).click();
    await dialog.getByLabel("Add").fill("live");
    await shoot(page, "tags-dialog");
    await dialog.getByRole("button", { name: "Save tags" }).click();
    await expect.poll(() => page.getByRole("link", { name: "Workflows tagged live" }).count()).toBe(2);
    await page.getByRole("link", { name: "Workflows tagged customer care" }).click();
    await page.waitForURL(/customer/);
    await expect.poll(() => page.getByRole("link", { name: "Two", exact: true }).count()).toBe(0);
    await page.getByRole("link", { name: "One", exact: true }).waitFor();
  });

  it("loads no library for schemas with the first screen", async () => {
    const fresh = await page.context().newPage();
    const scriptsOf = async (path: string) => {
      await fresh.goto(`${oven.url}${path}`, { waitUntil: "networkidle" });
      const urls = await fresh.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)");
      // cast: an expression is evaluated
      const scripts = (urls as string[]).filter((url) => url.endsWith(".js"));
      return Promise.all(scripts.map(async (url) => (await fetch(url)).text()));
    };
    const hasSchemas = (texts: string[]) => texts.some((text) => text.includes("$ZodObject"));
    expect(hasSchemas(await scriptsOf("/"))).toBe(false);
    // The name by which it is known in what was built.
    expect(hasSchemas(await scriptsOf("/workflows/1/editor"))).toBe(true);
    await fresh.close();
  });

  it("begins anew where a part of the page is of an older version, and then shows it", async () => {
    const fresh = await page.context().newPage();
    let asked = 0;
    await fresh.route(/\/assets\/reviews-page-[^/]+\.js$/, (route) => {
      asked += 1;
      return asked === 1 ? route.fulfill({ status: 404, body: "There is no such file." }) : route.continue();
    });
    await fresh.goto(oven.url);
    await fresh.getByRole("link", { name: "Reviews" }).click();
    await fresh.getByRole("heading", { name: "Reviews", level: 1 }).waitFor();
    expect(asked).toBe(2);
    await fresh.close();
  });

  it("speaks German once that is chosen, also after a reload, and English again", async () => {
    await page.getByRole("combobox", { name: "Language" }).click();
    await page.getByRole("option", { name: "Deutsch" }).click();
    await page.getByRole("link", { name: "Freigaben" }).waitFor();
    await page.reload();
    await page.getByRole("link", { name: "Freigaben" }).click();
    await page.getByText("Nichts braucht Sie").waitFor();
    await shoot(page, "reviews-german");
    expect(await page.locator("html").getAttribute("lang")).toBe("de");
    await page.getByRole("combobox", { name: "Sprache" }).click();
    await page.getByRole("option", { name: "English" }).click();
    await page.getByText("Nothing needs you").waitFor();
  });

  it("lists the modules, that of agent workflows by its name [004-001]", async () => {
    await page.goto(`${oven.url}/system`);
    await page.getByText("module-workflow-agents", { exact: true }).waitFor();
    const modules: { name: string }[] = (await oven.call("GET", "modules")).body;
    expect(modules.map(({ name }) => name)).toContain("module-workflow-agents");
  });

  it("complained of nothing", () => {
    expect(complaints).toEqual([]);
  });
});
