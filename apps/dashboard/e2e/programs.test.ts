import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shoot } from "./browser.ts";
import { EditorPage } from "./editor-page.ts";
import { overflow, seriousIssues } from "./page-checks.ts";

const CODE = `total = 0
for number in numbers:
    order = await orders_get(orderId=number)
    if order["refundableCents"] > 5000:
        refund = await orders_refund(orderId=number, amountCents=1000, reason="A gift")
        total += refund["refundedCents"]
total
`;

/** A program that a person has written, over the tools of the demo shop. */
const PROGRAM = {
  initial: "gifts",
  states: {
    gifts: {
      label: "Give gifts",
      invoke: {
        src: "agent.code",
        input: { code: CODE, tools: ["orders.*"], inputs: { numbers: [8841, 9001] } },
        onDone: "done",
      },
    },
    done: { type: "final", output: "$.gifts_output.result" },
  },
};

describe("a program over tools in the browser", () => {
  let editor: EditorPage;
  let page: Page;
  let run = 0;

  beforeAll(async () => {
    editor = await EditorPage.start();
    page = editor.page;
  });
  afterAll(() => editor?.close());

  const reviews = async (): Promise<{ id: number; digest: string }[]> =>
    (await editor.oven.call("GET", 'reviews?filter={"status":"open"}')).body;
  const openTab = async (on: Page): Promise<void> => {
    await on.goto(`${editor.oven.url}/agent-workflow-executions/${run}/show`);
    await on.getByRole("tab", { name: /^(Program|Programm)$/ }).click();
  };

  it("stands beside its calls, waits for a review in its middle, and goes on behind it", async () => {
    const id = await editor.create("agent-workflows", "Gifts", PROGRAM);
    run = (await editor.oven.call("POST", `agent-workflows/${id}/execute`, { input: {} })).body.id;
    await expect.poll(async () => (await reviews()).length, { timeout: 60_000 }).toBe(1);
    await openTab(page);
    const tab = page.getByRole("tabpanel");
    await tab.getByText("refund = await orders_refund").waitFor();
    await tab.getByText("Its calls (2)").waitFor();
    await tab.getByText("orders.refund", { exact: true }).waitFor();
    await tab.getByText("Paused").waitFor();
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await shoot(page, "program-waits");
    for (let decided = 0; decided < 2; decided += 1) {
      await expect.poll(async () => (await reviews()).length, { timeout: 60_000 }).toBe(1);
      const [review] = await reviews();
      const body = { action: "approve", digest: review?.digest };
      expect((await editor.oven.call("POST", `reviews/${review?.id}/decide`, body)).status).toBe(200);
    }
    await tab.getByText("Its calls (4)").waitFor();
    await page.getByText("2000", { exact: true }).first().waitFor();
  });

  it("is read on a phone and in the dark, in both languages", async () => {
    const { cookies } = await page.context().storageState();
    for (const [language, dark, width] of [
      ["en", true, 1280],
      ["de", false, 1280],
      ["de", true, 390],
    ] as const) {
      const { page: other } = await editor.chromium.newPage({ width, height: 900, dark });
      await other.context().addCookies(cookies);
      await other.addInitScript(`localStorage.setItem("oven.language", "${language}")`);
      await openTab(other);
      await other
        .getByRole("button", { name: language === "de" ? "Einen Graphen daraus machen" : "Make a graph of it" })
        .click();
      await other.getByRole("button", { name: language === "de" ? "Als Entwurf öffnen" : "Open as a draft" }).waitFor();
      await other.getByRole("listitem").first().waitFor();
      expect(await overflow(other)).toBe(0);
      await expect.poll(() => seriousIssues(other)).toEqual([]);
      await shoot(other, `program-graph-${width}-${language}${dark ? "-dark" : ""}`);
      await other.context().close();
    }
  });

  it("becomes a graph, which opens as the draft of a new workflow and says what stayed code", async () => {
    await openTab(page);
    await page.getByRole("button", { name: "Make a graph of it" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("2 calls become steps.").waitFor();
    await dialog.getByText("From line 6: stays code, in the step code_2").waitFor();
    await shoot(page, "program-graph-offer");
    await dialog.getByRole("button", { name: "Open as a draft" }).click();
    await page.waitForURL("**/agent-workflows/*/editor");
    await editor.settled();
    const id = Number(/agent-workflows\/(\d+)\//.exec(page.url())?.[1]);
    const draft = await editor.draftOf("agent-workflows", id);
    expect(draft.states.each_number.loop.bodyStates.orders_refund.invoke.input).toMatchObject({ onFailure: "fail" });
    await editor.card("each_number").waitFor();
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await shoot(page, "program-graph-editor");
    expect(editor.faults(/status of (401|404)/)).toEqual([]);
  });

  it("has its errors under the field while it is written, with the way to their lines", async () => {
    const id = await editor.create("agent-workflows", "Being written", PROGRAM);
    await editor.open("agent-workflows", id);
    await editor.card("gifts").click();
    await page.keyboard.press("Enter");
    const field = editor.panel().getByRole("textbox", { name: "Code" });
    await field.fill(`${CODE}await orders_get(orderId="x")\n`);
    const types = editor.panel().getByRole("button", { name: /^Line 8: .*Expected `int`/ });
    await types.waitFor({ timeout: 60_000 });
    await types.click();
    const selected = "((area) => area.value.slice(area.selectionStart, area.selectionEnd))(document.activeElement)";
    expect(await page.evaluate(selected)).toBe('await orders_get(orderId="x")');
    await field.fill("total = 0\nif total\n    total = 1\n");
    await editor
      .panel()
      .getByRole("button", { name: /^Line 2: SyntaxError/ })
      .waitFor({ timeout: 60_000 });
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await shoot(page, "program-errors");
    expect(editor.faults(/status of (401|404)/)).toEqual([]);
  });
});
