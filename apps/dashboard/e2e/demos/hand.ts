import type { Page } from "playwright-core";

/** Ways to get at something in the editor: by mouse alone, or by keyboard alone. What is typed is typed the same way. */
export interface Hand {
  /** Adds a state from the palette behind another one; null: the first. `made` is the id it gets. */
  add(words: string, made: string, after: string | null): Promise<void>;
  /** Leads one outcome of a state to another state. */
  connect(from: string, outcome: string, to: string): Promise<void>;
  /** Opens the settings of a state, or with null those of the workflow. */
  open(id: string | null): Promise<void>;
  /** Puts the focus into a field of the settings. */
  focus(name: string | RegExp): Promise<void>;
  /** Presses a button, or an entry of a menu. */
  press(name: string | RegExp): Promise<void>;
  /** Takes an entry of the list below the field that is typed into. */
  pick(option: string): Promise<void>;
  /** Takes everything off the canvas. */
  clear(): Promise<void>;
  /** Back from the settings to the canvas. */
  leave(): Promise<void>;
}

/** What of the page has the focus, as a screen reader would say it. */
interface Focused {
  name: string;
  /** In the settings, not on the canvas or in the palette. */
  beside: boolean;
  role: string;
}

const READ_FOCUS = `(() => {
  const element = document.activeElement;
  const label = element.getAttribute("aria-label") ?? element.labels?.[0]?.innerText ?? element.innerText ?? "";
  const list = element.getAttribute("aria-labelledby");
  const beside = element.closest("aside[aria-label^=Settings]") !== null;
  return { beside, name: (label || (list ? document.getElementById(list)?.innerText : "") || "").trim(), role: element.getAttribute("role") ?? element.tagName.toLowerCase() };
})()`;

export function cardOf(page: Page, id: string) {
  return page.locator(`.react-flow__node[data-id="${id}"]`);
}

/** Everything with page.keyboard; what has the focus is looked at, as a person would. */
export class Keys implements Hand {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async #tabTo(name: string | RegExp, beside = false): Promise<void> {
    const seen: string[] = [];
    for (let step = 0; step < 260; step += 1) {
      const focused = (await this.#page.evaluate(READ_FOCUS)) as Focused; // cast: what the script makes
      const here = focused.name.replace(/\s*\*$/, "");
      const isIt = typeof name === "string" ? here === name : name.test(here);
      if (isIt && (focused.beside || !beside)) return;
      seen.push(here.slice(0, 40));
      // Tab indents there, until Escape was pressed.
      if (/JSON( of .*)?$/.test(here) && focused.role === "textarea") await this.#page.keyboard.press("Escape");
      await this.#page.keyboard.press("Tab");
    }
    throw new Error(`Tab does not lead to ${name}; it went by ${[...new Set(seen)].join(" | ")}`);
  }

  async #find(id: string): Promise<void> {
    await this.leave();
    await this.#page.keyboard.press("Control+f");
    await this.#page.getByRole("dialog", { name: "Find and replace" }).waitFor();
    await this.#page.keyboard.insertText(id);
    await this.#page.keyboard.press("Enter");
    await this.#page.locator(`.react-flow__node[data-id="${id}"]:focus`).waitFor();
  }

  async add(words: string, made: string, after: string | null): Promise<void> {
    if (after === null) {
      await this.leave();
      await this.#page.keyboard.press("Escape");
    } else await this.#find(after);
    await this.#page.keyboard.press("n");
    await this.#page.getByRole("dialog", { name: "Add a state" }).waitFor();
    await this.#page.keyboard.insertText(words);
    await this.#page.keyboard.press("Enter");
    await cardOf(this.#page, made).waitFor();
  }

  async connect(from: string, outcome: string, to: string): Promise<void> {
    await this.#find(from);
    await this.#page.keyboard.press("c");
    const dialog = this.#page.getByRole("dialog", { name: /^Connect/ });
    await dialog.waitFor();
    if (((await dialog.getAttribute("aria-label")) ?? "").includes("from which outcome")) {
      await this.#page.keyboard.insertText(outcome);
      await this.#page.keyboard.press("Enter");
      await this.#page.getByRole("dialog", { name: /to which state/ }).waitFor();
    }
    await this.#page.keyboard.insertText(to);
    await this.#page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
  }

  async open(id: string | null): Promise<void> {
    if (id === null) {
      await this.leave();
      await this.#page.keyboard.press("Escape");
      await this.#page.keyboard.press("Escape");
    } else await this.#find(id);
    await this.#page.keyboard.press("Enter");
    await this.#page.locator("aside[aria-label^='Settings'] :focus").waitFor();
  }

  async focus(name: string | RegExp): Promise<void> {
    await this.#tabTo(name, true);
  }

  async press(name: string | RegExp): Promise<void> {
    if (await this.#page.getByRole("menu").isVisible()) {
      const entry = typeof name === "string" ? name : name.source.replace(/\W/g, "");
      await this.#page.keyboard.type(entry);
    } else await this.#tabTo(name);
    await this.#page.keyboard.press("Enter");
  }

  async pick(): Promise<void> {
    await this.#page.keyboard.press("Enter");
  }

  async clear(): Promise<void> {
    await this.leave();
    await this.#page.keyboard.press("Control+a");
    await this.#page.keyboard.press("Delete");
    await this.#page.getByText("Nothing here yet.").waitFor();
  }

  async leave(): Promise<void> {
    for (let step = 0; step < 3; step += 1) {
      const beside = await this.#page.evaluate(
        `document.activeElement.closest("aside, header, [role=dialog]") !== null && document.activeElement !== document.body`,
      );
      if (beside !== true) return;
      await this.#page.keyboard.press("Escape");
    }
  }
}

/** Everything with the mouse; keys only type into the field that a click put the focus in. */
export class Mouse implements Hand {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get #panel() {
    return this.#page.locator("aside[aria-label^='Settings']");
  }

  /** Everything in view, and nothing moves. */
  async #settle(): Promise<void> {
    await this.#page.getByRole("button", { name: "Fit View" }).click();
    await this.#page.waitForFunction(`new Promise((done) => {
      let last = "";
      let same = 0;
      const look = () => {
        const now = [...document.querySelectorAll(".react-flow__node, .react-flow__viewport")].map((node) => node.style.transform).join();
        same = now === last ? same + 1 : 0;
        last = now;
        if (same > 4) done(true); else requestAnimationFrame(look);
      };
      look();
    })`);
  }

  async add(words: string, made: string, after: string | null): Promise<void> {
    if (after !== null) {
      await this.#settle();
      await cardOf(this.#page, after).click();
    } else if (await this.#page.locator(".react-flow__node-state").first().isVisible()) await this.leave();
    const palette = this.#page.getByRole("complementary", { name: "Palette" });
    await palette.getByLabel("Search the palette").click();
    await this.#page.keyboard.press("Control+a");
    await this.#page.keyboard.insertText(words);
    await palette.locator(".oven-palette__item").first().click();
    await cardOf(this.#page, made).waitFor();
  }

  async connect(from: string, outcome: string, to: string): Promise<void> {
    await this.#settle();
    const handle = cardOf(this.#page, from).locator(`.react-flow__handle[title="${outcome}: draw a line from here"]`);
    await handle.dragTo(cardOf(this.#page, to));
  }

  async open(id: string | null): Promise<void> {
    await this.#settle();
    if (id === null) await this.#page.locator(".react-flow__pane").click({ position: { x: 8, y: 8 } });
    else await cardOf(this.#page, id).click();
    await this.#panel.waitFor();
  }

  async focus(name: string | RegExp): Promise<void> {
    const field = this.#panel.getByLabel(name, { exact: typeof name === "string" }).first();
    await field.click();
  }

  async press(name: string | RegExp): Promise<void> {
    const menu = this.#page.getByRole("menu");
    if (await menu.isVisible()) await menu.getByRole("menuitem", { name }).click();
    else
      await this.#page
        .getByRole("button", { name, exact: typeof name === "string" })
        .first()
        .click();
  }

  async pick(option: string): Promise<void> {
    await this.#page.getByRole("option").filter({ hasText: option }).first().click();
  }

  async clear(): Promise<void> {
    await this.#page.locator(".react-flow__pane").click({ button: "right", position: { x: 20, y: 20 } });
    await this.#page.getByRole("menuitem", { name: "Select all" }).click();
    await this.#settle();
    await this.#page.locator(".react-flow__node").nth(1).click({ button: "right" });
    await this.#page.getByRole("menuitem", { name: /^Delete/ }).click();
    await this.#page.getByText("Nothing here yet.").waitFor();
  }

  async leave(): Promise<void> {
    await this.open(null);
  }
}
