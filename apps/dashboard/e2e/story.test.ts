import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, shoot, type TestBrowser } from "./browser.ts";
import { type OvenProcess, startOven } from "./oven-process.ts";
import { seriousIssues } from "./page-checks.ts";

const ADMIN = { name: "Ada Admin", email: "ada@example.com", password: "correct horse battery" };

/** Waits until the page's head shows this status. */
async function status(page: Page, word: string): Promise<void> {
  await page.locator("main").getByText(word, { exact: true }).first().waitFor();
}

/** Waits until some element shows this text; hidden panels hold it too. */
async function visible(page: Page, text: string): Promise<void> {
  await page.getByText(text).locator("visible=true").first().waitFor();
}

/** Starts a run with the workflow's first example and waits for its pause; answers the run's page. */
async function startRun(page: Page, url: string, slug: string): Promise<string> {
  await page.goto(`${url}/agent-workflows/${slug}/show`);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Run", exact: true }).click();
  await page.waitForURL(/agent-workflow-executions\/\d+\/show/);
  await status(page, "paused");
  return page.url();
}

describe("the story in the browser", () => {
  let oven: OvenProcess;
  let chromium: TestBrowser;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    oven = await startOven({ bootstrap: false });
    chromium = await openBrowser();
    ({ page, complaints } = await chromium.newPage());
  });
  afterAll(async () => {
    await chromium?.close();
    await oven?.kill("SIGKILL");
  });

  it("creates the admin by the link the server printed, and offers three demo workflows", async () => {
    await page.goto(oven.setupUrl ?? "");
    await page.getByLabel("Name").fill(ADMIN.name);
    await page.getByLabel("E-mail").fill(ADMIN.email);
    await page.getByLabel("Password").fill(ADMIN.password);
    await shoot(page, "setup");
    await page.getByRole("button", { name: "Create admin account" }).click();
    await page.getByRole("heading", { name: "Welcome to OVEN" }).waitFor();
    await expect.poll(() => page.getByRole("button", { name: /^Run it/ }).count()).toBe(3);
    await page.getByText("simulated").first().waitFor();
    await shoot(page, "home-first-visit");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
  });

  it("runs Support reply, watches it live to its review, approves it, and shows the result [004-071] [004-266]", async () => {
    await page.getByRole("button", { name: "Run it: Support reply" }).click();
    await page.waitForURL(/agent-workflow-executions\/\d+\/show/);
    await status(page, "paused");
    const run = page.url();
    await page.getByText("waits for a decision").waitFor();
    await visible(page, "9 March");
    await shoot(page, "execution-paused");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.getByRole("link", { name: "Review now" }).click();
    await page.getByRole("button", { name: /^Approve/ }).waitFor();
    for (const [section, text] of [
      ["Proposed", "9 March"],
      ["Why", "Where is my order 8841?"],
      ["Path so far", "Draft a reply"],
      ["Conversation", "orders.policy"],
    ] as const) {
      await page
        .locator("section", { has: page.getByRole("heading", { name: section }) })
        .getByText(text)
        .first()
        .waitFor();
    }
    await shoot(page, "review");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.getByRole("button", { name: /^Approve/ }).click();
    await page
      .getByText(/approved/i)
      .first()
      .waitFor();
    await page.goto(run);
    await status(page, "completed");
    await visible(page, "9 March");
    await shoot(page, "execution-completed");
  });

  it("shows the node timeline with model, tools and review [004-189]", async () => {
    const body = page.locator("main");
    for (const text of ["orders.get", "orders.policy"]) await body.getByText(text).first().waitFor();
    await page.getByText("simulated").first().waitFor();
  });

  it("decides the refund from the inbox by keyboard, seeing the exact call", async () => {
    const run = await startRun(page, oven.url, "refund");
    await page.goto(`${oven.url}/reviews`);
    await visible(page, "orders.refund");
    await shoot(page, "reviews");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.keyboard.press("r");
    await page.getByLabel("Reason").fill("Please check with the carrier first");
    await page.getByRole("button", { name: /^Reject/ }).click();
    await page.goto(run);
    await status(page, "completed");
    await visible(page, "Please check with the carrier first");
    await shoot(page, "review-rejected");
  });

  it("tells a second tab that the first one has decided, and by whom", async () => {
    await startRun(page, oven.url, "support-reply");
    await page.getByRole("link", { name: "Review now" }).click();
    await page.getByRole("button", { name: /^Approve/ }).waitFor();
    const second = await page.context().newPage();
    await second.goto(page.url());
    await second.getByRole("button", { name: /^Approve/ }).waitFor();
    await page.getByRole("button", { name: /^Approve/ }).click();
    // The decision is held for some seconds before it is sent: until then the second tab could be the first one to decide.
    await page.getByText("by you").waitFor();
    // The second tab may learn of it by itself at any moment, which takes the button away.
    await second.getByRole("button", { name: /^Approve/ }).evaluateAll((buttons) => {
      for (const button of buttons as unknown as { click: () => void }[]) button.click();
    });
    await second.getByText(ADMIN.name).nth(1).waitFor();
    await second
      .getByText(/decided|approved/i)
      .first()
      .waitFor();
    await shoot(second, "review-already-decided");
    await second.close();
  });

  it("names the problems of a definition while it is typed, with the nearest known name", async () => {
    await page.goto(`${oven.url}/agent-workflows/order-triage`);
    const editor = page.getByRole("textbox", { name: /definition/i });
    await editor.fill((await editor.inputValue()).replace('"agent.llm"', '"agent.lmm"'));
    await page
      .getByText(/agent\.lmm/)
      .first()
      .waitFor();
    await page
      .getByText(/agent\.llm/)
      .first()
      .waitFor();
    await shoot(page, "definition-problem");
  });

  it("creates a workflow, shows its graph, publishes a second version, restores the first, and deletes it [004-188]", async () => {
    const definition = (message: string) =>
      JSON.stringify({
        initial: "say",
        states: {
          say: { label: "Say it", invoke: { src: "core.log", input: { message }, onDone: "done" } },
          done: { type: "final" },
        },
      });
    await page.goto(`${oven.url}/agent-workflows`);
    await page.getByRole("link", { name: "From a template or file" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Made by hand");
    await page.getByRole("textbox", { name: "Definition as JSON" }).fill(definition("first"));
    await page.getByRole("button", { name: "Create workflow" }).click();
    await page.getByRole("heading", { name: "Made by hand" }).waitFor();
    await page.locator("section[data-ready=true]").first().waitFor();
    await visible(page, "Say it");
    await shoot(page, "workflow-created");
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await page.getByRole("textbox", { name: "Definition as JSON" }).fill(definition("second"));
    await page.getByRole("button", { name: "Save as new version" }).click();
    await visible(page, "version 2");
    await page.getByRole("tab", { name: "Versions" }).click();
    await page
      .getByRole("button", { name: /restore/i })
      .first()
      .click();
    const confirm = page.getByRole("dialog").getByRole("button", { name: /restore/i });
    if (await confirm.isVisible()) await confirm.click();
    await visible(page, "version 3");
    await page
      .getByRole("button", { name: /delete/i })
      .first()
      .click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /delete/i })
      .click();
    await page.waitForURL(/agent-workflows$/);
    await page.getByRole("heading", { name: "Workflows", exact: true }).waitFor();
    await page.locator("main").getByText("Made by hand", { exact: true }).first().waitFor({ state: "detached" });
  });

  it("shows the MCP server with tools and a snippet [004-191]", async () => {
    await page.goto(`${oven.url}/mcp-servers`);
    await page.getByText("Support reply").first().click();
    await page.getByText("support_reply").first().waitFor();
    await page.getByText(`${oven.url}/api/mcp/support-reply`).first().waitFor();
    await shoot(page, "mcp-server");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
  });

  it("makes an API key, shows it once, and revokes it", async () => {
    await page.goto(`${oven.url}/api-keys`);
    await page
      .getByRole("button", { name: /create|make|new/i })
      .first()
      .click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("ci");
    await dialog.getByRole("button", { name: /create|make/i }).click();
    const key = await page
      .getByText(/oven_[\w-]{43}/)
      .first()
      .textContent();
    expect(key).toMatch(/oven_[\w-]{43}/);
    await shoot(page, "api-key-made");
  });

  it("signs out, refuses a wrong password in words, and signs in again", async () => {
    await page.goto(oven.url);
    await page.getByRole("button", { name: /sign out/i }).click();
    await page.waitForURL(/\/login/);
    await page.getByLabel("E-mail").fill(ADMIN.email);
    await page.getByLabel("Password").fill("wrong password");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("alert").first().waitFor();
    await shoot(page, "login-refused");
    await page.getByLabel("Password").fill(ADMIN.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByText("Needs you").first().waitFor();
    await shoot(page, "home");
  });

  it("left no error in the browser's console but the refusals that were asked for", () => {
    expect(complaints.filter((complaint) => !/status of (401|404|409|400)|ERR_FAILED/.test(complaint))).toEqual([]);
  });
});
