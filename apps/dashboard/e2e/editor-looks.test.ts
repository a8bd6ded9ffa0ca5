import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shootIn } from "./editor-looks.ts";
import { EditorPage } from "./editor-page.ts";
import { overflow, resize, seriousIssues } from "./page-checks.ts";

const WORDS = "A label that somebody wrote as a whole sentence because nothing kept them from it, and ".repeat(3);
const LONG = `${WORDS.slice(0, 150)}${"x".repeat(50)}`;
const drawn = (card: string): string => `document.querySelector(".react-flow__node[data-id=${card}]")`;
const DRAWING = `card => { const svg = [...card.querySelectorAll(".oven-card__icon svg, .oven-group__title > svg")].at(-1);
  return svg.getAttribute('stroke') + ' ' + svg.querySelector('path').getAttribute('d'); }`;
const LABELS_INSIDE = `card => [...card.querySelectorAll("b, .oven-card__label, .oven-final__label")]
  .every((label) => label.getBoundingClientRect().right <= card.getBoundingClientRect().right)`;
const on = (src: string, onDone: string, input: object = {}) => ({ invoke: { src, input, onDone } });

describe("how states look", () => {
  let editor: EditorPage;
  let page: Page;

  beforeAll(async () => {
    editor = await EditorPage.start();
    page = editor.page;
  });
  afterAll(async () => {
    await editor?.close();
  });

  it("each kind of state that steers a run has a symbol and a colour of its own", async () => {
    const id = await editor.create("agent-workflows", "Flows", {
      initial: "choice",
      states: {
        choice: {
          label: "Choice",
          always: [{ target: "delay", guard: { type: "cel", params: { expression: "true" } } }, "each"],
        },
        delay: on("core.delay", "emit", { ms: 10 }),
        emit: on("core.emit", "log", { event: "a.b", payload: {} }),
        log: on("core.log", "done", { message: "x" }),
        each: {
          label: "Each",
          loop: {
            type: "forEach",
            collection: "$.trigger.items",
            bodyInitial: "work",
            bodyStates: { work: on("core.log", "over", { message: "x" }), over: { type: "final" } },
            onDone: "done",
          },
        },
        done: { type: "final" },
      },
    });
    await editor.open("agent-workflows", id);
    const look = (card: string): Promise<string> => page.evaluate(`(${DRAWING})(${drawn(card)})`) as Promise<string>; // cast: it answers a text
    const looks = await Promise.all(["choice", "delay", "emit", "log", "each"].map(look));
    expect(new Set(looks).size).toBe(looks.length);
    expect(new Set(looks.map((words) => words.split(" ")[0])).size).toBe(looks.length);
    await shootIn(editor, "editor-flow-looks");
  });

  it("a long label breaks neither the card nor the settings", async () => {
    const id = await editor.create("agent-workflows", "Long label", {
      initial: "log",
      states: {
        log: { ...on("core.log", "group", { message: "x" }), label: LONG },
        group: { label: LONG, initial: "inner", states: { inner: { type: "final" } }, onDone: "done" },
        done: { type: "final", label: LONG },
      },
    });
    await editor.open("agent-workflows", id);
    expect(LONG).toHaveLength(200);
    for (const card of ["log", "group", "done"]) {
      await editor.card(card).click({ position: { x: 40, y: 16 } });
      const panel = page.getByRole("complementary", { name: `Settings of ${LONG}` });
      await panel.getByRole("tab", { name: "Settings" }).waitFor();
      const heading = await panel.getByRole("heading", { level: 2 }).boundingBox();
      expect(heading?.height).toBeLessThan(64);
      expect(await page.evaluate(`(${LABELS_INSIDE})(${drawn(card)})`)).toBe(true);
    }
    expect(await overflow(page)).toBe(0);
    await shootIn(editor, "editor-long-label");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await resize(page, 390, 844);
    expect(await overflow(page)).toBe(0);
    await resize(page, 1440, 900);
  });

  it("nothing stands in for what loads at once, and what takes longer is shaped like the editor", async () => {
    const { body } = await editor.oven.call("GET", "agent-workflows?filter=%7B%22q%22%3A%22Flows%22%7D");
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(/\/api\/agent-workflows\/\d+\/draft$/, async (route) => {
      await promise;
      await route.continue();
    });
    await page.goto(`${editor.oven.url}/agent-workflows/${body[0].id}/editor`);
    const shape = page.getByRole("status", { name: "Loading" });
    const skeleton = shape.locator(".MuiSkeleton-root").first();
    await skeleton.waitFor({ state: "attached" });
    // Its own animation hides it first: that of a moment, not the computed style of one.
    expect(
      await page.evaluate("getComputedStyle(document.querySelector('[role=status] .MuiSkeleton-root')).animationName"),
    ).toContain("oven-late");
    await skeleton.waitFor({ state: "visible" });
    await shootIn(editor, "editor-skeleton");
    resolve();
    await editor.settled();
    await shape.waitFor({ state: "detached" });
    expect(editor.faults(/status of (401|404)/)).toEqual([]);
  });
});
