import type { Locator, Page } from "playwright-core";
import { shoot } from "../browser.ts";
import { QUIET } from "../editor-page.ts";

/*
 * What a newcomer wants on the first day, by mouse and without JSON: an e-mail is classified by a model with structured output; large
 * refunds go to a person and then over HTTP to another system, everything else to an agent with tools.
 */

/** Counts what a person clicks, over all pages of the visit. */
const COUNT_CLICKS = `addEventListener("pointerdown", () => {
  sessionStorage.setItem("clicks", String(Number(sessionStorage.getItem("clicks") ?? 0) + 1));
}, true)`;

export interface FirstGraph {
  clicks: number;
  seconds: number;
  /** What the editor said of it before it was published. */
  verdict: string;
  workflowId: number;
}

/** One visit to the editor, as a person with a mouse. */
class Visit {
  readonly #page: Page;
  #shots = 0;

  constructor(page: Page) {
    this.#page = page;
  }

  get panel() {
    return this.#page.locator("aside[aria-label^='Settings']");
  }

  card(id: string) {
    return this.#page.locator(`.react-flow__node[data-id="${id}"]`);
  }

  async look(): Promise<void> {
    this.#shots += 1;
    await shoot(this.#page, `first-graph-${String(this.#shots).padStart(2, "0")}`);
  }

  /** A list of the browser's own is opened with a click and chosen from with another one. */
  async select(field: Locator, option: string): Promise<void> {
    await field.selectOption(option);
    await this.#page.evaluate(
      `sessionStorage.setItem("clicks", String(Number(sessionStorage.getItem("clicks") ?? 0) + 2))`,
    );
  }

  /** Takes the first step that these words find, in the palette that was just opened. */
  async choose(words: string, id: string): Promise<void> {
    const palette = this.#page.getByRole("dialog", { name: /^Add a state/ });
    await palette.getByRole("combobox").fill(words);
    await palette.getByRole("option").first().waitFor();
    await this.#page.keyboard.press("Enter");
    await this.card(id).waitFor();
    await this.panel.waitFor();
  }

  /** Adds a step behind the one that is selected. */
  async add(words: string, id: string): Promise<void> {
    const palette = this.#page.getByRole("complementary", { name: "Palette" });
    await palette.getByLabel("Search the palette").click();
    await this.#page.keyboard.press("Control+a");
    await this.#page.keyboard.type(words);
    await palette.locator(".oven-palette__item").first().click();
    await this.card(id).waitFor();
  }

  /** Types a text; variables are taken from the list beside the cursor. */
  async write(label: string, ...parts: (string | { variable: string })[]): Promise<void> {
    await this.panel.getByLabel(label, { exact: true }).first().click();
    for (const part of parts) {
      if (typeof part === "string") {
        await this.#page.keyboard.type(part);
        continue;
      }
      await this.#page.keyboard.type(`{{${part.variable}`);
      await this.#page
        .getByRole("listbox", { name: /^Variables for/ })
        .getByRole("option")
        .first()
        .waitFor();
      await this.#page.keyboard.press("Enter");
    }
  }

  /** Says of which fields a schema is made. */
  async fields(schema: string, fields: readonly [name: string, type: string][]): Promise<void> {
    const type = this.panel.getByLabel(`Type of ${schema}`);
    if (await type.isVisible()) await this.select(type, "object");
    for (const [name, kind] of fields) {
      await this.panel
        .getByRole("group", { name: schema })
        .getByRole("button", { name: /^Add a field/ })
        .last()
        .click();
      await this.#page.keyboard.type(name);
      await this.#page.keyboard.press("Enter");
      if (kind !== "string") await this.select(this.panel.getByLabel(`Type of ${name}`), kind);
      await this.panel.getByLabel(`${name} is required`).click();
    }
  }

  /** Everything in view, and nothing moves any more. */
  async fit(): Promise<void> {
    await this.#page.getByRole("button", { name: "Fit View" }).click();
    await this.#page.evaluate(QUIET);
  }

  async connect(from: string, outcome: string, to: string): Promise<void> {
    const handle = this.card(from).locator(`.react-flow__handle[title="${outcome}: draw a line from here"]`);
    await handle.dragTo(this.card(to));
  }
}

export async function buildFirstGraph(page: Page, url: string, target: string): Promise<FirstGraph> {
  await page.addInitScript(COUNT_CLICKS);
  await page.goto(url);
  const began = performance.now();
  const visit = new Visit(page);
  await page.getByRole("link", { name: "New workflow" }).first().click();
  await page.getByRole("region", { name: "What starts it?" }).waitFor();
  await visit.look();
  await page.getByRole("button", { name: /^Somebody, by hand/ }).click();
  await visit.choose("classify", "llm");
  // What the workflow is given.
  await page.locator(".react-flow__pane").click({ position: { x: 8, y: 8 } });
  await visit.look();
  await visit.fields("Payload schema", [["email", "string"]]);
  await visit.look();
  await visit.card("llm").click();
  await visit.write("Prompt", "Sort this e-mail: ", { variable: "email" });
  await visit.fields("Output schema", [
    ["category", "string"],
    ["amount", "number"],
  ]);
  await visit.look();
  // Large refunds go another way than everything else.
  await visit.add("if", "condition");
  await visit.write("Key", { variable: "amount" });
  await visit.select(visit.panel.getByLabel("Operator", { exact: true }), ">");
  await visit.write("Value", "100");
  await visit.look();
  await visit.add("approve", "humanReview");
  await visit.write("Title", "Refund ", { variable: "amount" }, "?");
  await visit.write("Show", { variable: "object" });
  await visit.look();
  await visit.add("http", "http");
  await visit.select(visit.panel.getByLabel("Method", { exact: true }), "POST");
  await visit.write("URL", target);
  await visit.write("Body", { variable: "object" });
  await visit.look();
  await visit.add("end", "done");
  await visit.look();
  await visit.fit();
  await visit.card("condition").click();
  await visit.add("ai agent", "toolLoop");
  await visit.write("Prompt", "Answer this e-mail: ", { variable: "email" });
  await visit.panel.getByLabel("Tools", { exact: true }).click();
  await page.keyboard.type("orders.get");
  await page.getByRole("option").filter({ hasText: "orders.get" }).first().click();
  await visit.look();
  await visit.connect("toolLoop", "then", "done");
  await visit.connect("humanReview", "Rejected", "done");
  await page.evaluate(QUIET);
  await visit.look();
  const verdict = page.getByText(/^(valid|\d+ (warning|problem)s?)$/);
  await verdict.waitFor();
  const said = (await verdict.textContent()) ?? "";
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Publish", exact: true }).click();
  await page.getByText("v2 live").waitFor();
  await visit.look();
  return {
    clicks: Number(await page.evaluate(`sessionStorage.getItem("clicks")`)),
    seconds: (performance.now() - began) / 1_000,
    verdict: said,
    workflowId: Number(/(\d+)\/editor/.exec(page.url())?.[1]),
  };
}
