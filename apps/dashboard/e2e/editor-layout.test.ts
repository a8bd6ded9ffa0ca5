import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shootIn } from "./editor-looks.ts";
import { EditorPage, saying } from "./editor-page.ts";

/** How many of a line's points lie inside of a card that it does not join, by the line's id. */
const UNDER_CARDS = `Object.fromEntries([...document.querySelectorAll(".react-flow__edge")].flatMap((edge) => {
  const id = edge.dataset.id;
  const path = edge.querySelector("path.oven-edge");
  const matrix = path.getScreenCTM();
  const cards = [...document.querySelectorAll(".react-flow__node-state, .react-flow__node-end")].map((card) => card.getBoundingClientRect());
  const length = path.getTotalLength();
  let under = 0;
  for (let at = 24; at < length - 24; at += 4) {
    const { x, y } = path.getPointAtLength(at).matrixTransform(matrix);
    if (cards.some((card) => x > card.left + 2 && x < card.right - 2 && y > card.top + 2 && y < card.bottom - 2)) under += 1;
  }
  return under === 0 ? [] : [[id, under]];
}))`;

const chain = (count: number): object => ({
  initial: "s0",
  states: {
    ...Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`s${at}`, saying("x", at + 1 < count ? `s${at + 1}` : "done")]),
    ),
    done: { type: "final" },
  },
});

describe("places on the canvas", () => {
  let editor: EditorPage;
  let page: Page;

  beforeAll(async () => {
    editor = await EditorPage.start();
    page = editor.page;
  });
  afterAll(async () => {
    await editor?.close();
  });

  const open = async (name: string, definition: object): Promise<number> => {
    const id = await editor.create("agent-workflows", name, definition);
    await editor.open("agent-workflows", id);
    return id;
  };

  it("lines go around cards that the author put in their way, also back", async () => {
    await open("In the way", {
      initial: "first",
      states: {
        first: { ...saying("1", "last"), label: "First" },
        between: {
          label: "In between",
          always: [
            { target: "done", guard: { type: "cel", params: { expression: "trigger.enough == true" } } },
            "first",
          ],
        },
        last: { ...saying("3", "between"), label: "Last" },
        done: { type: "final" },
      },
      meta: {
        positions: {
          first: { x: 0, y: 0 },
          between: { x: 330, y: -10 },
          last: { x: 700, y: 0 },
          done: { x: 700, y: 260 },
        },
      },
    });
    expect(await page.evaluate(UNDER_CARDS)).toEqual({});
    await shootIn(editor, "editor-lines-around");
    // Moved into the way of another line: the line goes around it when it is left there.
    const box = await editor.card("between").boundingBox();
    if (box === null) throw new Error("no card");
    await page.mouse.move(box.x + 60, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + 70, box.y + 60, { steps: 5 });
    await page.mouse.up();
    await editor.settled();
    expect(await page.evaluate(UNDER_CARDS)).toEqual({});
  });

  it("lines of the layout go around cards, also to and from a loop", async () => {
    await open("Around a loop", {
      initial: "choice",
      states: {
        choice: {
          always: [{ target: "one", guard: { type: "cel", params: { expression: "true" } } }, "each"],
        },
        one: saying("1", "two"),
        two: saying("2", "done"),
        each: {
          loop: {
            type: "forEach",
            collection: "$.trigger.items",
            bodyInitial: "work",
            bodyStates: { work: saying("3", "over"), over: { type: "final" } },
            onDone: "done",
          },
        },
        done: { type: "final" },
      },
    });
    expect(await page.evaluate(UNDER_CARDS)).toEqual({});
    await shootIn(editor, "editor-lines-of-layout");
  });

  it("the layout is made anew by a button and by keys, and is one step of undo", async () => {
    const id = await open("Untidy", {
      initial: "a",
      states: { a: saying("a", "b"), b: saying("b", "done"), done: { type: "final" } },
      meta: { positions: { a: { x: 900, y: 700 }, b: { x: 0, y: 0 }, done: { x: 400, y: 500 } } },
    });
    await page.getByRole("button", { name: "Lay out" }).click();
    await editor.settled();
    await editor.saved();
    expect((await editor.draftOf("agent-workflows", id)).meta).toBeUndefined();
    const xs = async (): Promise<number[]> =>
      Promise.all(["a", "b", "done"].map(async (card) => (await editor.card(card).boundingBox())?.x ?? 0));
    const [a = 0, b = 0, done = 0] = await xs();
    expect(a).toBeLessThan(b);
    expect(b).toBeLessThan(done);
    await page.keyboard.press("Control+z");
    await editor.settled();
    const [untidy = 0, left = 0] = await xs();
    expect(untidy).toBeGreaterThan(left);
    await page.keyboard.press("Shift+L");
    await editor.settled();
    const again = await xs();
    expect([...again].sort((one, other) => one - other)).toEqual(again);
    await page.keyboard.press("?");
    const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await keys.getByText("Lay out", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
  });

  it("what is dropped from the palette on a line goes in between", async () => {
    const id = await open("Between", {
      initial: "a",
      states: { a: saying("a", "done"), done: { type: "final" } },
    });
    const path = page.locator('.react-flow__edge[data-id^="a→"] .react-flow__edge-interaction').first();
    const line = await path.boundingBox();
    const pane = await page.locator(".react-flow__pane").boundingBox();
    if (line === null || pane === null) throw new Error("no line");
    await page
      .getByRole("complementary", { name: "Palette" })
      .getByRole("button", { name: "Log", exact: true })
      .dragTo(page.locator(".react-flow__pane"), {
        targetPosition: { x: line.x + line.width / 2 - pane.x, y: line.y + line.height / 2 - pane.y },
        force: true,
      });
    await editor.card("log").waitFor();
    await editor.saved();
    expect(await editor.draftOf("agent-workflows", id)).toMatchObject({
      states: { a: { invoke: { onDone: "log" } }, log: { invoke: { onDone: "done" } } },
    });
  });

  it("everything is shown at one key where it can be read", async () => {
    const names = Array.from({ length: 6 }, (_, index) => `s${index}`);
    await open("Steps", {
      initial: "s0",
      states: Object.fromEntries(
        names.map((name, index) => [name, index === 5 ? { type: "final" } : saying("x", `s${index + 1}`)]),
      ),
      meta: { positions: Object.fromEntries(names.map((name, index) => [name, { x: index * 300, y: index * 180 }])) },
    });
    const canvas = page.getByRole("region", { name: "Graph of Steps" });
    const inView = async (name: string): Promise<boolean> => {
      const [box, pane] = [await editor.card(name).boundingBox(), await canvas.boundingBox()];
      if (box === null || pane === null) return false;
      return (
        box.x >= pane.x &&
        box.y >= pane.y &&
        box.x + box.width <= pane.x + pane.width &&
        box.y + box.height <= pane.y + pane.height
      );
    };
    await page.locator(".react-flow__pane").click({ position: { x: 30, y: 200 } });
    await page.keyboard.press("0");
    await expect.poll(async () => (await inView("s0")) && (await inView("s5"))).toBe(false);
    await page.keyboard.press("1");
    await expect.poll(async () => (await inView("s0")) && (await inView("s5"))).toBe(true);
    await page.keyboard.press("0");
    await expect.poll(async () => (await inView("s0")) && (await inView("s5"))).toBe(false);
    await page.getByRole("button", { name: "Fit View" }).click();
    await expect.poll(async () => (await inView("s0")) && (await inView("s5"))).toBe(true);
  });

  it("a new state is brought into view, and the whole is never smaller than can be read", async () => {
    await open("Long", chain(40));
    await page.keyboard.press("1");
    await editor.settled();
    const zoom = Number(
      await page.evaluate(
        "new DOMMatrix(getComputedStyle(document.querySelector('.react-flow__viewport')).transform).a",
      ),
    );
    expect(zoom).toBeGreaterThanOrEqual(0.4);
    await shootIn(editor, "editor-fit-long");
    // The end of the chain is far outside of what is shown.
    await page.keyboard.press("Control+f");
    await page
      .getByRole("dialog")
      .getByRole("combobox")
      .or(page.getByRole("dialog").getByRole("textbox"))
      .first()
      .fill("s39");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await editor.card("s39").waitFor();
    await editor.card("s39").click();
    await page.keyboard.press("n");
    await page.getByRole("dialog").getByRole("combobox").fill("failed end");
    await page.keyboard.press("Enter");
    await editor.card("failed").waitFor();
    await editor.settled();
    const panel = await page.getByRole("complementary", { name: /^Settings of/ }).boundingBox();
    const made = await editor.card("failed").boundingBox();
    if (panel === null || made === null) throw new Error("not shown");
    expect(made.x).toBeGreaterThan(200);
    expect(made.x + made.width).toBeLessThanOrEqual(panel.x);
    expect(made.y).toBeGreaterThan(52);
  });
});
