import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, shoot, type TestBrowser } from "./browser.ts";
import { type OvenProcess, startOven } from "./oven-process.ts";
import { seriousIssues } from "./page-checks.ts";

const transform = (mapping: object, onDone: string) => ({
  invoke: { src: "core.transform", input: { mapping }, onDone },
});
/** Three items side by side, then a step that reads what is not there. */
const batch = (path: string) => ({
  initial: "each",
  states: {
    each: {
      label: "Every order",
      loop: {
        type: "forEach",
        collection: [8841, 8842, 8843],
        concurrency: 3,
        bodyInitial: "work",
        bodyStates: {
          work: transform({ order: "$.item" }, "out"),
          out: { type: "final", output: "$.work_output.order" },
        },
        onDone: "report",
      },
    },
    report: { ...transform({ count: path }, "done"), label: "Write the report" },
    done: { type: "final", output: "$.report_output.count" },
  },
});

describe("past runs in the browser", () => {
  let oven: OvenProcess;
  let chromium: TestBrowser;
  let page: Page;

  beforeAll(async () => {
    oven = await startOven({ bootstrap: false });
    chromium = await openBrowser();
    ({ page } = await chromium.newPage());
    await page.goto(oven.setupUrl ?? "");
    await page.getByLabel("Name").fill("Ada Admin");
    await page.getByLabel("E-mail").fill("ada@example.com");
    await page.getByLabel("Password").fill("correct horse battery");
    await page.getByRole("button", { name: "Create admin account" }).click();
    await page.getByRole("heading", { name: "Welcome to OVEN" }).waitFor();
  });
  afterAll(async () => {
    await chromium?.close();
    await oven?.kill("SIGKILL");
  });

  async function send(method: string, path: string, body: object): Promise<{ id: number }> {
    const response = await page.request.fetch(`${oven.url}/api/${path}`, {
      method,
      data: body,
      headers: { origin: oven.url },
    });
    expect(response.ok(), await response.text()).toBe(true);
    return response.json();
  }

  it("shows the child runs of a loop, and retries a failed run with the repaired workflow", async () => {
    const workflow = await send("POST", "agent-workflows", {
      name: "Daily batch",
      definition: batch("$.each_output.total"),
    });
    const failed = await send("POST", `agent-workflows/${workflow.id}/execute?wait=20`, { input: {} });
    await page.goto(`${oven.url}/agent-workflow-executions/${failed.id}/show`);
    await page.getByText("The run failed at “Write the report”").waitFor();
    await page.getByRole("tab", { name: "Child runs (3)" }).click();
    await page.getByText("3 runs, 3 completed").waitFor();
    await page.getByText("each, item 2").waitFor();
    await shoot(page, "execution-failed-with-children");
    await send("PUT", `agent-workflows/${workflow.id}`, { definition: batch("$.each_output.count") });
    await page.reload();
    await page.getByRole("button", { name: "Retry" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("radio", { name: "Version 2, published now" }).check();
    await shoot(page, "execution-retry");
    await dialog.getByRole("button", { name: "Retry" }).click();
    await page.waitForURL((url) => !url.pathname.includes(`/${failed.id}/`));
    await page.locator("main").getByText("completed", { exact: true }).first().waitFor();
    await page.getByText("retry of").waitFor();
    await shoot(page, "execution-retried");
    await page.getByRole("link", { name: `#${failed.id}` }).click();
    await page.getByText("The run failed at “Write the report”").waitFor();
    await page.getByRole("tab", { name: "Child runs (3)" }).click();
    await page.getByText("each, item 1").click();
    await page.getByText("part of").waitFor();
    await shoot(page, "execution-child");
    await expect.poll(() => page.getByRole("button", { name: "Retry" }).count()).toBe(0);
  });

  it("checks that a run comes out the same again, and runs it once more without an effect", async () => {
    const emit = { invoke: { src: "core.emit", input: { event: "shop.counted" }, onDone: "done" } };
    const definition = { initial: "emit", states: { emit, done: { type: "final" } } };
    const workflow = await send("POST", "agent-workflows", { name: "Counting", definition });
    const { id } = await send("POST", `agent-workflows/${workflow.id}/execute?wait=20`, { input: {} });
    await page.goto(`${oven.url}/agent-workflow-executions/${id}/show?tab=past`);
    await page.getByRole("button", { name: "Check the replay" }).click();
    await page.getByText(/^It comes out the same\. Moves that were gone through again, .*: [1-9]/).waitFor();
    await shoot(page, "execution-replay-check");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.getByRole("button", { name: "Run again" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Dry run" }).click();
    await page.waitForURL(
      (url) => /\/agent-workflow-executions\/\d+\/show$/.test(url.pathname) && !url.pathname.includes(`/${id}/`),
    );
    await page.locator("main").getByText("Dry run", { exact: true }).waitFor();
    const dry = /executions\/(\d+)/.exec(page.url())?.[1];
    const run = await page.request.get(`${oven.url}/api/agent-workflow-executions/${dry}`);
    expect((await run.json()).options).toMatchObject({ dryRun: true, recordingOf: id });
    await page.locator("main").getByText("completed", { exact: true }).first().waitFor();
    const events = await page.request.get(`${oven.url}/api/events?filter={"pattern":"shop.*"}`);
    expect((await events.json()).length).toBe(1);
    await shoot(page, "execution-dry-run");
  });

  it("opens a run from a list that showed only a part of it", async () => {
    await page.getByRole("link", { name: "Home", exact: true }).click();
    await page.getByText("Needs you").first().waitFor();
    await page
      .getByRole("link", { name: /Daily batch/ })
      .first()
      .click();
    await page.getByText("Timeline").waitFor();
    await expect.poll(() => page.getByText("This page could not be shown").count()).toBe(0);
  });
});
