import type { CDPSession, Locator, Page } from "playwright-core";
import { expect } from "vitest";

/** What a reviewer does, by whatever hand. */
export interface Reviewer {
  page: Page;
  approve(): Promise<void>;
  /** Releases a call of a tool, which takes a second look. */
  release(): Promise<void>;
  edit(field: string, text: string): Promise<void>;
  reject(reason: string): Promise<void>;
  fill(values: Record<string, string>): Promise<void>;
  /** An outcome of the workflow's own, by its place. */
  choose(place: number, label: string): Promise<void>;
  comment(text: string): Promise<void>;
  delegate(to: string): Promise<void>;
  together(): Promise<void>;
  undo(): Promise<void>;
  next(): Promise<void>;
}

const changed = (page: Page, text: string): Promise<void> =>
  page
    .locator("ins", { hasText: text.split(" ").at(-1) ?? text })
    .first()
    .waitFor();
const nextButton = (page: Page): Locator => page.getByRole("button", { name: "Next review" });
const togetherBox = (page: Page): Locator => page.getByRole("checkbox", { name: /^Together with/ });

/** Waits until the field has the focus, as a person who looks before typing. */
async function focused(field: Locator): Promise<void> {
  await field.and(field.page().locator(":focus")).waitFor();
}

/** Keys alone; the mouse is never touched. */
export function byKeyboard(page: Page): Reviewer {
  const { keyboard } = page;
  const type = async (field: Locator, text: string): Promise<void> => {
    await focused(field);
    await keyboard.press("Control+A");
    await keyboard.insertText(text);
  };
  return {
    page,
    approve: () => keyboard.press("a"),
    release: async () => {
      await keyboard.press("a");
      await page.getByRole("button", { name: "Press again to approve" }).waitFor();
      await keyboard.press("a");
    },
    edit: async (field, text) => {
      await keyboard.press("e");
      await type(page.getByRole("textbox", { name: field }), text);
      await changed(page, text);
      await keyboard.press("Control+Enter");
    },
    reject: async (reason) => {
      // Without a pause: the first letter after the key is part of the reason.
      await keyboard.type(`r${reason}`);
      await keyboard.press("Control+Enter");
    },
    fill: async (values) => {
      await keyboard.press("e");
      for (const [index, [field, text]] of Object.entries(values).entries()) {
        if (index > 0) await keyboard.press("Tab");
        await type(page.getByRole("textbox", { name: field }), text);
      }
      await keyboard.press("Control+Enter");
    },
    choose: (place) => keyboard.press(String(place)),
    comment: async (text) => {
      await keyboard.press("c");
      await type(page.getByLabel("Write to the other reviewers"), text);
      await keyboard.press("Control+Enter");
      await page.getByText(text, { exact: true }).locator("visible=true").first().waitFor();
      await keyboard.press("Escape");
    },
    delegate: async (to) => {
      await keyboard.press("d");
      await type(page.getByLabel("E-mail or role"), to);
      await keyboard.press("Enter");
      await page.getByText(`for ${to}`).first().waitFor();
    },
    together: async () => {
      await togetherBox(page).waitFor();
      await keyboard.press("x");
      await expect.poll(() => togetherBox(page).isChecked()).toBe(true);
      await expect.poll(() => page.getByRole("list", { name: "Equal reviews" }).getByRole("checkbox").count()).toBe(3);
    },
    undo: () => keyboard.press("z"),
    next: async () => {
      await focused(nextButton(page));
      await keyboard.press("Enter");
    },
  };
}

/** Taps alone, on a screen as wide as a thumb reaches. */
export function byTouch(page: Page): Reviewer {
  const tap = async (name: string | RegExp): Promise<void> => {
    const button = page.getByRole("button", { name });
    // It is where the thumb is, without scrolling.
    await expect.poll(() => isOnScreen(button)).toBe(true);
    await button.tap();
  };
  const type = async (field: Locator, text: string): Promise<void> => {
    await field.tap();
    await field.fill(text);
  };
  return {
    page,
    approve: () => tap(/^Approve/),
    release: () => tap(/^Approve/),
    edit: async (field, text) => {
      await tap(/^Edit/);
      await type(page.getByRole("textbox", { name: field }), text);
      await changed(page, text);
      await tap("Approve with edits");
    },
    reject: async (reason) => {
      await tap(/^Reject/);
      await type(page.getByLabel("Reason"), reason);
      await tap("Reject");
    },
    fill: async (values) => {
      for (const [field, text] of Object.entries(values)) await type(page.getByRole("textbox", { name: field }), text);
      await tap("Submit");
    },
    choose: (_place, label) => tap(label),
    comment: async (text) => {
      await type(page.getByLabel("Write to the other reviewers"), text);
      await page.getByRole("button", { name: "Send" }).tap();
      await page.getByText(text, { exact: true }).locator("visible=true").first().waitFor();
    },
    delegate: async (to) => {
      await page.getByRole("button", { name: "Delegate" }).tap();
      await type(page.getByLabel("E-mail or role"), to);
      await page.getByRole("button", { name: "Hand on" }).tap();
      await page.getByText(`for ${to}`).first().waitFor();
    },
    together: async () => {
      await togetherBox(page).tap();
      await expect.poll(() => togetherBox(page).isChecked()).toBe(true);
    },
    undo: () => tap("Undo"),
    next: () => tap("Next review"),
  };
}

async function isOnScreen(target: Locator): Promise<boolean> {
  const box = await target.boundingBox();
  const size = target.page().viewportSize();
  return box !== null && size !== null && box.y >= 0 && box.y + box.height <= size.height + 1;
}

/** One finger, sideways over the middle of the screen; to the left with a negative distance. */
export async function swipe(client: CDPSession, distance: number): Promise<void> {
  const y = 330;
  const from = distance < 0 ? 300 : 90;
  const send = (type: "touchStart" | "touchMove" | "touchEnd", x?: number) =>
    client.send("Input.dispatchTouchEvent", { type, touchPoints: x === undefined ? [] : [{ x, y }] });
  await send("touchStart", from);
  for (const part of [0.25, 0.5, 0.75, 1]) await send("touchMove", from + distance * part);
  await send("touchEnd");
}
