import type { Json } from "@oven/contract";
import type { Page } from "playwright-core";
import type { Hand } from "./hand.ts";

/** Fills in the settings that are open; only how a field is reached differs between mouse and keyboard. */
export class Forms {
  readonly #page: Page;
  readonly #hand: Hand;

  constructor(page: Page, hand: Hand) {
    this.#page = page;
    this.#hand = hand;
  }

  get #panel() {
    return this.#page.locator("aside[aria-label^='Settings']");
  }

  /** Replaces what stands in a text field. */
  async text(label: string, value: string): Promise<void> {
    await this.#hand.focus(label);
    await this.#page.keyboard.press("Control+a");
    await this.#page.keyboard.insertText(value);
  }

  /** A value as JSON, by the switch beside the field. */
  async json(label: string, value: Json): Promise<void> {
    const area = this.#panel.getByRole("textbox", { name: `${label} as JSON` });
    if (!(await area.isVisible())) {
      await this.#hand.press(new RegExp(`^fx.*: how ${label} is given$`));
      await this.#page.getByRole("menu").waitFor();
      await this.#hand.press(/JSON/);
      await area.waitFor();
    }
    await this.text(`${label} as JSON`, JSON.stringify(value));
  }

  /** Several texts of a list that also takes others. */
  async list(label: string, values: readonly string[]): Promise<void> {
    await this.#hand.focus(label);
    for (const value of values) {
      await this.#page.keyboard.insertText(value);
      await this.#hand.pick(value);
    }
    await this.#page.keyboard.press("Escape");
  }

  /** One of a list of the browser's own, by its first letters. */
  async choose(label: string, option: string): Promise<void> {
    await this.#hand.focus(label);
    await this.#page.keyboard.type(option);
    // A click opened the list, which waits for Enter.
    if (await this.#page.evaluate(`document.activeElement.matches?.("select:open") ?? false`))
      await this.#page.keyboard.press("Enter");
  }

  async on(label: string): Promise<void> {
    await this.#hand.focus(label);
    const isOn = await this.#page.evaluate("document.activeElement.checked === true");
    if (isOn !== true) await this.#page.keyboard.press("Space");
  }

  /** A part that is folded is opened; one that is open stays so. */
  async unfold(title: RegExp): Promise<void> {
    if (await this.#panel.getByRole("button", { name: title, expanded: false }).first().isVisible())
      await this.#hand.press(title);
  }

  /** What is folded away. */
  async more(): Promise<void> {
    if (
      await this.#panel
        .getByRole("button", { name: /^More \(/ })
        .first()
        .isVisible()
    )
      await this.#hand.press(/^More \(/);
  }

  /** Another id; it is taken when the field is left. */
  async rename(from: string, to: string): Promise<void> {
    if (from === to) return;
    await this.text("Id", to);
    await this.#page.keyboard.press("Enter");
    await this.#page.locator(`.react-flow__node[data-id="${to}"]`).waitFor();
  }
}
