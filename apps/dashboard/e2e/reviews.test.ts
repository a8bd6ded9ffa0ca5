import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, type TestBrowser } from "./browser.ts";
import { type OvenProcess, startOven } from "./oven-process.ts";
import { overflow, seriousIssues } from "./page-checks.ts";
import { signUp } from "./sign-up.ts";

const asks = (input: object) => ({
  initial: "ask",
  states: { ask: { invoke: { src: "agent.humanReview", input, onDone: "done" } }, done: { type: "final" } },
});
const refund = {
  toolCallId: "c1",
  tool: "orders.refund",
  arguments: { orderId: 8841, amountCents: 500, reason: "late" },
};

describe("a reviewer at work", () => {
  let oven: OvenProcess;
  let chromium: TestBrowser;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    oven = await startOven();
    chromium = await openBrowser();
    ({ page, complaints } = await chromium.newPage());
    await signUp(page, oven);
    for (const [name, input, runs] of [
      ["Refund call", { title: "Refund an order", toolCall: refund, dueIn: "PT1H" }, 1],
      ["Greeting", { title: "Greet them", show: "Good day" }, 3],
      ["Farewell", { title: "Say goodbye", show: { text: "Bye" } }, 1],
    ] as const) {
      const { status, body: workflow } = await oven.call("POST", "agent-workflows", { name, definition: asks(input) });
      expect(status, JSON.stringify(workflow)).toBe(201);
      for (let run = 0; run < runs; run += 1)
        await oven.call("POST", `agent-workflows/${workflow.id}/execute?wait=20`, {});
    }
  });
  afterAll(async () => {
    await chromium?.close();
    await oven?.kill("SIGKILL");
  });

  const actions = async (title: string): Promise<(string | null)[]> => {
    const { body } = await oven.call("GET", `reviews?filter=${encodeURIComponent(JSON.stringify({ q: title }))}`);
    return body.map(({ action }: { action: string | null }) => action);
  };
  const heading = (title: string) => page.getByRole("heading", { name: title, level: 2 }).waitFor();

  it("sees what a call may do, decides it by keyboard, takes it back, and it has not started", async () => {
    await page.goto(`${oven.url}/reviews`);
    await heading("Refund an order");
    await page.getByText("It moves money and cannot be undone.").waitFor();
    await page
      .getByText(/^due in/)
      .first()
      .waitFor();
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.keyboard.press("r");
    await page.getByLabel("Reason").fill("Not this one");
    await page.getByRole("button", { name: "Reject" }).click();
    await page.getByRole("button", { name: "Next review" }).waitFor();
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await heading("Greet them");
    await page.keyboard.press("z");
    await heading("Refund an order");
    // What was typed is there again.
    await expect.poll(() => page.getByLabel("Reason").inputValue()).toBe("Not this one");
    expect(await actions("Refund an order")).toEqual([null]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Back" }).click();
  });

  it("decides equal ones together with one key, and all of their runs go on", async () => {
    await page
      .getByRole("link", { name: /Greet them/ })
      .first()
      .click();
    await heading("Greet them");
    const together = page.getByRole("checkbox", { name: /^Together with 2 equal ones/ });
    await together.waitFor();
    await page.keyboard.press("x");
    await expect.poll(() => together.isChecked()).toBe(true);
    await page.keyboard.press("a");
    await page.getByText("Greet them and 2 equal").waitFor();
    // The next decision sends the one before.
    await page.getByRole("button", { name: "Next review" }).click();
    await page.getByRole("link", { name: /Say goodbye/ }).click();
    await heading("Say goodbye");
    await page.keyboard.press("e");
    await page.getByRole("textbox", { name: "Text" }).fill("Good night");
    await page.locator("ins", { hasText: "Good night" }).waitFor();
    await page.getByRole("button", { name: "Approve with edits" }).click();
    await expect.poll(() => actions("Greet them")).toEqual(["approve", "approve", "approve"]);
    // Leaving the page sends what is held.
    await page.goto(`${oven.url}/reviews?show=decided`);
    await expect.poll(() => actions("Say goodbye")).toEqual(["edit"]);
  });

  it("narrows the inbox down and keeps that under a name", async () => {
    await page.goto(`${oven.url}/reviews`);
    await heading("Refund an order");
    await page.getByRole("button", { name: "Due in a day" }).click();
    await page.waitForURL(/due=day/);
    await heading("Refund an order");
    await page.getByRole("button", { name: "Save this view" }).click();
    await page.getByLabel("Name of the view").fill("Today");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Overdue" }).click();
    await page.getByText("No reviews match").waitFor();
    await page.getByRole("group", { name: "Saved views" }).getByRole("button", { name: "Today" }).click();
    await heading("Refund an order");
  });

  it("does the same on a phone, one review a screen with the buttons at its bottom", async () => {
    const phone = await chromium.newPage({ width: 390, height: 800, dark: true });
    await phone.page.context().addCookies(await page.context().cookies());
    await phone.page.goto(`${oven.url}/reviews`);
    await phone.page.getByRole("link", { name: /Refund an order/ }).click();
    const approve = phone.page.getByRole("button", { name: /^Approve/ });
    await approve.waitFor();
    await expect.poll(async () => ((await approve.boundingBox())?.y ?? 0) > 600).toBe(true);
    await expect.poll(() => seriousIssues(phone.page)).toEqual([]);
    expect(await overflow(phone.page)).toBe(0);
    await approve.click();
    await phone.page.getByText("Approved: Refund an order").waitFor();
    await expect.poll(() => seriousIssues(phone.page)).toEqual([]);
    expect(await overflow(phone.page)).toBe(0);
    await expect.poll(() => actions("Refund an order"), { timeout: 15_000 }).toEqual(["approve"]);
    await phone.page.getByText("by you").waitFor();
    expect(phone.complaints).toEqual([]);
    await phone.page.context().close();
  });

  it("left no error in the browser's console", () => {
    expect(complaints.filter((complaint) => !/status of 401/.test(complaint))).toEqual([]);
  });
});
