import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shoot } from "./browser.ts";
import { shootIn } from "./editor-looks.ts";
import { EditorPage, saying } from "./editor-page.ts";
import { overflow, seriousIssues } from "./page-checks.ts";

const amountOver = (value: number) => ({
  type: "condition",
  params: { key: "$.trigger.amount", operator: ">", value },
});

/** What can be pressed or typed into in the settings, and is smaller than a finger: its name and size. */
const TOO_SMALL = `[...document.querySelectorAll("aside button, aside input, aside select, aside textarea")].flatMap((control) => {
  const { width, height } = control.getBoundingClientRect();
  const name = control.getAttribute("aria-label") ?? control.textContent;
  return width === 0 || (width >= 40 && height >= 40) ? [] : [name + " " + width + "x" + height];
})`;
/** What is wider than its place in the settings: it would be cut, or scroll sideways. */
const TOO_WIDE = `[...document.querySelectorAll("aside, aside *")].flatMap((part) =>
  part.clientWidth === 0 || part.scrollWidth <= part.clientWidth + 1 ? [] : [part.textContent + " " + part.scrollWidth])`;

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

  it("is drawn a second branch from its card, to another step and to a new one, with its condition open", async () => {
    const id = await editor.create("agent-workflows", "Drawn on", {
      initial: "choice",
      states: {
        choice: { label: "How much?", always: "small" },
        refund: { label: "Refund", type: "final" },
        small: { ...saying("Thank you", "refund"), label: "Small" },
      },
      meta: { positions: { choice: { x: 0, y: 0 }, small: { x: 400, y: 0 }, refund: { x: 800, y: 100 } } },
    });
    await editor.open("agent-workflows", id);
    const another = editor.card("choice").getByTitle("another branch: draw a line from here");
    await another.dragTo(editor.card("refund"));
    await editor.saved();
    const first = { type: "condition", params: { key: "$.trigger", operator: "exists" } };
    const branchesOf = async () => (await editor.draftOf("agent-workflows", id)).states.choice.always;
    await expect.poll(branchesOf).toMatchObject([{ target: "refund", guard: first }, "small"]);
    // What decides on it stands open beside the canvas.
    const branches = editor.panel().getByRole("group", { name: "At once" });
    await branches.getByLabel("Key", { exact: true }).fill("$.trigger.amount");
    await branches.getByLabel("Operator", { exact: true }).selectOption({ label: ">" });
    await branches.getByLabel("Value", { exact: true }).fill("100");
    await branches.getByText("amount is greater than 100 → Refund").waitFor();
    await expect.poll(branchesOf).toMatchObject([{ target: "refund", guard: amountOver(100) }, "small"]);
    // A third, dropped where nothing is: the step that comes next is asked for.
    const card = await editor.card("refund").boundingBox();
    if (card === null) throw new Error("no card");
    await another.hover();
    await page.mouse.down();
    await page.mouse.move(card.x, card.y + 150, { steps: 8 });
    await page.mouse.move(card.x + 20, card.y + 190, { steps: 4 });
    await page.mouse.up();
    const asked = page.getByRole("dialog", { name: "Add a state after choice" });
    await asked.getByRole("combobox").fill("human review");
    await asked
      .getByRole("option", { name: /Human review/ })
      .first()
      .click();
    await editor.card("humanReview").waitFor();
    await expect
      .poll(branchesOf)
      .toMatchObject([{ target: "refund" }, { target: "humanReview", guard: first }, "small"]);
    await shootIn(editor, "editor-choice-drawn");
    // One step of undo takes the branch and the step.
    await page.getByRole("button", { name: "Undo" }).click();
    await editor.card("humanReview").waitFor({ state: "detached" });
    await expect.poll(branchesOf).toMatchObject([{ target: "refund", guard: amountOver(100) }, "small"]);
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

  it("is read and changed on a phone, light and dark, in both languages", async () => {
    const long = "Refund the whole amount to the original means of payment of the customer";
    const known = { type: "condition", params: { key: "$.trigger.customer", operator: "==", value: "x".repeat(60) } };
    const neither = { type: "not", guard: { type: "any", guards: [known, amountOver(5)] } };
    const id = await editor.create("agent-workflows", "On a phone", {
      initial: "choice",
      states: {
        choice: {
          label: "How much?",
          always: [
            { target: "refund", guard: amountOver(100) },
            { target: "done", guard: { type: "all", guards: [amountOver(50), neither] } },
            "done",
          ],
        },
        refund: { label: long, type: "final" },
        done: { type: "final" },
      },
    });
    const { cookies } = await page.context().storageState();
    for (const [language, dark] of [
      ["en", false],
      ["de", true],
      ["de", false],
      ["en", true],
    ] as const) {
      const { page: phone } = await editor.chromium.newPage({ width: 390, height: 844, dark });
      await phone.context().addCookies(cookies);
      await phone.addInitScript(`localStorage.setItem("oven.language", "${language}")`);
      await editor.open("agent-workflows", id, phone);
      await phone.locator('.react-flow__node[data-id="choice"]').click();
      await phone.keyboard.press("Enter");
      const settings = phone.getByRole("complementary");
      const sentences = settings.locator("button[aria-expanded]").filter({ hasText: "→" });
      await expect.poll(() => sentences.allTextContents()).toContainEqual(expect.stringContaining(`100 → ${long}`));
      for (const branch of [0, 1]) await sentences.nth(branch).click();
      // The path and the value of each comparison.
      await expect.poll(() => settings.locator("textarea").count()).toBe(8);
      if (language === "de") await settings.getByText(/ und nicht \(.* oder .*\) → done$/).waitFor();
      expect(await overflow(phone)).toBe(0);
      expect(await phone.evaluate(TOO_SMALL)).toEqual([]);
      expect(await phone.evaluate(TOO_WIDE)).toEqual([]);
      await expect.poll(() => seriousIssues(phone)).toEqual([]);
      await shoot(phone, `editor-choice-phone-${language}${dark ? "-dark" : ""}`);
      await phone.context().close();
    }
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
