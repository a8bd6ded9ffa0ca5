import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, type TestBrowser } from "./browser.ts";
import { type OvenProcess, startOven } from "./oven-process.ts";
import { overflow, resize, seriousIssues } from "./page-checks.ts";
import { signUp } from "./sign-up.ts";

describe("the section of agent workflows", () => {
  let oven: OvenProcess;
  let chromium: TestBrowser;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    oven = await startOven();
    chromium = await openBrowser();
    ({ page, complaints } = await chromium.newPage());
    await signUp(page, oven);
    for (const message of ["Order 8841 is late", "A loose lid"])
      await oven.call("POST", "agent-workflows/order-triage/execute?wait=20", { input: { message } });
  });
  afterAll(async () => {
    await chromium?.close();
    await oven?.kill("SIGKILL");
  });

  const main = () => page.locator("main");

  it("has workflows, executions, memory and MCP servers, in this order [004-198]", async () => {
    const entries = page.getByRole("list", { name: "Agent Workflows" }).getByRole("link");
    await expect
      .poll(async () => (await entries.allTextContents()).slice(0, 4))
      .toEqual(["Agent Workflows", "Executions", "Memory", "MCP Servers"]);
  });

  it("keeps what agents remember: written, found, corrected and forgotten, with its embedding [004-190]", async () => {
    await page.getByRole("link", { name: "Memory" }).click();
    await page.getByText("Nothing is remembered yet").waitFor();
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await main().getByRole("button", { name: "New memory" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Who remembers it").click();
    await page.getByRole("option", { name: "Support reply" }).click();
    await dialog.getByLabel("What it is about").fill("delivery times");
    await dialog.getByLabel("What to remember").fill("Parcels leave on Mondays");
    await dialog.getByRole("button", { name: "Remember" }).click();
    await main().getByText("embedded", { exact: true }).waitFor();
    await main().getByText("Support reply").first().waitFor();
    await page.getByRole("searchbox").fill("fridays");
    await page.getByText("No memories match").waitFor();
    await page.getByRole("searchbox").fill("mondays");
    await page.getByRole("link", { name: "delivery times" }).click();
    await page.getByText("runs find it by meaning and by words").waitFor();
    await page.getByRole("button", { name: "Correct" }).click();
    await dialog.getByLabel("What to remember").fill("Parcels leave on Tuesdays");
    await dialog.getByRole("button", { name: "Remember" }).click();
    await main().getByText("Parcels leave on Tuesdays").waitFor();
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await resize(page, 390, 800);
    await expect.poll(() => overflow(page)).toBe(0);
    await resize(page, 1280, 800);
    await page.getByRole("button", { name: "Forget" }).click();
    await dialog.getByRole("button", { name: "Forget" }).click();
    await page.waitForURL(/agent-memory(\?|$)/);
    await expect.poll(async () => (await oven.call("GET", "agent-memory")).body).toEqual([]);
  });

  it("shows a workflow's graph, versions and MCP status, its server's schemas, snippets and how to generate them again [004-267]", async () => {
    const entry = { agentWorkflowId: 1, key: "tone", content: "Be brief" };
    await oven.call("POST", "agent-memory", entry);
    await page.goto(`${oven.url}/agent-memory?filter=%7B%7D`);
    await main().getByText("embedded", { exact: true }).waitFor();
    await page.goto(`${oven.url}/agent-workflows/support-reply/show`);
    await page.locator("section[data-ready=true]").first().waitFor();
    await main().getByTitle("Offered as a tool over MCP").waitFor();
    await page.getByRole("tab", { name: "Versions" }).click();
    await main().getByText("version 1").first().waitFor();
    await main().getByRole("link", { name: "MCP server" }).click();
    await main().getByRole("link", { name: "Support reply" }).click();
    await page.getByRole("button", { name: "Generate again" }).waitFor();
    await page.getByRole("tab").first().waitFor();
    await main().locator("summary", { hasText: "support_reply" }).first().click();
    await main().getByText("Input schema").locator("visible=true").first().waitFor();
  });

  it("finds runs by words of their input and by who started them, and keeps that under a name", async () => {
    await page.goto(`${oven.url}/agent-workflow-executions`);
    const rows = () => main().getByRole("link", { name: "Order triage" }).count();
    await expect.poll(rows).toBe(2);
    await page.getByRole("button", { name: "More filters" }).click();
    await page.getByLabel("Input contains").fill("loose");
    await page.keyboard.press("Enter");
    await expect.poll(rows).toBe(1);
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.getByRole("button", { name: "Save this view" }).click();
    await page.getByLabel("Name of the view").fill("Loose lids");
    await page.keyboard.press("Enter");
    await page.getByLabel("Started by").click();
    await page.getByRole("option", { name: "Me" }).click();
    await page.getByText("No executions match").waitFor();
    await page.getByRole("button", { name: "Clear search and filters" }).click();
    await expect.poll(rows).toBe(2);
    await page.getByRole("group", { name: "Saved views" }).getByRole("button", { name: "Loose lids" }).click();
    await expect.poll(rows).toBe(1);
    await resize(page, 390, 800);
    await expect.poll(() => overflow(page)).toBe(0);
    await expect.poll(() => seriousIssues(page)).toEqual([]);
  });

  it("shows the context at each checkpoint with what changed, forks it with another one, and puts both runs side by side", async () => {
    await resize(page, 1280, 800);
    await main().getByRole("link", { name: "Order triage" }).click();
    await page.getByRole("tab", { name: "Checkpoints" }).click();
    const slider = page.getByRole("slider", { name: "Checkpoint of the run" });
    await slider.press("Home");
    await page.getByText("What it began with").waitFor();
    await slider.press("ArrowRight");
    await page.getByText("Changed since the checkpoint before").waitFor();
    await page.getByRole("list", { name: "Changes of the context" }).first().waitFor();
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.getByRole("button", { name: "Fork from here" }).click();
    const context = page.getByRole("dialog").getByRole("textbox", { name: "Context" });
    await context.fill(JSON.stringify({ ...JSON.parse(await context.inputValue()), note: "by hand" }));
    await page.getByRole("dialog").getByRole("list", { name: "Changes of the context" }).getByText("by hand").waitFor();
    await page.getByRole("button", { name: "Fork with this context" }).click();
    await main().getByText("forked from").waitFor();
    await main().getByText("completed", { exact: true }).first().waitFor();
    await page.getByRole("button", { name: "Compare" }).click();
    await page.getByRole("link", { name: /which it was forked from/ }).click();
    await page.getByRole("heading", { name: /^Runs #\d+ and #\d+$/ }).waitFor();
    await main().getByText("The same output.").first().waitFor();
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await resize(page, 390, 800);
    await expect.poll(() => overflow(page)).toBe(0);
  });

  it("adds the runs up: at home by day and workflow, in the list with the last one and its success", async () => {
    await resize(page, 1280, 800);
    await page.goto(oven.url);
    await page.getByRole("img", { name: /^Runs by day: .*3 runs, 0 failed$/ }).waitFor();
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.getByRole("button", { name: "Workflow", exact: true }).click();
    await main()
      .getByText(/^3 runs · /)
      .waitFor();
    await page.getByRole("button", { name: "Model", exact: true }).click();
    await main()
      .getByText(/^\d+ calls · /)
      .first()
      .waitFor();
    await resize(page, 390, 800);
    await expect.poll(() => overflow(page)).toBe(0);
    await resize(page, 1280, 800);
    await page.goto(`${oven.url}/agent-workflows`);
    const row = main().getByRole("row", { name: /Order triage/ });
    await row.getByRole("link", { name: /^completed/ }).waitFor();
    await row.getByText("100 %").waitFor();
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await row.getByRole("checkbox", { name: "Choose Order triage" }).click();
    await page.getByRole("button", { name: "Disable", exact: true }).click();
    await row.getByText("disabled", { exact: true }).waitFor();
    await expect
      .poll(async () => {
        const { enabled, version } = (await oven.call("GET", "agent-workflows/order-triage")).body;
        return [enabled, version];
      })
      .toEqual([false, 1]);
    await page.getByRole("link", { name: "Order triage", exact: true }).click();
    await page.getByRole("button", { name: "Duplicate Order triage" }).click();
    await page.getByRole("heading", { name: "Order triage (copy)" }).waitFor();
  });

  it("shows what models came to and what they may cost, and takes a budget", async () => {
    await page.goto(`${oven.url}/ai`);
    await page.getByRole("img", { name: /^Calls by day: .*[1-9]\d* calls, 0 failed$/ }).waitFor();
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.getByRole("tab", { name: "Budgets" }).click();
    await page.getByRole("button", { name: "New budget" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("House");
    await dialog.getByLabel("Dollars").fill("3");
    await dialog.getByRole("button", { name: "Make the budget" }).click();
    await main().getByText("$3 a month for everything together; what goes beyond it is blocked.").waitFor();
    await main().getByRole("button", { name: "Switch off" }).click();
    await main().getByText("off", { exact: true }).waitFor();
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await resize(page, 390, 800);
    await expect.poll(() => overflow(page)).toBe(0);
  });

  it("left no error in the browser's console", () => {
    expect(complaints.filter((complaint) => !/status of 401/.test(complaint))).toEqual([]);
  });
});
