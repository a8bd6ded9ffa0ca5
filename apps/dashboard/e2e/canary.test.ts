import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, shoot, type TestBrowser } from "./browser.ts";
import { type OvenProcess, startOven } from "./oven-process.ts";
import { seriousIssues } from "./page-checks.ts";
import { signUp } from "./sign-up.ts";

const final = (output: string) => ({ initial: "done", states: { done: { type: "final", output } } });

describe("a canary in the browser", () => {
  let oven: OvenProcess;
  let chromium: TestBrowser;
  let page: Page;
  let workflow: number;

  beforeAll(async () => {
    oven = await startOven();
    chromium = await openBrowser();
    workflow = (await oven.call("POST", "workflows", { name: "Replies", definition: final("old") })).body.id;
    const body = { definition: final("new"), version: 1 };
    expect((await oven.call("PUT", `workflows/${workflow}`, body)).status).toBe(200);
    ({ page } = await chromium.newPage());
    await signUp(page, oven);
    await page.goto(`${oven.url}/workflows/${workflow}/show?tab=versions`);
  });
  afterAll(async () => {
    await chromium?.close();
    await oven?.kill("SIGKILL");
  });

  it("is begun, shows both versions side by side, and is promoted", async () => {
    await page.getByRole("button", { name: "Try a version on a part of the runs" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Share of new runs, in percent").fill("100");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await shoot(page, "canary-begin");
    await dialog.getByRole("button", { name: "Begin" }).click();
    await page.getByText("Version 1 takes 100 % of new runs").waitFor();
    const run = await oven.call("POST", `workflows/${workflow}/execute?wait=20`, {});
    expect(run.body).toMatchObject({ workflowVersion: 1, output: "old" });
    await page.reload();
    await page.getByRole("rowheader", { name: "Median time" }).waitFor();
    expect(await page.getByRole("row", { name: /^Runs/ }).textContent()).toBe("Runs01");
    await shoot(page, "canary-sides");
    await page.emulateMedia({ colorScheme: "dark" });
    await shoot(page, "canary-sides-dark");
    await page.setViewportSize({ width: 390, height: 844 });
    await shoot(page, "canary-sides-phone");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole("button", { name: "Promote" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Promote" }).click();
    await page.getByText("version 3", { exact: true }).waitFor();
    expect((await oven.call("GET", `workflows/${workflow}`)).body).toMatchObject({ version: 3, canary: null });
  });

  it("takes the draft as the candidate, and ends when a late score drops", async () => {
    const { version } = (await oven.call("GET", `workflows/${workflow}`)).body;
    const draft = { definition: final("drafted"), baseVersion: version, revision: 0 };
    expect((await oven.call("PUT", `workflows/${workflow}/draft`, draft)).status).toBe(200);
    await page.reload();
    await page.getByRole("button", { name: "Try a version on a part of the runs" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("The draft, published without going live").waitFor();
    await dialog.getByLabel("Share of new runs, in percent").fill("100");
    await dialog.getByLabel("Stop when more than this percentage fails").fill("");
    await dialog.getByLabel("Stop when this score is too low").fill("outcome");
    await dialog.getByLabel("But not before so many runs are scored").fill("1");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await shoot(page, "canary-score");
    await dialog.getByRole("button", { name: "Begin" }).click();
    await page.getByText("Stops when the score outcome of at least 1 runs is below 0.7").waitFor();
    const run = await oven.call("POST", `workflows/${workflow}/execute?wait=20`, {});
    expect(run.body).toMatchObject({ workflowVersion: version + 1, output: "drafted" });
    // Days later, a system reports what became of it.
    const scored = { name: "outcome", value: 0.2 };
    expect((await oven.call("POST", `workflow-executions/${run.body.id}/scores`, scored)).status).toBe(200);
    await page.reload();
    await page.getByText(/was stopped by its rule .*: the score outcome of 1 run is 0\.2/).waitFor();
    await page.getByRole("rowheader", { name: "outcome" }).waitFor();
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await shoot(page, "canary-stopped");
    await page.getByRole("button", { name: "Dismiss" }).click();
    await page.getByText(/was stopped by its rule/).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Try a version on a part of the runs" }).waitFor();
    const next = await oven.call("POST", `workflows/${workflow}/execute?wait=20`, {});
    expect(next.body).toMatchObject({ workflowVersion: version });
  });
});
