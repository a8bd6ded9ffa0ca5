import { startOrdersApi } from "@oven/module-api-connections/testing";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, shoot, type TestBrowser } from "./browser.ts";
import { openSetting } from "./menu.ts";
import { type OvenProcess, startOven } from "./oven-process.ts";
import { overflow, resize, seriousIssues } from "./page-checks.ts";
import { signUp } from "./sign-up.ts";

describe("the catalogue of services in the browser", () => {
  let api: Awaited<ReturnType<typeof startOrdersApi>>;
  let oven: OvenProcess;
  let chromium: TestBrowser;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    api = await startOrdersApi();
    oven = await startOven({ bootstrap: false, env: { OVEN_OUTBOUND_ALLOW: api.origin } });
    chromium = await openBrowser();
    ({ page, complaints } = await chromium.newPage());
    await signUp(page, oven);
    complaints.length = 0;
  });
  afterAll(async () => {
    await chromium?.close();
    await oven?.kill("SIGKILL");
    await api?.close();
  });

  const openCatalogue = async () => {
    await page.goto(`${oven.url}/api-connections`);
    await page
      .getByRole("button", { name: /Connect an API|API verbinden/ })
      .first()
      .click();
    await page.getByRole("dialog").getByText("GitHub", { exact: true }).waitFor();
  };
  const cards = () => page.getByRole("dialog").getByRole("list").getByRole("button");

  it("shows services as cards, found by their words, category and keyboard", async () => {
    await openSetting(page, "Connected APIs");
    await openCatalogue();
    expect(await cards().count()).toBeGreaterThanOrEqual(40);
    await shoot(page, "api-catalogue");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.getByRole("button", { name: "Money" }).click();
    await expect
      .poll(() =>
        cards()
          .allInnerTexts()
          .then((all) => all.map((one) => one.split("\n")[0])),
      )
      .toEqual(["Adyen Checkout", "PayPal", "Square", "Stripe", "Xero"]);
    await page.getByRole("button", { name: "Money" }).click();
    await page.getByLabel("Search services").fill("designs comm");
    await expect.poll(() => cards().count()).toBe(1);
    await cards().first().focus();
    await page.keyboard.press("Enter");
    await page.getByText("Store it as a secret whose hosts name api.figma.com.").waitFor();
    expect(await page.getByLabel("Web address").inputValue()).toContain("figma/rest-api-spec");
    await shoot(page, "api-catalogue-steps");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
  });

  it("proposes the server, the way to sign in and operations of a service; a person still approves", async () => {
    await page.request.post(`${oven.url}/api/secrets`, {
      data: { name: "figma-token", value: "token-of-the-designers-01", hosts: ["api.figma.com"] },
      headers: { origin: oven.url },
    });
    // The service's document, from this machine.
    api.document.paths["/v1/me"] = { get: { operationId: "getMe", responses: {} } };
    api.document.paths["/v1/files/{key}"] = {
      get: {
        operationId: "getFile",
        parameters: [{ name: "key", in: "path", required: true, schema: { type: "string" } }],
        responses: {},
      },
    };
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Web address").fill(`${api.origin}/openapi.json`);
    await page.keyboard.press("Enter");
    await expect.poll(() => dialog.getByLabel("What it is called there").inputValue()).toBe("X-Figma-Token");
    expect(await dialog.getByRole("textbox", { name: "Server" }).inputValue()).toBe("https://api.figma.com");
    expect(await dialog.getByRole("textbox", { name: "Name" }).inputValue()).toBe("figma");
    await dialog.getByLabel("Secret", { exact: false }).first().click();
    await page.getByRole("option", { name: "figma-token" }).click();
    await dialog.getByRole("button", { name: "Connect", exact: true }).click();
    await page.getByText("0 of 7 operations approved").waitFor();
    await page.getByText("These are useful at first and picked for you.").waitFor();
    await page.getByRole("button", { name: "Approve 2…" }).waitFor();
    expect(await page.getByRole("checkbox", { name: /^Pick / }).count()).toBe(2);
    await shoot(page, "api-catalogue-proposed");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    // One of the seven names another server: it cannot be picked.
    await page.getByRole("button", { name: "Show all operations" }).click();
    await expect.poll(() => page.getByRole("checkbox", { name: /^Pick / }).count()).toBe(6);
    await page.getByRole("button", { name: "Approve 2…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Approve", exact: true }).click();
    await page.getByText("2 of 7 operations approved").waitFor();
  });

  it("leads to the servers of MCP with the address of one", async () => {
    await openCatalogue();
    await page.getByLabel("Search services").fill("linear");
    await expect.poll(() => cards().count()).toBe(1);
    await cards().first().click();
    await page.getByText("https://mcp.linear.app/mcp").waitFor();
    await shoot(page, "api-catalogue-mcp");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.getByRole("button", { name: "Go on with its MCP server" }).click();
    await page.waitForURL(/\/mcp-connections$/);
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByLabel("Address").inputValue()).toBe("https://mcp.linear.app/mcp");
    expect(await dialog.getByRole("textbox", { name: "Name" }).first().inputValue()).toBe("linear");
    await dialog.getByText("OAuth: somebody signs in").waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  });

  it("is usable on a phone, in the dark and in German", async () => {
    await page.emulateMedia({ colorScheme: "dark" });
    await resize(page, 390, 900);
    await page.evaluate(`localStorage.setItem("oven.language", "de")`);
    await openCatalogue();
    await page.getByText("Dienste suchen").first().waitFor();
    await shoot(page, "api-catalogue-390-dark-de");
    expect(await overflow(page)).toBe(0);
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.getByLabel("Dienste suchen").fill("kalender");
    await expect.poll(() => cards().count()).toBe(1);
    await cards().first().click();
    await page.getByText("Google veröffentlicht kein eigenes OpenAPI-Dokument").waitFor();
    await shoot(page, "api-catalogue-steps-390-dark-de");
    expect(await overflow(page)).toBe(0);
    expect(complaints).toEqual([]);
  });
});
