import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, shoot, type TestBrowser } from "./browser.ts";
import { type OvenProcess, startOven } from "./oven-process.ts";
import { seriousIssues } from "./page-checks.ts";

describe("triggers and schedules in the browser", () => {
  let oven: OvenProcess;
  let chromium: TestBrowser;
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    oven = await startOven({ bootstrap: false });
    chromium = await openBrowser();
    ({ page, complaints } = await chromium.newPage());
    await page.goto(oven.setupUrl ?? "");
    await page.getByLabel("Name").fill("Olga");
    await page.getByLabel("E-mail").fill("olga@example.com");
    await page.getByLabel("Password").fill("correct horse battery");
    await page.getByRole("button", { name: "Create admin account" }).click();
    await page.getByRole("heading", { name: "Welcome to OVEN" }).waitFor();
  });
  afterAll(async () => {
    await chromium?.close();
    await oven?.kill("SIGKILL");
  });

  it("say what to do when there is none", async () => {
    await page.getByRole("link", { name: "Triggers & schedules" }).click();
    await page.getByText("Nothing starts by itself yet").waitFor();
    await shoot(page, "triggers-empty");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
  });

  it("a schedule in words is said back in exact terms, saved, and shows its next instants", async () => {
    await page.getByRole("link", { name: "New trigger" }).first().click();
    await page.getByLabel("Name").fill("Morning triage");
    await page.getByLabel("Starts").click();
    await page.getByRole("option", { name: "Order triage" }).click();
    await page.getByLabel("When").first().fill("every full moon");
    await page.getByText("could not be read as a schedule").first().waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
    await page.getByLabel("When").first().fill("every weekday at 8:30");
    await page.getByText(/At 08:30, Monday through Friday/).waitFor();
    await expect
      .poll(() => page.getByRole("list", { name: "The next instants" }).getByRole("listitem").count())
      .toBe(5);
    await shoot(page, "trigger-create");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    // Order triage asks for a message, which a schedule does not bring: no firing could ever start it.
    await page.getByRole("button", { name: "Save" }).click();
    await page
      .getByText(/The workflow needs message, which this trigger does not hand over/)
      .first()
      .waitFor();
    await page.getByLabel(/^Input/).fill('{"message": "Where is my parcel?"}');
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Morning triage" }).waitFor();
    await page.getByText(/At 08:30, Monday through Friday/).waitFor();
    await page.getByText("Nothing has arrived yet").waitFor();
  });

  it("can be tried without starting anything, then fired; what arrived is there with its run", async () => {
    await page.getByRole("button", { name: "Try or fire" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("What arrives").fill('{"by": "Ada Admin"}');
    await dialog.getByRole("button", { name: "Test, start nothing" }).click();
    await dialog.getByText("A run would be started with this input").waitFor();
    await shoot(page, "trigger-test");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Fire", exact: true }).click();
    await dialog
      .getByText(/refused|started/)
      .first()
      .waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    const log = page.getByRole("list", { name: "Deliveries" });
    await log.getByRole("listitem").first().waitFor();
    await log.getByRole("button", { name: "Show" }).first().click();
    await log.getByText("Ada Admin").first().waitFor();
    await shoot(page, "trigger-show");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
  });

  it("is edited, switched off from the list, and deleted", async () => {
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await page.getByText(/At 08:30, Monday through Friday/).waitFor();
    await page.getByLabel("When").first().fill("daily at 7am");
    await page.getByText(/At 07:00/).waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText(/At 07:00/).waitFor();
    await page.goto(`${oven.url}/triggers`);
    await page.getByLabel("Morning triage is on").click();
    await page.getByText("Morning triage is off").waitFor();
    await shoot(page, "triggers");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.getByRole("link", { name: "Morning triage" }).click();
    await page.getByText("It is off and does not fire.").waitFor();
  });

  it("an MCP tool is made by its settings, and shows the address for its clients", async () => {
    await page.goto(`${oven.url}/triggers/create`);
    await page.getByLabel("Name").first().fill("File a claim");
    await page.getByLabel("Starts").click();
    await page.getByRole("option", { name: "Order triage" }).click();
    await page.getByLabel("Kind").click();
    await page.getByRole("option", { name: "MCP tool" }).click();
    await shoot(page, "trigger-create-mcp");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "File a claim" }).waitFor();
    await page.getByText(/^http.*\/api\/mcp\/triggers\/\d+$/).waitFor();
    await shoot(page, "trigger-show-mcp");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
  });

  it("complained of nothing but what was refused on purpose", () => {
    const refusedOnPurpose = /40[0-9] \((Bad Request|Conflict|Unauthorized)\)/;
    expect(complaints.filter((line) => !refusedOnPurpose.test(line))).toEqual([]);
  });
});
