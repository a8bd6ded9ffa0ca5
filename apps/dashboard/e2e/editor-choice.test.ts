import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shootIn } from "./editor-looks.ts";
import { EditorPage } from "./editor-page.ts";
import { seriousIssues } from "./page-checks.ts";

const amountOver = (value: number) => ({
  type: "condition",
  params: { key: "$.trigger.amount", operator: ">", value },
});

describe("a choice", () => {
  let editor: EditorPage;
  let page: Page;

  beforeAll(async () => {
    editor = await EditorPage.start();
    page = editor.page;
  });
  afterAll(async () => {
    await editor?.close();
  });

  it("reads as sentences, leads to new steps, and is drawn from its handles", async () => {
    const id = await editor.create("agent-workflows", "Chosen", {
      initial: "choice",
      states: {
        choice: { label: "How much?", always: [{ target: "refund", guard: amountOver(100) }, "done"] },
        refund: { label: "Refund", type: "final" },
        done: { type: "final" },
      },
    });
    await editor.open("agent-workflows", id);
    await editor.card("choice").click();
    const branches = editor.panel().getByRole("group", { name: "At once" });
    // Open without a click.
    await branches.getByText("amount is greater than 100 → Refund").waitFor();
    await branches.getByText("otherwise → done").waitFor();
    await shootIn(editor, "editor-choice");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    expect(await branches.getByLabel("Target of branch 1 at once").locator("option").allTextContents()).toEqual([
      "→ Refund",
      "→ done",
      "→ How much?",
      "New step…",
    ]);
    // A new step at the end of a branch, chosen in the palette.
    await branches.getByLabel("Target of branch 1 at once").selectOption("New step…");
    const asked = page.getByRole("dialog", { name: "Add a state after choice" });
    await asked.getByRole("combobox").fill("human review");
    await asked
      .getByRole("option", { name: /Human review/ })
      .first()
      .click();
    await editor.card("humanReview").waitFor();
    await editor.saved();
    await expect
      .poll(async () => (await editor.draftOf("agent-workflows", id)).states.choice.always)
      .toMatchObject([{ target: "humanReview", guard: amountOver(100) }, "done"]);
    // One step of undo.
    await page.getByRole("button", { name: "Undo" }).click();
    await editor.card("humanReview").waitFor({ state: "detached" });
    await editor.settled();
    // From the handle of the first branch to another state.
    const handle = editor.card("choice").locator(".react-flow__handle.source").first();
    await handle.dragTo(editor.card("done"));
    await expect
      .poll(async () => (await editor.draftOf("agent-workflows", id)).states.choice.always)
      .toMatchObject([{ target: "done", guard: amountOver(100) }, "done"]);
    await editor.card("choice").click();
    await branches.getByText("amount is greater than 100 → done").waitFor();
  });

  it("begins with a branch that has a condition, even before there is anything to lead to", async () => {
    const id = await editor.create("agent-workflows", "From nothing");
    await editor.open("agent-workflows", id);
    await editor.emptyCanvas();
    await page.getByRole("button", { name: "Add the first state" }).click();
    await page.getByRole("dialog").getByRole("combobox").fill("if");
    await page
      .getByRole("dialog")
      .getByRole("option", { name: /^Choice/ })
      .first()
      .click();
    await editor.card("choice").waitFor();
    const branches = editor.panel().getByRole("group", { name: "At once" });
    await branches.getByRole("button", { name: "Add a branch" }).click();
    await branches.getByLabel("Target of branch 1 at once").selectOption("New step…");
    await page.getByRole("dialog").getByRole("combobox").fill("final");
    await page.keyboard.press("Enter");
    await editor.card("done").waitFor();
    await editor.saved();
    await expect
      .poll(async () => (await editor.draftOf("agent-workflows", id)).states.choice.always)
      .toMatchObject({ target: "done", guard: { type: "condition" } });
    expect(editor.faults(/status of (401|404)/)).toEqual([]);
  });

  it("offers the values that a compared path can have", async () => {
    const outputSchema = {
      type: "object",
      properties: { category: { type: "string", enum: ["refund", "question"] } },
      required: ["category"],
    };
    const guard = { type: "condition", params: { key: "$.sort_output.object.category", operator: "==", value: "" } };
    const id = await editor.create("agent-workflows", "Sorted", {
      initial: "sort",
      states: {
        sort: { invoke: { src: "agent.llm", input: { prompt: "Sort it", outputSchema }, onDone: "choice" } },
        choice: { always: [{ target: "refund", guard }, "done"] },
        refund: { type: "final" },
        done: { type: "final" },
      },
    });
    await editor.open("agent-workflows", id);
    await editor.card("choice").click();
    const panel = editor.panel();
    await panel.getByRole("button", { name: /condition of branch 1 at once$/ }).click();
    const value = panel.getByLabel("Value", { exact: true });
    await value.selectOption("refund");
    await editor.saved();
    await expect
      .poll(async () => (await editor.draftOf("agent-workflows", id)).states.choice.always[0].guard.params.value)
      .toBe("refund");
  });
});
