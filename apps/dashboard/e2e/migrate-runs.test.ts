import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, shoot, type TestBrowser } from "./browser.ts";
import { type OvenProcess, startOven } from "./oven-process.ts";
import { seriousIssues } from "./page-checks.ts";
import { signUp } from "./sign-up.ts";

/** A question to a person, and a step that reads it. */
const asks = (question: string, label: string) => ({
  initial: question,
  states: {
    [question]: {
      label,
      invoke: { src: "core.requestInput", input: { title: "Which size?" }, onDone: "note" },
    },
    note: {
      invoke: { src: "core.transform", input: { mapping: { size: `$.${question}_output.data` } }, onDone: "done" },
    },
    done: { type: "final" },
  },
});

describe("waiting runs in the browser", () => {
  let oven: OvenProcess;
  let chromium: TestBrowser;
  let page: Page;
  let workflow: number;
  const runs: number[] = [];

  beforeAll(async () => {
    oven = await startOven();
    chromium = await openBrowser();
    const made = await oven.call("POST", "workflows", { name: "Orders", definition: asks("size", "Ask for the size") });
    workflow = made.body.id;
    for (let index = 0; index < 3; index += 1)
      runs.push((await oven.call("POST", `workflows/${workflow}/execute?wait=20`, {})).body.id);
    const definition = asks("measure", "Ask for the measure");
    expect((await oven.call("PUT", `workflows/${workflow}`, { definition, version: 1 })).status).toBe(200);
    ({ page } = await chromium.newPage());
    await signUp(page, oven);
    await page.goto(`${oven.url}/workflows/${workflow}/show?tab=versions`);
  });
  afterAll(async () => {
    await chromium?.close();
    await oven?.kill("SIGKILL");
  });

  it("are moved by a choice of steps, and back again", async () => {
    await page.getByText("3 runs wait on older versions and end on them.").waitFor();
    await page.getByRole("button", { name: "Move them" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("3 runs of version 1 at “size”").waitFor();
    await dialog.getByText("needs a choice").waitFor();
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await shoot(page, "migrate-runs-choice");
    await dialog.getByRole("combobox").click();
    await page.getByRole("option", { name: "Ask for the measure (measure)" }).click();
    await dialog.getByText("can be moved, as chosen").waitFor();
    await dialog.getByText("Chosen: size → measure").waitFor();
    await shoot(page, "migrate-runs-chosen");
    await dialog.getByRole("button", { name: "Move 3 runs" }).click();
    await page.getByText("3 runs were moved to version 2; 3 have not gone on yet").waitFor();
    await shoot(page, "migrate-runs-moved");
    expect((await oven.call("GET", `workflow-executions/${runs[0]}`)).body).toMatchObject({
      workflowVersion: 2,
      currentState: "measure",
    });
    await page.emulateMedia({ colorScheme: "dark" });
    await shoot(page, "migrate-runs-moved-dark");
    await page.setViewportSize({ width: 390, height: 844 });
    await shoot(page, "migrate-runs-moved-phone");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("3 runs were moved back from version 2").waitFor();
    await page.getByText("3 runs wait on older versions and end on them.").waitFor();
    expect((await oven.call("GET", `workflow-executions/${runs[0]}`)).body).toMatchObject({
      workflowVersion: 1,
      currentState: "size",
    });
  });
});
