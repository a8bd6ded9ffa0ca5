import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, shoot, type TestBrowser } from "./browser.ts";
import { type OvenProcess, startOven } from "./oven-process.ts";
import { overflow, resize, seriousIssues } from "./page-checks.ts";

const failing = {
  initial: "print",
  states: { print: { label: "Print it", invoke: { src: "core.fail", input: { message: "There is no paper" } } } },
};
const calling = (workflow: string) => ({
  initial: "call",
  states: {
    call: { invoke: { src: "core.callWorkflow", input: { workflow }, onDone: "done" } },
    done: { type: "final" },
  },
});

describe("regular workflows in the browser", () => {
  let oven: OvenProcess;
  let chromium: TestBrowser;
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    oven = await startOven({ bootstrap: false });
    chromium = await openBrowser();
    ({ page, complaints } = await chromium.newPage());
    await page.goto(oven.setupUrl ?? "");
    await page.getByLabel("Name").fill("Olga Owner");
    await page.getByLabel("E-mail").fill("olga@example.com");
    await page.getByLabel("Password").fill("correct horse battery");
    await page.getByRole("button", { name: "Create admin account" }).click();
    await page.getByRole("heading", { name: "Welcome to OVEN" }).waitFor();
  });
  afterAll(async () => {
    await chromium?.close();
    await oven?.kill("SIGKILL");
  });

  async function post(path: string, body: object): Promise<{ id: number }> {
    const response = await page.request.fetch(`${oven.url}/api/${path}`, {
      method: "POST",
      data: body,
      headers: { origin: oven.url },
    });
    expect(response.ok(), await response.text()).toBe(true);
    return response.json();
  }

  it("are written as JSON, run, changed and restored by the same pages as agent workflows", async () => {
    await page.getByRole("link", { name: "Agent Workflows" }).click();
    await page.getByRole("heading", { name: "Workflows", exact: true }).waitFor();
    await page.getByRole("link", { name: "Support reply", exact: true }).waitFor();
    await page.getByRole("button", { name: "Without agents" }).click();
    await page.getByRole("link", { name: "Support reply", exact: true }).waitFor({ state: "detached" });
    await shoot(page, "workflows-list");
    await page.getByRole("link", { name: "From a template or file" }).first().click();
    await page.getByRole("heading", { name: "New workflow" }).waitFor();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Greeter");
    await page.getByText("valid", { exact: true }).waitFor();
    await shoot(page, "workflow-create");
    await page.getByRole("button", { name: "Create workflow" }).click();
    await page.getByRole("heading", { name: "Greeter" }).waitFor();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Olga");
    await page.getByRole("dialog").getByRole("button", { name: "Run", exact: true }).click();
    await page.waitForURL("**/workflow-executions/*/show");
    await page.getByText("Hello, Olga").first().waitFor();
    await shoot(page, "workflow-execution");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.getByRole("link", { name: "Open the workflow" }).click();
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await page.getByLabel("Definition").first().waitFor();
    await page.getByLabel("Description").fill("Says hello");
    await page
      .getByRole("group", { name: "Notify the person who starts a run" })
      .getByLabel("when it has completed")
      .check();
    await shoot(page, "workflow-edit");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.getByRole("button", { name: "Save as new version" }).click();
    await page.getByText("Says hello").first().waitFor();
    await page.getByRole("tab", { name: "Versions" }).click();
    await page.getByText("Version 1", { exact: true }).waitFor();
    // Whoever starts it is told from now on.
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Olga");
    await page.getByRole("dialog").getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("button", { name: "Notifications, 1 not read" }).click();
    await page.getByRole("link", { name: "Greeter has completed" }).click();
    await page.waitForURL("**/workflow-executions/*/show");
    await page.getByRole("button", { name: "Notifications", exact: true }).waitFor();
  });

  it("tell of a failed run by a notification that opens its page", async () => {
    const owners = [{ kind: "role", role: "owner" }];
    const channel = { type: "in-app" };
    await post("notification-rules", { name: "Tell me", events: ["run.failed"], channel, recipients: owners });
    const { id } = await post("workflows", { name: "Prints", definition: failing });
    const run = await post(`workflows/${id}/execute?wait=20`, { input: {} });
    await page.getByRole("button", { name: "Notifications, 1 not read" }).click();
    await page.getByRole("link", { name: "Prints has failed" }).click();
    await page.waitForURL(`**/workflow-executions/${run.id}/show`);
    await page.getByText("The run failed at “Print it”").waitFor();
    await page.getByText("There is no paper").first().waitFor();
    await shoot(page, "workflow-execution-failed");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
  });

  it("lead from a run of the other kind to the run that it called, and back", async () => {
    const { id } = await post("agent-workflows", { name: "Asks the printer", definition: calling("prints") });
    const run = await post(`agent-workflows/${id}/execute?wait=20`, { input: {} });
    await page.goto(`${oven.url}/agent-workflow-executions/${run.id}/show`);
    await page.getByRole("tab", { name: "Child runs (1)" }).click();
    await page.getByRole("link", { name: /call: Prints/ }).click();
    await page.waitForURL("**/workflow-executions/*/show");
    await page.getByRole("link", { name: `#${run.id}` }).click();
    await page.waitForURL(`**/agent-workflow-executions/${run.id}/show`);
    await page.getByRole("heading", { name: `Asks the printer #${run.id}` }).waitFor();
  });

  it("are listed with their runs, by state and by workflow", async () => {
    await page.getByRole("list", { name: "Agent Workflows" }).getByRole("link", { name: "Executions" }).click();
    await page.getByRole("heading", { name: "Executions" }).waitFor();
    await page.getByText("Greeter").first().waitFor();
    await page.getByLabel("Workflow", { exact: true }).click();
    await page.getByRole("option", { name: "Prints" }).click();
    await page.getByText("Greeter").first().waitFor({ state: "detached" });
    await page.getByText("Prints").first().waitFor();
    await page.getByText("Asks the printer").first().waitFor({ state: "detached" });
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await shoot(page, "workflow-executions");
    await page.getByLabel("Workflow", { exact: true }).click();
    await page.getByRole("option", { name: "All", exact: true }).click();
    await page.getByText("Asks the printer").first().waitFor();
    await page.getByText("Greeter").first().waitFor();
    await page.goto(`${oven.url}/workflow-executions?filter=${encodeURIComponent('{"status":"completed"}')}`);
    await page.waitForURL(/agent-workflow-executions\?/);
    await page.getByText("Greeter").first().waitFor();
    await expect.poll(() => page.getByText("Asks the printer").count()).toBe(0);
  });

  it("go to another installation as a file, once a plan has shown what differs and what is missing", async () => {
    const states = (url: string) => ({
      call: {
        invoke: { src: "core.http", input: { url, headers: { "x-key": { $secret: "crm-key" } } }, onDone: "done" },
      },
      done: { type: "final" },
    });
    const definition = { initial: "call", states: states("https://one.example.com") };
    const { id } = await post("workflows", { name: "Promoted", definition });
    await post("secrets", { name: "crm-eu", value: "a-value-of-this-installation", hosts: ["one.example.com"] });
    await page.goto(`${oven.url}/workflows/${id}/show`);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export Promoted for another installation" }).click(),
    ]);
    const text = readFileSync(await file.path(), "utf8").replace("https://one", "https://two");
    await page.getByRole("link", { name: "Workflows", exact: true }).click();
    await page.getByRole("link", { name: "Import from another installation" }).click();
    await page
      .getByLabel("File of another installation")
      .setInputFiles({ name: "promoted.json", mimeType: "application/json", buffer: Buffer.from(text) });
    const importing = page.getByRole("button", { name: "Import", exact: true });
    await page.getByText("is missing", { exact: true }).waitFor();
    expect(await importing.isDisabled()).toBe(true);
    await page.getByRole("combobox", { name: "crm-key is called here" }).click();
    await page.getByRole("option", { name: "crm-eu" }).click();
    await page.getByText("is called otherwise here", { exact: true }).waitFor();
    await page.getByText("What differs").click();
    await page.getByText("https://two.example.com").waitFor();
    for (const [name, width, dark] of [
      ["promotion", 1280, false],
      ["promotion-dark", 1280, true],
      ["promotion-390", 390, false],
    ] as const) {
      await resize(page, width, 900);
      await page.emulateMedia({ colorScheme: dark ? "dark" : "light" });
      await shoot(page, name);
      expect(await overflow(page), name).toBeLessThanOrEqual(0);
      await expect.poll(() => seriousIssues(page), { message: name }).toEqual([]);
    }
    await resize(page, 1280, 900);
    await importing.click();
    await page.getByRole("link", { name: "Open promoted" }).click();
    await page.getByText("version 2").first().waitFor();
  });

  it("need somebody on the home page when they have failed", async () => {
    await page
      .getByRole("menuitem", { name: "Home" })
      .or(page.getByRole("link", { name: "Home" }))
      .first()
      .click();
    await page.getByRole("link", { name: /failed runs?/ }).click();
    await page.waitForURL(/\/agent-workflow-executions\?.*failed/);
    await page.getByText("Prints").first().waitFor();
  });

  it("are held and let go on: a run on its page, all of them from the list", async () => {
    const definition = {
      initial: "wait",
      states: {
        wait: { invoke: { src: "core.delay", input: { ms: "PT1H" }, onDone: "done" } },
        done: { type: "final" },
      },
    };
    const { id } = await post("workflows", { name: "Nightly", definition });
    const run = await post(`workflows/${id}/execute`, {});
    await page.goto(`${oven.url}/workflow-executions/${run.id}/show`);
    await page.getByRole("button", { name: "Hold", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason (optional)").fill("Is the price right?");
    await dialog.getByRole("button", { name: "Hold", exact: true }).click();
    const notice = page.getByRole("alert").filter({ hasText: "This run is held" });
    await notice.getByText("Is the price right?").waitFor();
    await notice.getByText("Olga Owner").waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await shoot(page, "run-held");
    await notice.getByRole("button", { name: "Let it go on" }).click();
    await notice.waitFor({ state: "detached" });

    await page.goto(`${oven.url}/agent-workflow-executions`);
    await page.getByRole("button", { name: "Hold all" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Hold", exact: true }).click();
    const all = page.getByRole("alert").filter({ hasText: "All runs are held" });
    await all.waitFor();
    await shoot(page, "all-held");
    const { id: greeter } = await post("workflows", {
      name: "Waits",
      definition: { initial: "done", states: { done: { type: "final" } } },
    });
    const waiting = await post(`workflows/${greeter}/execute`, {});
    await page.goto(`${oven.url}/workflow-executions/${waiting.id}/show`);
    await page.getByText("Queued").first().waitFor();
    await page.getByRole("button", { name: "Let it go on" }).click();
    await page.getByText("Completed").first().waitFor();
  });

  it("complained of nothing but what was refused on purpose", () => {
    // The browser tells of answers it did not like: nobody was signed in yet, and a run of the other kind.
    const asked = /40[14] \((Unauthorized|Not Found)\)/;
    expect(complaints.filter((line) => !asked.test(line))).toEqual([]);
  });
});
