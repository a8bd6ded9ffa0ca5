import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shoot } from "./browser.ts";
import { shootIn } from "./editor-looks.ts";
import { EditorPage } from "./editor-page.ts";
import { resize, seriousIssues } from "./page-checks.ts";

const model = (onDone: string): object => ({
  invoke: { src: "agent.llm", input: { prompt: "Go", model: "simulated:echo", maxOutputTokens: 500 }, onDone },
});

describe("the worst case in the editor", () => {
  let editor: EditorPage;
  let page: Page;

  beforeAll(async () => {
    editor = await EditorPage.start();
    page = editor.page;
  });
  afterAll(async () => {
    await editor?.close();
  });

  it("stands in the bar, says what has no limit, and leads to the step that makes it so", async () => {
    const id = await editor.create("agent-workflows", "Bounded", {
      initial: "draft",
      states: {
        draft: model("ask"),
        ask: { invoke: { src: "agent.humanReview", input: { show: "$.draft_output.text" }, onDone: "done" } },
        done: { type: "final" },
      },
    });
    await editor.open("agent-workflows", id);
    // Three attempts of a simulated model, which costs nothing.
    const line = page.getByRole("button", { name: "at most $0, 3 model calls, 1 review" });
    await line.click();
    const dialog = page.getByRole("dialog", { name: "What a run needs at most" });
    await dialog.getByText("ask waits without a deadline: give it one").waitFor();
    await shootIn(editor, "editor-worst-case");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await dialog.getByRole("button", { name: "ask waits without a deadline: give it one" }).click();
    await editor.panel().getByRole("heading", { name: "ask" }).or(editor.panel()).first().waitFor();
    await expect.poll(() => editor.card("ask").getAttribute("class")).toContain("selected");
  });

  it("becomes the run's budget when asked, and stands in the publish dialog", async () => {
    const price = { providerId: "simulated", modelId: "echo", inputMicros: 1_000_000, contextTokens: 10_000 };
    expect((await editor.oven.call("POST", "ai-prices", price)).status).toBe(201);
    const id = await editor.create("agent-workflows", "Budgeted", {
      initial: "draft",
      states: { draft: model("done"), done: { type: "final" } },
    });
    await editor.open("agent-workflows", id);
    await page.getByRole("button", { name: "at most $0.030, 3 model calls" }).click();
    await page.getByRole("button", { name: "Take it as the run's budget" }).click();
    await editor.saved();
    const draft = await editor.draftOf("agent-workflows", id);
    expect([draft.maxCostMicros, draft.maxTokens]).toEqual([30_000, 31_500]);
    await page.getByRole("button", { name: "Publish" }).click();
    const dialog = page.getByRole("dialog", { name: /Publish/ });
    await dialog.getByText("A run needs at most $0.030, 3 model calls").click();
    await dialog.getByText("Model calls", { exact: true }).waitFor();
    await shoot(page, "editor-worst-case-publish");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await resize(page, 1024, 800);
    await shoot(page, "editor-worst-case-1024");
    await page.goto(`${editor.oven.url}/agent-workflows/${id}/show`);
    await page.getByRole("tab", { name: "Configuration" }).click();
    await page.getByRole("heading", { name: "What a run needs at most" }).waitFor();
    await page.getByText("31,500", { exact: true }).waitFor();
    await shoot(page, "workflow-worst-case");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
  });
});
