import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, shoot, type TestBrowser } from "./browser.ts";
import { type OvenProcess, startOven } from "./oven-process.ts";
import { expectWhole, overflow, resize, seriousIssues } from "./page-checks.ts";
import { signUp } from "./sign-up.ts";

/** Sorts messages into queues by one word. */
const sorting = (word: string) => ({
  initial: "sort",
  payloadSchema: {
    type: "object",
    properties: { message: { type: "string", title: "Message" } },
    required: ["message"],
  },
  states: {
    sort: {
      invoke: {
        src: "core.transform",
        input: { mapping: { queue: { $cel: `ctx.message.contains("${word}") ? "urgent" : "normal"` } } },
        onDone: "done",
      },
    },
    done: { type: "final", output: { queue: "$.sort_output.queue" } },
  },
});

describe("evals in the browser", () => {
  let oven: OvenProcess;
  let chromium: TestBrowser;
  let page: Page;
  let complaints: string[];
  let workflow: number;
  let dataset: string;
  beforeAll(async () => {
    oven = await startOven({ bootstrap: false, env: { OVEN_DEMO: "0" } });
    chromium = await openBrowser();
    ({ page, complaints } = await chromium.newPage());
    await signUp(page, oven);
    workflow = (await send("POST", "workflows", { name: "Sorting", definition: sorting("urgent") })).id;
  });
  afterAll(async () => {
    await chromium?.close();
    await oven?.kill("SIGKILL");
  });

  async function send(method: string, path: string, data: object): Promise<{ id: number; run?: { id: number } }> {
    const headers = { origin: oven.url };
    const response = await page.request.fetch(`${oven.url}/api/${path}`, { method, data, headers });
    expect(response.ok(), await response.text()).toBe(true);
    return response.json();
  }
  /** Runs the cases of the dataset, and waits for the words about all of them. */
  async function runCases(words: string): Promise<void> {
    await page.goto(`${oven.url}${dataset}`);
    await page.getByRole("button", { name: "Run the cases" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Run", exact: true }).click();
    await page.waitForURL("**/eval-runs/*/show");
    await page.locator("main").getByText(words, { exact: true }).waitFor();
  }

  it("makes a dataset and a case, with its expectation as a sentence", async () => {
    await page.getByRole("link", { name: "Evals", exact: true }).click();
    await page.getByText("No datasets yet").waitFor();
    await shoot(page, "evals-empty");
    await page.getByRole("button", { name: "New dataset" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Name" }).fill("Messages");
    await dialog.getByRole("combobox", { name: "What is tested" }).click();
    await page.getByRole("option", { name: "Sorting (workflow)" }).click();
    await dialog.getByRole("button", { name: "Save the dataset" }).click();
    await page.getByText("No cases yet").waitFor();
    dataset = new URL(page.url()).pathname;
    await page.getByRole("button", { name: "New case" }).first().click();
    await dialog.getByRole("textbox", { name: "Name" }).fill("Something urgent");
    await dialog.getByRole("textbox", { name: "Message" }).fill("This is urgent, now!");
    await dialog.getByRole("combobox", { name: "What is expected" }).click();
    await page.getByRole("option", { name: "The output is exactly a value" }).click();
    const save = dialog.getByRole("button", { name: "Save the case" });
    await dialog.getByRole("textbox", { name: "Value" }).fill("urgent");
    await dialog.getByRole("textbox", { name: "Place in the output" }).fill("queue");
    await expect.poll(() => save.isDisabled()).toBe(true);
    await dialog.getByRole("textbox", { name: "Place in the output" }).fill("$.queue");
    await shoot(page, "eval-case");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await resize(page, 390, 844);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await shoot(page, "eval-case-390");
    await resize(page, 1280, 800);
    await save.click();
    await page.getByRole("list", { name: "Cases" }).getByText("The output at $.queue is exactly urgent.").waitFor();
  });

  it("makes a case of a run in one click", async () => {
    const { id } = await send("POST", `workflows/${workflow}/execute?wait=20`, { input: { message: "Good morning" } });
    await page.goto(`${oven.url}/workflow-executions/${id}/show`);
    await page.getByRole("button", { name: "Make a case" }).click();
    await page.waitForURL(`**${dataset}`);
    const list = page.getByRole("list", { name: "Cases" });
    const made = list.getByRole("listitem").filter({ hasText: `Execution ${id}` });
    await made.getByText('The output is exactly {"queue":"normal"}.').waitFor();
    await shoot(page, "eval-dataset");
  });

  it("runs the cases, and says in plain words what does not hold any more", async () => {
    await runCases("2 of 2 passed");
    await send("PUT", `workflows/${workflow}`, { definition: sorting("immediately") });
    await runCases("1 of 2 passed");
    const list = page.getByRole("list", { name: "Results" });
    const broken = list.getByRole("listitem").filter({ hasText: "Something urgent" }).first();
    await broken.getByText("The output at $.queue is exactly urgent.").waitFor();
    await broken.getByText("Seen: normal").waitFor();
    await page.getByRole("button", { name: "Passed", exact: true }).click();
    await broken.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Passed", exact: true }).click();
    await page.getByRole("button", { name: "Show Something urgent" }).click();
    await page.getByText("This is urgent, now!").first().waitFor();
    await shoot(page, "eval-run");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
  });

  it("shows the trend by version, and two evaluations side by side", async () => {
    await page.goto(`${oven.url}${dataset}`);
    const trend = page.getByRole("list", { name: "Cases that passed, by version, one by one" });
    await trend.getByRole("link", { name: "v1: 2 of 2 passed" }).waitFor();
    await trend.getByRole("link", { name: "v2: 1 of 2 passed" }).waitFor();
    await page.getByRole("tab", { name: "Evaluations" }).click();
    const compare = page.getByRole("button", { name: "Compare", exact: true });
    await expect.poll(() => compare.isDisabled()).toBe(true);
    await page.getByRole("checkbox", { name: "Compare evaluation 1" }).check();
    await page.getByRole("checkbox", { name: "Compare evaluation 2" }).check();
    await shoot(page, "eval-runs");
    await compare.click();
    await page.getByText("Cases that became worse: 1").waitFor();
    const worse = page.getByRole("list", { name: "Cases side by side" }).getByRole("listitem").first();
    await worse.getByText("Something urgent").waitFor();
    await worse.getByText("worse", { exact: true }).waitFor();
    // Evaluations are part of the same entry of the menu.
    const entry = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Evals" });
    expect(await entry.getAttribute("class")).toMatch(/\bactive\b/);
    await shoot(page, "eval-compare");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
  });

  it("is whole on a phone and in the dark, in both languages", async () => {
    await expectWhole(chromium, page, {
      url: oven.url,
      pages: [
        ["eval-datasets", "evals", "1 of 2 passed"],
        [dataset.slice(1), "eval-dataset", "Something urgent"],
        ["eval-runs/2/show", "eval-run", "1 of 2 passed"],
        ["eval-runs/1/compare/2", "eval-compare", "Something urgent"],
      ],
      looks: [
        { width: 390, dark: true },
        { width: 1280, dark: false },
      ],
    });
    await expectWhole(chromium, page, {
      url: oven.url,
      pages: [
        [dataset.slice(1), "eval-dataset", "Die Ausgabe bei $.queue ist genau urgent."],
        ["eval-runs/2/show", "eval-run", "1 von 2 bestanden"],
      ],
      looks: [{ width: 390, dark: false, language: "de" }],
    });
  });

  it("is changed and deleted", async () => {
    await page.goto(`${oven.url}${dataset}`);
    await page.getByRole("button", { name: "Edit Something urgent" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Value" }).fill("normal");
    await dialog.getByRole("button", { name: "Save the case" }).click();
    await page.getByText("The output at $.queue is exactly normal.").waitFor();
    await runCases("2 of 2 passed");
    await page.getByRole("button", { name: "Delete evaluation 3" }).click();
    await dialog.getByRole("button", { name: "Delete", exact: true }).click();
    await page.waitForURL(`**${dataset}`);
    await page.getByRole("button", { name: "Delete Messages" }).click();
    await dialog.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("No datasets yet").waitFor();
  });

  it("makes a dataset of an agent, with what it was asked, from its run", async () => {
    const agent = { name: "Echo", slug: "echo", systemPrompt: "Repeat it.", model: "simulated:echo", toolBindings: [] };
    await send("POST", "agents", agent);
    const { run } = await send("POST", "agents/echo/invoke", { message: "Who is there?" });
    await page.goto(`${oven.url}/agent-workflow-executions/${run?.id}/show`);
    await page.getByRole("button", { name: "Make a case" }).click();
    await page.waitForURL("**/eval-datasets/*/show");
    await page.locator("main").getByRole("link", { name: "Echo", exact: true }).waitFor();
    const made = page.getByRole("list", { name: "Cases" }).getByRole("listitem").first();
    await made.getByText(`Execution ${run?.id}`).waitFor();
    await made.getByText("Who is there?").first().waitFor();
    expect(new URL(page.url()).pathname).not.toBe(dataset);
  });

  it("complained of nothing", () => {
    // The question who is signed in, before anybody was.
    expect(complaints.filter((line) => !/401 \(Unauthorized\)/.test(line))).toEqual([]);
  });
});
