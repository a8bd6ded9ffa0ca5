import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shootIn } from "./editor-looks.ts";
import { EditorPage } from "./editor-page.ts";
import { overflow, seriousIssues } from "./page-checks.ts";

describe("a new workflow", () => {
  let editor: EditorPage;
  let page: Page;

  beforeAll(async () => {
    editor = await EditorPage.start();
    page = editor.page;
  });
  afterAll(async () => {
    await editor?.close();
  });

  const count = async (): Promise<number> => (await editor.oven.call("GET", "agent-workflows")).body.length;
  const openNew = async (): Promise<void> => {
    await page.goto(`${editor.oven.url}/agent-workflows`);
    await page.getByRole("link", { name: "New workflow" }).first().click();
    await page.getByRole("region", { name: "What starts it?" }).waitFor();
  };

  it("opens the canvas at once, and leaves nothing behind when nothing is changed", async () => {
    const before = await count();
    await openNew();
    await shootIn(editor, "new-workflow-start");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.getByRole("button", { name: /^A schedule/ }).click();
    const sheet = page.getByRole("dialog", { name: "What starts it?" });
    await sheet.getByLabel("When").waitFor();
    await sheet.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("link", { name: "Back to the list" }).click();
    await page.getByRole("heading", { name: "Workflows", exact: true }).waitFor();
    expect(await count()).toBe(before);
  });

  it("is created by its first state, keeps undo and selection, and takes its slug from its name", async () => {
    await openNew();
    await page.getByRole("button", { name: /^Somebody, by hand/ }).click();
    const asked = page.getByRole("dialog", { name: "Add a state" });
    await asked.getByRole("combobox").fill("call a model");
    await page.keyboard.press("Escape");
    await page.getByRole("region", { name: "What comes next?" }).waitFor();
    await shootIn(editor, "new-workflow-next");
    await page.getByRole("button", { name: "Add the first state" }).click();
    await asked.getByRole("combobox").fill("agent.llm");
    await page.keyboard.press("Enter");
    await page.waitForURL(/agent-workflows\/\d+\/editor$/);
    await editor.card("llm").waitFor();
    await page.getByRole("complementary", { name: /Settings of Model/ }).waitFor();
    await editor.saved();
    const id = Number(/(\d+)\/editor/.exec(page.url())?.[1]);
    expect(await editor.draftOf("agent-workflows", id)).toMatchObject({ initial: "llm" });
    const name = page.getByRole("heading", { name: "Untitled workflow" }).getByRole("button");
    await name.click();
    await page.getByRole("textbox", { name: "Name of the workflow" }).fill("Refund desk");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Refund desk" }).waitFor();
    await expect
      .poll(async () => (await editor.oven.call("GET", `agent-workflows/${id}`)).body)
      .toMatchObject({ name: "Refund desk", slug: "refund-desk", version: 1 });
    // The step that created it can be undone like any other.
    await page.getByRole("button", { name: "Undo" }).click();
    await editor.card("llm").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Redo" }).click();
    await editor.card("llm").waitFor();
    await page.getByRole("button", { name: "Settings of Refund desk" }).click();
    const settings = page.getByRole("dialog", { name: "Settings of Refund desk" });
    await settings.getByRole("textbox", { name: "Description" }).fill("Gives money back");
    await shootIn(editor, "workflow-settings");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await settings.getByRole("button", { name: "Save" }).click();
    await settings.waitFor({ state: "detached" });
    await expect
      .poll(async () => (await editor.oven.call("GET", `agent-workflows/${id}`)).body)
      .toMatchObject({ description: "Gives money back", version: 1 });
  });

  it("is started by a webhook that is switched on with the first version", async () => {
    await openNew();
    await page.getByRole("button", { name: /^Something that arrives/ }).click();
    const sheet = page.getByRole("dialog", { name: "What starts it?" });
    await sheet.getByLabel("Kind").click();
    await page.getByRole("option", { name: "Webhook" }).click();
    await shootIn(editor, "new-workflow-webhook");
    await sheet.getByRole("button", { name: "Save" }).click();
    await sheet.getByText(/It is switched on when you publish/).waitFor();
    await sheet.getByText(/\/api\/hooks\//).waitFor();
    await sheet.getByRole("button", { name: "Go on" }).click();
    await page.waitForURL(/agent-workflows\/\d+\/editor$/);
    await page.getByRole("region", { name: "What comes next?" }).waitFor();
    await page.getByRole("button", { name: "Add the first state" }).click();
    await page.getByRole("dialog").getByRole("combobox").fill("final");
    await page.keyboard.press("Enter");
    await editor.card("done").waitFor();
    await editor.saved();
    await page.locator(".react-flow__pane").click({ position: { x: 40, y: 40 } });
    await page.getByRole("region", { name: "What starts it?" }).getByRole("link", { name: "Webhook" }).waitFor();
    await page.getByText("valid", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    const publishing = page.getByRole("dialog");
    expect(await publishing.getByLabel("Switch on the trigger “Webhook”").isChecked()).toBe(true);
    await publishing.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByText(/v\d+ live/).waitFor();
    await expect
      .poll(async () => (await editor.oven.call("GET", "triggers")).body)
      .toMatchObject([{ type: "webhook", enabled: true }]);
  });

  it("is begun on a phone", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await openNew();
    expect(await overflow(page)).toBe(0);
    await shootIn(editor, "new-workflow-phone");
    await page.getByRole("button", { name: /^Somebody, by hand/ }).click();
    await page.getByRole("dialog", { name: "Add a state" }).waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(editor.faults(/status of (401|404)/)).toEqual([]);
  });
});
