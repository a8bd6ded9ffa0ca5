import { readFileSync } from "node:fs";
import { PersonExportSchema, TenantExportSchema } from "@oven/contract/access";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, shoot, type TestBrowser } from "./browser.ts";
import { type OvenProcess, startOven } from "./oven-process.ts";
import { overflow, seriousIssues } from "./page-checks.ts";
import { signUp } from "./sign-up.ts";

const ANNA = "anna@example.com";

describe("personal data in the browser", () => {
  let oven: OvenProcess;
  let chromium: TestBrowser;
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    oven = await startOven({ bootstrap: false });
    chromium = await openBrowser();
    ({ page, complaints } = await chromium.newPage());
    await signUp(page, oven);
    // Before the sign-up the page asks who it is, and hears that no one is signed in.
    complaints.length = 0;
    const post = (path: string, data: object) =>
      page.request.post(`${oven.url}/api/${path}`, { data, headers: { origin: oven.url } });
    const invited = await (await post("invitations", { email: ANNA, roles: ["editor"] })).json();
    const token = new URL(invited.link).searchParams.get("token");
    const other = await chromium.newPage();
    await other.page.request.post(`${oven.url}/api/invitations/accept`, {
      data: { token, name: "Anna", password: "correct horse battery" },
      headers: { origin: oven.url },
    });
    await post("tenants", { name: "Acme", ownerEmail: "owner@acme.example" });
  });
  afterAll(async () => {
    await chromium?.close();
    await oven?.kill("SIGKILL");
  });

  async function saved(on: Page, click: () => Promise<void>): Promise<unknown> {
    const [file] = await Promise.all([on.waitForEvent("download"), click()]);
    return JSON.parse(readFileSync(await file.path(), "utf8"));
  }

  it("a person exports their own data on the account page", async () => {
    await page.goto(`${oven.url}/account`);
    const own = page.getByRole("link", { name: "Export as JSON" });
    await own.scrollIntoViewIfNeeded();
    await shoot(page, "account-own-data");
    const exported = PersonExportSchema.parse(await saved(page, () => own.click()));
    expect(exported.subject.email).toBe("ada@example.com");
    expect(await seriousIssues(page)).toEqual([]);
  });

  it("reads well on a phone and in the dark, in German", async () => {
    const { cookies } = await page.context().storageState();
    for (const [width, dark, language] of [
      [390, false, "de"],
      [1280, true, "de"],
      [390, true, "en"],
    ] as const) {
      const look = await chromium.newPage({ width, height: 844, dark });
      await look.page.context().addCookies(cookies);
      await look.page.addInitScript(`localStorage.setItem("oven.language", "${language}")`);
      await look.page.goto(`${oven.url}/users`);
      const name = language === "de" ? `Personenbezogene Daten von ${ANNA}` : `Personal data of ${ANNA}`;
      await look.page.getByRole("button", { name }).click();
      await look.page.getByRole("button", { name: language === "de" ? "Danach suchen" : "Look for it" }).click();
      await look.page.getByText(language === "de" ? "Konto" : "Account", { exact: true }).waitFor();
      await shoot(look.page, `person-found-${width}${dark ? "-dark" : ""}-${language}`);
      expect(await overflow(look.page)).toBeLessThanOrEqual(0);
      await expect.poll(() => seriousIssues(look.page)).toEqual([]);
      await look.page.context().close();
    }
  });

  it("an owner exports and erases a person, once the address is typed again", async () => {
    await page.goto(`${oven.url}/users`);
    await page.getByRole("button", { name: "Personal data", exact: true }).click();
    await page.getByLabel("E-mail of the person").fill(ANNA);
    await page.getByRole("button", { name: "Look for it" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Account", { exact: true }).waitFor();
    await shoot(page, "person-found");
    const exported = PersonExportSchema.parse(
      await saved(page, () => dialog.getByRole("button", { name: "Export as JSON" }).click()),
    );
    expect(exported.subject.email).toBe(ANNA);
    const erase = dialog.getByRole("button", { name: "Erase for good" });
    await dialog.getByLabel(`Type ${ANNA}`).fill("anna");
    expect(await erase.isDisabled()).toBe(true);
    await dialog.getByLabel(`Type ${ANNA}`).fill(ANNA);
    await erase.click();
    await page.getByText(`Erased: ${ANNA}`).waitFor();
    await shoot(page, "person-erased");
    await page.getByRole("button", { name: "Done" }).click();
    await page.reload();
    await page.getByText("ada@example.com").first().waitFor();
    expect(await page.getByText(ANNA).count()).toBe(0);
  });

  it("a tenant is exported and erased, once its name is typed", async () => {
    await page.goto(`${oven.url}/tenants`);
    await page.getByRole("button", { name: "Erase Acme" }).click();
    const dialog = page.getByRole("dialog");
    await shoot(page, "tenant-erase");
    expect(await seriousIssues(page)).toEqual([]);
    const exported = TenantExportSchema.parse(
      await saved(page, () => dialog.getByRole("link", { name: "Export as JSON" }).click()),
    );
    expect(exported.tenant.name).toBe("Acme");
    const erase = dialog.getByRole("button", { name: "Erase for good" });
    expect(await erase.isDisabled()).toBe(true);
    await dialog.getByLabel("Type Acme").fill("Acme");
    await erase.click();
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => page.getByText("Acme").count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
