import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, shoot, type TestBrowser } from "./browser.ts";
import { openSetting } from "./menu.ts";
import { type OvenProcess, startOven } from "./oven-process.ts";
import { expectWhole, seriousIssues } from "./page-checks.ts";

const OWNER = { name: "Olga Owner", email: "olga@example.com", password: "correct horse battery" };

describe("notifications and events in the browser", () => {
  let oven: OvenProcess;
  let chromium: TestBrowser;
  let page: Page;
  let complaints: string[];
  let run = 0;

  beforeAll(async () => {
    oven = await startOven({ bootstrap: false });
    chromium = await openBrowser();
    ({ page, complaints } = await chromium.newPage());
    await page.goto(oven.setupUrl ?? "");
    await page.getByLabel("Name").fill(OWNER.name);
    await page.getByLabel("E-mail").fill(OWNER.email);
    await page.getByLabel("Password").fill(OWNER.password);
    await page.getByRole("button", { name: "Create admin account" }).click();
    await page.getByRole("heading", { name: "Welcome to OVEN" }).waitFor();
  });
  afterAll(async () => {
    await chromium?.close();
    await oven?.kill("SIGKILL");
  });

  /** As the person who is signed in. */
  async function post(path: string, body: object): Promise<{ id: number }> {
    return page.evaluate(
      async ([to, sent]) => {
        const headers = { "content-type": "application/json" };
        const response = await fetch(`/api/${to}`, { method: "POST", headers, body: sent });
        if (!response.ok) throw new Error(await response.text());
        return (await response.json()) as { id: number }; // cast: each of these routes answers a row
      },
      [path, JSON.stringify(body)] as const,
    );
  }
  async function runs(name: string, states: object): Promise<number> {
    const initial = Object.keys(states)[0];
    const { id } = await post("agent-workflows", { name, definition: { initial, states } });
    return (await post(`agent-workflows/${id}/execute?wait=20`, { input: {} })).id;
  }

  it("makes a rule, and refuses words that its events do not have", async () => {
    await openSetting(page, "Notification rules");
    await page.getByText("No rules yet").waitFor();
    await shoot(page, "notification-rules-empty");
    await page.getByRole("button", { name: "New rule" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Tell me");
    await dialog.getByLabel("A review was opened").check();
    await dialog.getByLabel("Whoever the review asks").check();
    await dialog.getByLabel("Owner", { exact: true }).check();
    await dialog.getByLabel("Subject").fill("{{ $.review.title }}");
    await page.getByRole("button", { name: "Save the rule" }).click();
    await page.getByText("The rule was not saved").waitFor();
    await shoot(page, "notification-rule-refused");
    await dialog.getByLabel("Subject").fill("About {{ $.workflow.name }}");
    await shoot(page, "notification-rule-create");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.getByRole("button", { name: "Save the rule" }).click();
    await page.getByRole("list", { name: "Notification rules" }).getByText("Tell me").waitFor();
    await page.getByRole("button", { name: "New rule" }).first().click();
    await dialog.getByLabel("Name").fill("Hook");
    await dialog.getByLabel("Which way").click();
    await page.getByRole("option", { name: "By a signed webhook" }).click();
    await dialog.getByLabel("Address").fill("http://127.0.0.1:9/hook");
    await shoot(page, "notification-rule-webhook");
    await page.getByRole("button", { name: "Save the rule" }).click();
    await page.getByText("webhook to 127.0.0.1:9").waitFor();
    await page.getByRole("button", { name: "Switch off Hook" }).click();
    await page.getByRole("button", { name: "Switch on Hook" }).click();
    await page.getByRole("button", { name: "Switch off Hook" }).waitFor();
  });

  it("rings when a run has failed and when a review asks, and leads to their pages", async () => {
    run = await runs("Prints", { print: { invoke: { src: "core.fail", input: { message: "There is no paper" } } } });
    const review = { title: "Buy paper?", show: { sheets: 500 } };
    await runs("Buys", {
      ask: { invoke: { src: "agent.humanReview", input: review, onDone: "done" } },
      done: { type: "final" },
    });
    await page.getByRole("button", { name: "Notifications, 2 not read" }).waitFor();
    await page.getByRole("button", { name: "Notifications, 2 not read" }).click();
    const list = page.getByRole("list", { name: "Latest notifications" });
    await list.getByText("Review: Buy paper?").waitFor();
    await shoot(page, "notification-bell");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await list.getByRole("link", { name: "Prints has failed" }).click();
    await page.waitForURL(`**/agent-workflow-executions/${run}/show`);
    await page.getByText("There is no paper").first().waitFor();
    await page.getByRole("button", { name: "Notifications, 1 not read" }).waitFor();
  });

  it("lists what one was told, and marks it read", async () => {
    await page.getByRole("button", { name: /^Notifications/ }).click();
    await page.getByRole("link", { name: "See all" }).click();
    await page.getByRole("heading", { name: "Notifications" }).waitFor();
    const list = page.getByRole("list", { name: "Notifications" });
    await list.getByText("Buy paper?").first().waitFor();
    await expect.poll(() => list.getByRole("listitem").count()).toBe(2);
    await page.getByRole("button", { name: "A run has failed" }).click();
    await page.getByText("Buy paper?").first().waitFor({ state: "detached" });
    await page.getByRole("button", { name: "A run has failed" }).click();
    await page.getByRole("button", { name: "Mark all read" }).click();
    await page.getByRole("button", { name: "Notifications", exact: true }).waitFor();
    await expect.poll(() => list.getByRole("button", { name: /^Mark read/ }).count()).toBe(0);
    await list.getByRole("link", { name: "Review: Buy paper?" }).click();
    await page.waitForURL("**/reviews/*");
  });

  it("shows what was sent, why it was not, and sends it again", async () => {
    await page.goto(`${oven.url}/notification-rules`);
    await page.getByRole("link", { name: "Sent messages" }).click();
    const list = page.getByRole("list", { name: "Sent messages" });
    await list.getByText("No mail server is set").first().waitFor();
    await list.getByText("OUTBOUND_REFUSED").first().waitFor();
    await page.getByRole("button", { name: "Failed", exact: true }).click();
    await list.getByText("No mail server is set").first().waitFor({ state: "detached" });
    await page.getByRole("button", { name: /^Send again: Prints/ }).click();
    await page.getByText("again, as").or(list.getByRole("listitem").nth(1)).first().waitFor();
    await shoot(page, "notification-deliveries");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
  });

  it("keeps what one wants to be told", async () => {
    await page.goto(`${oven.url}/account`);
    await page.getByLabel("A run has completed: by e-mail").uncheck();
    await page.getByLabel("Quiet hours: e-mail waits until they end").check();
    await page.getByLabel("Your time zone").selectOption("Europe/Vienna");
    await page.getByRole("button", { name: "Save your wishes" }).click();
    await page.getByText("Your wishes were saved").waitFor();
    await page.reload();
    await page.getByLabel("Quiet from").waitFor();
    await expect.poll(() => page.getByLabel("A run has completed: by e-mail").isChecked()).toBe(false);
    await expect.poll(() => page.getByLabel("Your time zone").inputValue()).toBe("Europe/Vienna");
  });

  it("shows the log of events with what they carried and who had it", async () => {
    await openSetting(page, "Events");
    const list = page.getByRole("list", { name: "Events" });
    await list.getByText("agents-workflow.execution.failed").first().waitFor();
    await page.getByRole("button", { name: "Runs of agent workflows" }).click();
    await list.getByText("agents-workflow.workflow.created").first().waitFor({ state: "detached" });
    await page.getByLabel("Search event names").fill("execution.failed");
    await expect.poll(() => list.getByRole("listitem").count()).toBe(1);
    await list.getByRole("button", { name: /^Show event/ }).click();
    await list.getByText("There is no paper").first().waitFor();
    await list.getByText("module-notifications:agents-workflow.execution.failed").waitFor();
    await shoot(page, "events-open");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
  });

  it("is whole on a phone and in the dark", async () => {
    await expectWhole(chromium, page, {
      url: oven.url,
      pages: [
        ["notifications", "notifications", "Prints has failed"],
        ["notification-deliveries", "notification-deliveries", "No mail server is set"],
        ["events", "events", "agents-workflow.execution.failed"],
      ],
      looks: [
        { width: 390, dark: true },
        { width: 1280, dark: false },
      ],
    });
  });

  it("complained of nothing but what was refused on purpose", () => {
    // Also the question who is signed in, before anybody was.
    const refusedOnPurpose = /40[0-9] \((Bad Request|Unauthorized)\)/;
    expect(complaints.filter((line) => !refusedOnPurpose.test(line))).toEqual([]);
  });
});
