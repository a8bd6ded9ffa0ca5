import { type ModelReply, type ModelServer, startModelServer } from "@oven/testing";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shoot } from "./browser.ts";
import { EditorPage } from "./editor-page.ts";
import { overflow, resize, seriousIssues } from "./page-checks.ts";

const transform = (sum: string) => ({
  label: "Add the fee",
  invoke: {
    src: "core.transform",
    input: { mapping: { sum: { $cel: sum } } },
    onDone: [{ target: "large", guard: { type: "cel", params: { expression: "output.sum > 100.0" } } }, "small"],
  },
});
const done = (outcome: string) => ({ type: "final", outcome, output: { sum: "$.total_output.sum" } });

/** Runs without a fee fail. */
const ORDERS = {
  initial: "total",
  states: { total: transform("trigger.amount + trigger.fee"), large: done("large"), small: done("small") },
};
const change = (total: object): ModelReply => ({
  toolCalls: [{ name: "build_change_steps", arguments: JSON.parse(JSON.stringify({ put: { total } })) }],
});
/** Its first change breaks runs that had completed. */
const SAID: ModelReply[] = [
  { toolCalls: [{ name: "build_read_steps", arguments: { steps: ["total"] } }] },
  change(transform("trigger.amount")),
  { text: "The fee is left out of the sum." },
  change(transform("has(trigger.fee) ? trigger.amount + trigger.fee : trigger.amount")),
  { text: "The step added `trigger.fee`, which not every order has. The sum is now the amount where there is no fee." },
];

describe("a repair, from the failures to the runs that complete", () => {
  let editor: EditorPage;
  let page: Page;
  let model: ModelServer;
  let id: number;
  let executionId: number;
  const failed: number[] = [];

  const start = async (input: object) =>
    (await editor.oven.call("POST", `agent-workflows/${id}/execute?wait=30`, { input })).body;

  beforeAll(async () => {
    model = await startModelServer(SAID, { models: ["house-model"] });
    editor = await EditorPage.start({ OPENAI_BASE_URL: model.url });
    page = editor.page;
    id = await editor.create("agent-workflows", "Orders", ORDERS);
    for (const amount of [90, 120, 200]) expect((await start({ amount, fee: 5 })).status).toBe("completed");
    const cases = [90, 7_000].map((amount) => ({ name: `Order of ${amount}`, input: { amount, fee: 5 } }));
    const dataset = { format: "oven.eval-dataset", formatVersion: 1, slug: "sums", name: "Sums", cases };
    const target = { kind: "agent-workflow", id };
    const made = await editor.oven.call("POST", "eval-datasets/import", { ...dataset, target });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    // No account was signed in before.
    editor.complaints.length = 0;
    for (const amount of [10, 20, 30]) {
      const run = await start({ amount });
      expect(run.status).toBe("failed");
      failed.push(run.id);
    }
  });
  afterAll(async () => {
    await editor?.close();
    await model?.close();
  });

  it("is started for three runs that failed in the same way", async () => {
    await page.goto(`${editor.oven.url}/agent-workflow-executions/${failed[0]}/show`);
    await page.getByRole("button", { name: "Repair", exact: true }).waitFor();
    await shoot(page, "repair-failed-run");
    await page.goto(`${editor.oven.url}/agent-workflow-executions?tab=failures`);
    const group = page.getByRole("article", { name: /3 failures of Orders/ });
    await group.getByRole("button", { name: "Repair", exact: true }).waitFor();
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await shoot(page, "repair-failures");
    await group.getByRole("button", { name: "Repair", exact: true }).click();
    await page.waitForURL(/agent-workflow-executions\/\d+/);
    executionId = Number(/executions\/(\d+)/.exec(page.url())?.[1]);
    const status = async () => (await editor.oven.call("GET", `builder/repairs/${executionId}`)).body.status;
    await expect.poll(status, { timeout: 60_000 }).toBe("asked");
    await page.getByRole("link", { name: "Open the repair" }).waitFor();
    await shoot(page, "repair-run");
  });

  it("shows the change and what was found of it", async () => {
    await page.getByRole("link", { name: "Open the repair" }).click();
    await page.getByRole("heading", { name: "Repair of Orders" }).waitFor();
    await page.getByText("Waits for a decision").waitFor();
    await page.getByText("3 of 3 come out the same.").waitFor();
    expect(await page.getByText("Would complete").count()).toBe(3);
    await page.getByRole("heading", { name: "Runs of cases of Sums" }).waitFor();
    expect((await editor.oven.call("GET", `builder/repairs/${executionId}`)).body.evidence.datasets).toMatchObject([
      { name: "Sums", runs: 1, same: 1, casesWithoutRun: 1 },
    ]);
    await page.locator("section.oven-graph[data-ready=true]").waitFor();
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await shoot(page, "repair-page");
    await resize(page, 390, 844);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await shoot(page, "repair-page-phone");
    await resize(page, 1440, 900);
  });

  it("is approved in the inbox, and the three runs complete on the new version", async () => {
    await page.getByRole("link", { name: "Open the review" }).click();
    await page.getByRole("heading", { name: /^Repair Orders/ }).waitFor();
    await page.getByText("3 of 3 failed runs would complete.").waitFor();
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await shoot(page, "repair-review");
    await page.getByRole("button", { name: /^Approve/ }).click();
    const repair = async () => (await editor.oven.call("GET", `builder/repairs/${executionId}`)).body;
    await expect.poll(async () => (await repair()).status, { timeout: 60_000 }).toBe("applied");
    const { publishedVersion, retried } = await repair();
    expect({ publishedVersion, retried }).toMatchObject({
      publishedVersion: 2,
      retried: failed.map((run) => ({ id: run, status: "completed" })),
    });
    for (const [index, { as }] of retried.entries())
      expect((await editor.oven.call("GET", `agent-workflow-executions/${as}`)).body).toMatchObject({
        ...{ status: "completed", workflowVersion: 2, retryOf: failed[index], output: { sum: (index + 1) * 10 } },
      });
    await page.goto(`${editor.oven.url}/repairs/${executionId}`);
    await page.getByText("Published as version 2").waitFor();
    await shoot(page, "repair-applied");
    expect(editor.complaints).toEqual([]);
  });
});
