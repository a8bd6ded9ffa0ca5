import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EditorPage, QUIET } from "./editor-page.ts";
import type { OvenProcess } from "./oven-process.ts";
import { overflow, seriousIssues } from "./page-checks.ts";

describe("the editor", () => {
  let editor: EditorPage;
  let oven: OvenProcess;
  let page: Page;

  beforeAll(async () => {
    editor = await EditorPage.start();
    ({ oven, page } = editor);
  });
  afterAll(async () => {
    await editor?.close();
  });

  const card = (id: string) => editor.card(id);
  const create = (resource: string, name: string, definition?: object) => editor.create(resource, name, definition);
  const open = (resource: string, id: number | string) => editor.open(resource, id);
  const settled = () => editor.settled();
  const saved = () => editor.saved();
  const draftOf = (resource: string, id: number) => editor.draftOf(resource, id);

  it("builds a workflow from an empty canvas with the mouse, and publishes it with a note", async () => {
    const id = await create("agent-workflows", "Built by mouse");
    await open("agent-workflows", id);
    await editor.emptyCanvas();
    const palette = page.getByRole("complementary", { name: "Palette" });
    // Dragged onto the canvas.
    await palette.getByRole("button", { name: "Model", exact: true }).dragTo(page.locator(".react-flow__pane"), {
      targetPosition: { x: 200, y: 200 },
    });
    await card("llm").waitFor();
    await settled();
    // A line dropped on empty canvas asks what comes next.
    const handle = card("llm").locator(".react-flow__handle.source").first();
    const box = await handle.boundingBox();
    if (box === null) throw new Error("the model has no handle");
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + 180, box.y + 60, { steps: 8 });
    await page.mouse.up();
    const asked = page.getByRole("dialog", { name: "Add a state after llm" });
    await asked.getByRole("combobox").fill("human review");
    await asked
      .getByRole("option", { name: /Human review/ })
      .first()
      .click();
    await card("humanReview").waitFor();
    // Ends by clicking in the palette: they join what is selected.
    await palette.getByRole("button", { name: "End", exact: true }).click();
    await card("done").waitFor();
    await card("humanReview").click();
    await palette.getByRole("button", { name: "Failed end" }).click();
    await card("failed").waitFor();
    // The error of the model, drawn to the failed end.
    await page.keyboard.press("1");
    await settled();
    await card("llm").locator(".react-flow__handle[data-tone=error]").dragTo(card("failed"));
    // A state between two others, by the + on a line.
    await page
      .locator('.react-flow__edge[data-id^="llm→"] .react-flow__edge-interaction')
      .first()
      .hover({ force: true });
    await page.getByRole("button", { name: "Add a state between llm and humanReview" }).click();
    await page.getByRole("dialog").getByRole("combobox").fill("core.log");
    await page.keyboard.press("Enter");
    await card("log").waitFor();
    await saved();
    const definition = await draftOf("agent-workflows", id);
    expect(definition).toMatchObject({
      initial: "llm",
      states: {
        llm: { invoke: { src: "agent.llm", onDone: "log", onError: "failed" } },
        log: { invoke: { src: "core.log", onDone: "humanReview" } },
        humanReview: { invoke: { src: "agent.humanReview", onDone: [{ target: "done" }, "failed"] } },
        done: { type: "final" },
        failed: { type: "final", outcome: "failed" },
      },
    });
    // What is not filled in yet keeps it from being published, and names the state.
    await page
      .getByText(/\d problems?$/)
      .first()
      .waitFor();
    await page.getByRole("button", { name: /^Problems \([1-9]/ }).click();
    await page
      .getByRole("list", { name: "Problems" })
      .getByRole("button")
      .filter({ hasText: "Log, Message" })
      .first()
      .click();
    await page.getByRole("complementary", { name: /Settings of Log/ }).waitFor();
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await expect
      .poll(() => page.getByRole("dialog").getByRole("button", { name: "Publish", exact: true }).isDisabled())
      .toBe(true);
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    // Filled in as JSON.
    for (const [state, input] of [
      ["log", '"input": { "message": "{{ $.llm_output.text }}" },'],
      ["llm", '"input": { "prompt": "Say hello" },'],
      ["humanReview", '"input": { "show": "$.llm_output.text" },'],
    ] as const) {
      await card(state).click();
      await page.getByRole("tab", { name: "JSON" }).click();
      const editor = page.getByRole("textbox", { name: `JSON of ${state}` });
      const text = await editor.inputValue();
      const bare = text.replace(/"input": \{[^}]*\},?/, "");
      await editor.fill(bare.replace(/"src": "([^"]+)",/, `"src": "$1", ${input}`));
    }
    await page.getByText("valid", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByLabel("Note to this version").fill("Drawn");
    await page.getByRole("dialog").getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByText("v2 live").waitFor();
    await page.getByText("Published", { exact: true }).waitFor();
    const { body } = await oven.call("GET", `agent-workflows/${id}/versions`);
    expect(body[0]).toMatchObject({ version: 2, description: "Drawn" });
    expect((await oven.call("GET", `agent-workflows/${id}/draft`)).status).toBe(404);
  });

  it("builds the same by keyboard only, in the editor of regular workflows", async () => {
    const id = await create("workflows", "Built by keys");
    await open("workflows", id);
    await page.locator(".oven-palette__search").focus();
    await page.keyboard.press("Escape");
    await card("done").focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await page.getByRole("button", { name: "Add the first state" }).focus();
    await page.keyboard.press("Enter");
    const add = async (words: string): Promise<void> => {
      await page.getByRole("dialog").getByRole("combobox").waitFor();
      await page.keyboard.type(words);
      await page.keyboard.press("Enter");
    };
    await add("agent.llm");
    await card("llm").waitFor();
    for (const [words, made] of [
      ["agent.humanReview", "humanReview"],
      ["final", "done"],
    ] as const) {
      await page.keyboard.press("n");
      await add(words);
      await card(made).waitFor();
      await settled();
    }
    // Back along the lines, and on from the other outcome.
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("n");
    await add("failed end");
    await card("failed").waitFor();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    // Connect: which outcome, then which state.
    await page.keyboard.press("c");
    await page.keyboard.type("error");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: /to which state/ }).waitFor();
    await page.keyboard.type("failed");
    await page.keyboard.press("Enter");
    await page.keyboard.press("F2");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("greet");
    await page.keyboard.press("Enter");
    await card("greet").waitFor();
    await saved();
    expect(await draftOf("workflows", id)).toMatchObject({
      initial: "greet",
      states: {
        greet: { invoke: { onDone: "humanReview", onError: "failed" } },
        humanReview: { invoke: { onDone: [{ target: "done" }, "failed"] } },
      },
    });
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog", { name: "Commands" }).waitFor();
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.keyboard.press("Escape");
  });

  it("undoes and does again one gesture at a time", async () => {
    const id = await create("agent-workflows", "Undone", {
      initial: "a",
      states: { a: { always: "b" }, b: { always: "done" }, done: { type: "final" } },
    });
    await open("agent-workflows", id);
    await card("b").click();
    await page.keyboard.press("Delete");
    await card("b").waitFor({ state: "detached" });
    // What led to it leads on to where it led.
    await page.locator('.react-flow__edge[data-id^="a→"][data-id$="→done"]').waitFor({ state: "attached" });
    await expect.poll(async () => (await draftOf("agent-workflows", id))?.states.a).toEqual({ always: "done" });
    await page.keyboard.press("Control+z");
    await card("b").waitFor();
    await settled();
    const [before, other] = [await card("b").boundingBox(), await card("a").boundingBox()];
    if (before === null || other === null) throw new Error("there is nothing to drag");
    const [x, y] = [before.x + before.width / 2, before.y + before.height / 2];
    await card("b").hover();
    await page.mouse.down();
    await page.mouse.move(x + 150, y + 170, { steps: 6 });
    await page.locator('.react-flow__node[data-id="b"].dragging').waitFor();
    // Held by a line where it stands in one with another card, and only as long as it is dragged. The card is some way behind the pointer.
    let pointerY = y + 170;
    const lines = async () => {
      pointerY += other.y - ((await card("b").boundingBox())?.y ?? 0);
      await page.mouse.move(x + 150, pointerY);
      return page.locator(".oven-helper-lines line").count();
    };
    await expect.poll(lines, { interval: 400 }).toBeGreaterThan(0);
    await page.mouse.move(x + 150, y + 170, { steps: 6 });
    await page.mouse.up();
    await page.locator(".oven-helper-lines").waitFor({ state: "detached" });
    await expect.poll(async () => (await draftOf("agent-workflows", id))?.meta?.positions.b.y).toBeGreaterThan(60);
    await page.keyboard.press("Control+z");
    await page.getByText("Undone: Move b").waitFor();
    await settled();
    const after = await card("b").boundingBox();
    expect(Math.abs((after?.y ?? 0) - before.y)).toBeLessThan(3);
    await page.keyboard.press("Control+Shift+z");
    await page.getByText("Done again: Move b").waitFor();
  });

  it("selects what a hand clicks, which moves a little meanwhile, and with Shift one more", async () => {
    const states = { a: { always: "b" }, b: { always: "c" }, c: { always: "done" }, done: { type: "final" } };
    const id = await create("agent-workflows", "Clicked", { initial: "a", states });
    await open("agent-workflows", id);
    const selected = () =>
      page.evaluate(`[...document.querySelectorAll(".react-flow__node.selected")].map((node) => node.dataset.id)`);
    const clickAt = async (x: number, y: number, by: number) => {
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + by, y);
      await page.mouse.up();
    };
    const clickCard = async (id: string, by: number) => {
      const place = await card(id).boundingBox();
      if (place === null) throw new Error(`${id} is not drawn`);
      await clickAt(place.x + place.width / 2, place.y + place.height / 2, by);
    };
    const canvas = await page.locator(".react-flow__pane").boundingBox();
    if (canvas === null) throw new Error("there is no canvas");
    for (const by of [0, 1, 3]) {
      await clickCard("b", by);
      await expect.poll(selected, { message: `moved by ${by} px` }).toEqual(["b"]);
      await page.getByRole("complementary", { name: "Settings of b" }).waitFor();
      await settled();
      await page.keyboard.down("Shift");
      await clickCard("c", by);
      await page.keyboard.up("Shift");
      await expect.poll(selected, { message: `with Shift, moved by ${by} px` }).toEqual(["b", "c"]);
      await settled();
      await clickAt(canvas.x + 400, canvas.y + canvas.height - 60, by);
      await expect.poll(selected, { message: `beside all, moved by ${by} px` }).toEqual([]);
      await settled();
    }
    // Where no card is, Shift draws a frame around what is to be selected, and nothing moves under it.
    const [first, last] = [await card("a").boundingBox(), await card("b").boundingBox()];
    if (first === null || last === null) throw new Error("nothing is drawn");
    await page.keyboard.down("Shift");
    await page.mouse.move(first.x - 12, first.y - 30);
    await page.mouse.down();
    await page.mouse.move(last.x + last.width / 2, last.y + last.height + 12, { steps: 6 });
    await page.mouse.up();
    await page.keyboard.up("Shift");
    await expect.poll(selected).toEqual(["a", "b"]);
    expect(await card("a").boundingBox()).toEqual(first);
    const several = page.getByRole("complementary", { name: "2 states are selected" });
    await several.getByRole("button", { name: "b" }).click();
    await expect.poll(selected).toEqual(["b"]);
    // The graph of the workflow's page is only read; it is the ground that takes its presses.
    await page.goto(`${oven.url}/agent-workflows/${id}/show`);
    await page.locator('section.oven-graph[data-ready="true"]').waitFor();
    await page.evaluate(QUIET);
    await clickCard("b", 3);
    await page.getByRole("heading", { name: "b", exact: true }).waitFor();
  });

  it("copies states into another workflow, renames what is there already, and takes text", async () => {
    const from = await create("agent-workflows", "Copied from", {
      initial: "ask",
      states: {
        ask: { label: "Ask", invoke: { src: "core.log", input: { message: "one" }, onDone: "tell" } },
        tell: { invoke: { src: "core.log", input: { message: "{{ $.ask_output }}" }, onDone: "done" } },
        done: { type: "final" },
      },
    });
    const into = await create("agent-workflows", "Copied into", {
      initial: "ask",
      states: { ask: { always: "done" }, done: { type: "final" } },
    });
    await open("agent-workflows", from);
    await card("ask").click();
    await card("tell").click({ modifiers: ["Shift"] });
    await page.keyboard.press("Control+c");
    await page.getByText("Copied 2 states").waitFor();
    const text = await page.evaluate("navigator.clipboard.readText()");
    expect(JSON.parse(String(text))).toMatchObject({ states: { ask: { label: "Ask" }, tell: {} } });
    await open("agent-workflows", into);
    await page.locator(".react-flow__pane").click({ position: { x: 600, y: 500 } });
    await page.keyboard.press("Control+v");
    await card("ask_2").waitFor();
    await saved();
    expect(await draftOf("agent-workflows", into)).toMatchObject({
      states: {
        ask_2: { invoke: { onDone: "tell" } },
        tell: { invoke: { input: { message: "{{ $.ask_2_output }}" } } },
      },
    });
    // A bare map of states, as somebody might send it; other text is refused with the reason.
    const wait = { later: { after: { PT1H: "done" } } };
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(JSON.stringify(wait))})`);
    await page.keyboard.press("Control+v");
    await card("later").waitFor();
    await page.evaluate(`navigator.clipboard.writeText("Dear Ada")`);
    await page.keyboard.press("Control+v");
    await page.locator(".oven-notice[data-refused=true][data-shown=true]").waitFor();
  });

  it("puts states into a loop and a state out of it, names the way out by time, and makes a workflow of others", async () => {
    const id = await create("agent-workflows", "Contained", {
      initial: "a",
      payloadSchema: { type: "object", properties: { text: { type: "string" } } },
      states: {
        a: { invoke: { src: "core.log", input: { message: "{{ $.trigger.text }}" }, onDone: "b" } },
        b: { invoke: { src: "core.log", input: { message: "{{ $.a_output }}" }, onDone: "c" } },
        c: { invoke: { src: "core.log", input: { message: "end" }, onDone: "done" } },
        done: { type: "final" },
      },
    });
    await open("agent-workflows", id);
    await card("b").click({ button: "right" });
    await page.getByRole("menuitem", { name: "Put into a loop" }).click();
    await card("loop").waitFor();
    await settled();
    await saved();
    expect(await draftOf("agent-workflows", id)).toMatchObject({
      states: { a: { invoke: { onDone: "loop" } }, loop: { loop: { bodyInitial: "b", onDone: "c" } } },
    });
    // Dragged out of the box, it stands at the top.
    const box = await card("b").boundingBox();
    await card("b").hover();
    await page.mouse.down();
    await page.mouse.move((box?.x ?? 0) + 80, (box?.y ?? 0) + 260, { steps: 8 });
    await page.mouse.up();
    await expect.poll(() => page.locator(".oven-notice").textContent()).toBe("");
    await expect.poll(async () => (await draftOf("agent-workflows", id))?.states.b).toBeDefined();
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    await card("loop").waitFor({ state: "detached" });
    await settled();
    await card("a").click({ button: "right" });
    await page.getByRole("menuitem", { name: "Add a timer" }).click();
    await page.getByRole("dialog").getByLabel("After").fill("PT15M");
    await page.keyboard.press("Enter");
    await page.getByText("after PT15M").first().waitFor();
    await page.keyboard.press("Control+z");
    await settled();
    await card("b").click();
    await card("c").click({ modifiers: ["Shift"] });
    await page.locator(".react-flow__node.selected").nth(1).waitFor();
    await page.keyboard.press("Alt+x");
    await page.getByLabel("Name of the new workflow").fill("Tell twice");
    await page.keyboard.press("Enter");
    await card("tell-twice").waitFor();
    await saved();
    expect(await draftOf("agent-workflows", id)).toMatchObject({
      states: {
        a: { invoke: { onDone: "tell-twice" } },
        "tell-twice": { invoke: { src: "core.callWorkflow", input: { workflow: "tell-twice" }, onDone: "done" } },
      },
    });
    const { body } = await oven.call("GET", "agent-workflows/tell-twice");
    expect(body.definition).toMatchObject({ initial: "b", states: { b: {}, c: { invoke: { onDone: "to_done" } } } });
    await page.getByText("valid", { exact: true }).waitFor();
  });

  it("offers the same nodes in both editors, and each agent node can be dragged onto the canvas [004-022] [004-192] [004-193]", async () => {
    const palette = page.getByRole("complementary", { name: "Palette" });
    const entries = (): Promise<string[]> =>
      palette.locator("details", { hasText: "Agent" }).first().locator("button").allTextContents();
    await open("workflows", await create("workflows", "Regular palette"));
    const regular = await entries();
    await open("agent-workflows", await create("agent-workflows", "Agent palette"));
    const agent = await entries();
    expect(agent).toEqual(regular);
    const wanted = [
      "Model",
      "Tool executor",
      "Tool loop",
      "Recall",
      "Remember",
      "Human review",
      "Subagent",
      "Prompt",
      "Search knowledge",
      "Image",
      "Embed",
    ];
    expect(agent).toEqual(expect.arrayContaining(wanted));
    for (const [index, name] of wanted.entries()) {
      await palette.getByRole("button", { name, exact: true }).dragTo(page.locator(".react-flow__pane"), {
        targetPosition: { x: 60 + (index % 4) * 190, y: 60 + Math.floor(index / 4) * 130 },
      });
      await expect.poll(() => page.locator(".react-flow__node-state").count()).toBe(index + 1);
    }
    await saved();
  });

  it("opens what was imported as it was drawn, and changes nothing by looking [004-285]", async () => {
    const imported = await oven.call("POST", "agent-workflows/import", {
      name: "Drawn elsewhere",
      definition: {
        initial: "one",
        states: { one: { always: "two" }, two: { type: "final" } },
        _meta: { positions: { one: { x: 40, y: 60 }, two: { x: 740, y: 360 } } },
      },
    });
    expect(imported.status).toBe(201);
    await open("agent-workflows", imported.body.id);
    const places = await page.evaluate(
      `[...document.querySelectorAll(".react-flow__node")].map((node) => [node.dataset.id, node.style.transform])`,
    );
    expect(Object.fromEntries(places as [string, string][])).toMatchObject({
      one: "translate(40px, 60px)",
      two: "translate(740px, 360px)",
    });
    for (const slug of ["support-reply", "refund", "order-triage", String(imported.body.id)]) {
      await open("agent-workflows", slug);
      await page
        .getByText(/^(valid|\d warnings?)$/)
        .first()
        .waitFor();
      await page.keyboard.press("1");
      await page.locator(".react-flow__node").nth(1).click();
      await page.getByText("Published", { exact: true }).waitFor();
      expect((await oven.call("GET", `agent-workflows/${slug}/draft`)).status).toBe(404);
    }
  });

  it("folds containers, turns the graph, replaces a text everywhere in one step, and draws what the workflow handles itself", async () => {
    const id = await create("agent-workflows", "Looked at", {
      initial: "group",
      on: { stop: "done" },
      states: {
        group: {
          label: "Two steps",
          initial: "draft",
          states: {
            draft: { invoke: { src: "core.log", input: { message: "one draft" }, onDone: "check" } },
            check: { invoke: { src: "core.log", input: { message: "{{ $.draft_output }}" }, onDone: "done" } },
          },
        },
        done: { type: "final" },
      },
    });
    await open("agent-workflows", id);
    await card("(workflow)").getByText("stop", { exact: true }).waitFor();
    await page.locator('.react-flow__edge[data-id^="(workflow)→"]').waitFor({ state: "attached" });
    await page.getByRole("button", { name: "Collapse Two steps" }).click();
    await card("group").getByText("2 states inside").waitFor();
    await card("draft").waitFor({ state: "detached" });
    await page.locator('.react-flow__edge[data-id="check→invoke.onDone.0→done"]').waitFor({ state: "attached" });
    await expect.poll(() => card("group").getAttribute("aria-label")).toContain("2 states inside");
    await saved();
    expect((await draftOf("agent-workflows", id)).meta).toEqual({ collapsed: ["group"] });
    // Who only looks at it sees it folded, too, and can open it there.
    await page.getByRole("button", { name: "Versions" }).click();
    await page.getByRole("button", { name: "Preview version 1" }).click();
    const preview = page.getByRole("region", { name: "Preview of version 1", exact: true });
    await preview.getByRole("button", { name: "Collapse Two steps" }).click();
    await preview.locator('.react-flow__node[data-id="group"]').getByText("2 states inside").waitFor();
    await preview.locator('.react-flow__node[data-id="draft"]').waitFor({ state: "detached" });
    await preview.getByRole("button", { name: "Expand Two steps" }).click();
    await preview.locator('.react-flow__node[data-id="draft"]').waitFor();
    await page.keyboard.press("Escape");
    await preview.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Versions" }).click();
    // What is hidden is found, and shown.
    await page.keyboard.press("Control+f");
    const search = page.getByRole("dialog", { name: "Find and replace" });
    await search.getByRole("combobox", { name: "Find" }).fill("check");
    await page.keyboard.press("Enter");
    await page.locator('.react-flow__node[data-id="check"]:focus').waitFor();
    await page.keyboard.press("Control+f");
    await search.getByRole("combobox", { name: "Find" }).fill("draft");
    await search.getByLabel("Replace by").fill("sketch");
    await search.locator("ins").first().waitFor();
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await search.getByRole("button", { name: "Replace in 2" }).click();
    await card("sketch").waitFor();
    await saved();
    expect(await draftOf("agent-workflows", id)).toMatchObject({
      states: {
        group: {
          initial: "sketch",
          states: {
            sketch: { invoke: { input: { message: "one sketch" } } },
            check: { invoke: { input: { message: "{{ $.sketch_output }}" } } },
          },
        },
      },
    });
    await page.keyboard.press("Control+z");
    await card("draft").waitFor();
    // Top to bottom: what follows stands below.
    await page.keyboard.press("Shift+D");
    await page.locator("section.oven-canvas[data-ready=true]").waitFor();
    await settled();
    const [first, second] = [await card("draft").boundingBox(), await card("check").boundingBox()];
    expect(second?.y ?? 0).toBeGreaterThan((first?.y ?? 0) + (first?.height ?? 0));
    await card("draft").click();
    await page.keyboard.press("ArrowDown");
    await page.locator('.react-flow__node[data-id="check"].selected').waitFor();
    // From afar names only.
    for (let step = 0; step < 6; step += 1) await page.keyboard.press("-");
    await page.locator("section.oven-canvas[data-zoom=far]").waitFor();
    await expect.poll(() => card("check").locator(".oven-card__summary").isVisible()).toBe(false);
    await expect.poll(() => card("check").locator(".oven-card__label").isVisible()).toBe(true);
  });

  it("goes where the keys lead and zooms there, also while the view is on its way", async () => {
    const id = await create("workflows", "Far apart", {
      initial: "near",
      states: { near: { label: "Near", always: "far" }, far: { label: "Far away", type: "final" } },
      meta: { positions: { near: { x: 0, y: 0 }, far: { x: 9_000, y: 4_000 } } },
    });
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await open("workflows", id);
    await expect
      .poll(() => page.locator('.react-flow__edge[data-id^="near→"]').getAttribute("aria-label"))
      .toBe("Line from Near to Far away");
    await card("near").focus();
    await page.keyboard.press("Enter");
    // In one go: the keys arrive before the view can.
    await page.evaluate(`for (const key of ["ArrowRight", "+", "+"])
      document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }))`);
    await page.locator('.react-flow__node[data-id="far"].selected').waitFor();
    const middle = async (): Promise<number> => {
      const box = await card("far").boundingBox();
      const pane = await page.locator("section.oven-canvas").boundingBox();
      if (box === null || pane === null) return Number.NaN;
      return Math.hypot(
        box.x + box.width / 2 - pane.x - pane.width / 2,
        box.y + box.height / 2 - pane.y - pane.height / 2,
      );
    };
    await expect.poll(middle).toBeLessThan(40);
    const zoom = (): Promise<unknown> =>
      page.evaluate("new DOMMatrix(document.querySelector('.react-flow__viewport').style.transform).a");
    await expect.poll(zoom).toBeGreaterThan(0.8);
    await page.emulateMedia({ reducedMotion: "reduce" });
  });

  it("goes where the overview is pressed, shows the beginning at one key, snaps to neighbours, and moves to a new layout", async () => {
    const names = Array.from({ length: 10 }, (_, index) => `s${index}`);
    const id = await create("workflows", "Wide", {
      initial: "s0",
      states: Object.fromEntries(
        names.map((name, index) => [name, index === 9 ? { type: "final" } : { always: `s${index + 1}` }]),
      ),
      meta: { positions: Object.fromEntries(names.map((name, index) => [name, { x: index * 420, y: index * 180 }])) },
    });
    await open("workflows", id);
    const canvas = page.getByRole("region", { name: "Graph of Wide" });
    const inView = async (name: string): Promise<boolean> => {
      const [box, pane] = [await card(name).boundingBox(), await canvas.boundingBox()];
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
    await expect.poll(async () => (await inView("s0")) && (await inView("s9"))).toBe(false);
    // The upper left corner of the overview is the first state, the lower right one the last.
    const overview = await page.getByRole("img", { name: "Overview" }).boundingBox();
    if (overview === null) throw new Error("there is no overview");
    await page.mouse.click(overview.x + overview.width - 14, overview.y + overview.height - 22);
    await expect.poll(() => inView("s9")).toBe(true);
    expect(await inView("s0")).toBe(false);
    await page.mouse.click(overview.x + 14, overview.y + 22);
    await expect.poll(() => inView("s0")).toBe(true);
    expect(await inView("s9")).toBe(false);
    // The whole would be too small to be read: the beginning is shown, and the rest can be panned to.
    await page.keyboard.press("1");
    await expect.poll(async () => (await inView("s0")) && (await inView("s1"))).toBe(true);
    expect(await inView("s9")).toBe(false);

    // Not exactly below the first one: it is put there.
    await settled();
    const [above, moved] = [await card("s0").boundingBox(), await card("s1").boundingBox()];
    if (above === null || moved === null) throw new Error("the states are not in view");
    const from = { x: moved.x + moved.width / 2, y: moved.y + moved.height / 2 };
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    // A press becomes a drag after a few pixels, which the card may stay behind.
    await page.mouse.move(from.x - 8, from.y + 60);
    await page.mouse.move(from.x - 10, from.y + 60);
    await expect.poll(async () => (await card("s1").boundingBox())?.x).toBeLessThan(moved.x);
    const left = (await card("s1").boundingBox())?.x ?? 0;
    await page.mouse.move(from.x - 10 + above.x + 2 - left, from.y + 60);
    await page.locator(".oven-helper-lines").waitFor();
    await page.mouse.up();
    await saved();
    const { positions } = (await draftOf("workflows", id)).meta;
    expect(positions.s1.x).toBe(positions.s0.x);

    await page.emulateMedia({ reducedMotion: "no-preference" });
    await page.evaluate(`globalThis.wentTo = new Set(); addEventListener("transitionrun", ({ target, propertyName }) => {
      if (propertyName === "transform" && target.matches(".react-flow__node")) wentTo.add(target.dataset.id);
    })`);
    await page.keyboard.press("Shift+L");
    await expect.poll(() => page.evaluate("wentTo.size")).toBeGreaterThan(5);
    await settled();
    await page.emulateMedia({ reducedMotion: "reduce" });
  });

  it("says how far a long layout is, which can be stopped and leaves everything where it stands roughly", async () => {
    const count = 240;
    const states = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `s${index}`,
        index === count - 1 ? { type: "final" } : { always: `s${index + 1}` },
      ]),
    );
    const id = await create("workflows", "Long", { initial: "s0", states });
    const window = await page.context().newPage();
    // The layout engine hears of nothing: it is slow for as long as it is looked at.
    await window.addInitScript(`globalThis.Worker = class extends Worker { postMessage() {} }`);
    await window.goto(`${oven.url}/workflows/${id}/editor`);
    await window.getByRole("progressbar", { name: "Laying out" }).waitFor();
    await window.getByText("Laying out… 0 %").waitFor();
    await window.getByRole("region", { name: "Graph of Long" }).getByRole("button", { name: "Stop" }).click();
    await window.getByRole("progressbar", { name: "Laying out" }).waitFor({ state: "detached" });
    await editor.settled(window);
    await window.locator('.react-flow__node[data-id="s0"]').waitFor();
    await window.getByText("Published", { exact: true }).waitFor();
    await window.close();
  });

  it("notes, frames, a replaced node and a new layout are gestures like any other", async () => {
    const id = await create("agent-workflows", "Annotated", {
      initial: "a",
      states: { a: { invoke: { src: "core.log", input: { message: "x" }, onDone: "done" } }, done: { type: "final" } },
    });
    await open("agent-workflows", id);
    await page.locator(".react-flow__pane").click({ position: { x: 400, y: 60 } });
    await page.keyboard.press("Shift+S");
    await page.getByLabel("Text of the note").fill("Remember the milk");
    await page.keyboard.press("Escape");
    await card("a").click();
    await page.keyboard.press("Control+g");
    await page.getByLabel("Name of the frame").fill("Shopping");
    await page.keyboard.press("Enter");
    await card("a").click();
    await page.keyboard.press("r");
    await page.getByRole("dialog").getByRole("combobox").fill("core.delay");
    await page.keyboard.press("Enter");
    await card("a").getByText("Delay").first().waitFor();
    await page.keyboard.press("Control+s");
    await saved();
    expect(await draftOf("agent-workflows", id)).toMatchObject({
      states: { a: { invoke: { src: "core.delay", onDone: "done" } } },
      meta: { notes: [{ text: "Remember the milk" }], frames: [{ title: "Shopping", members: ["a"] }] },
    });
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.keyboard.press("Shift+L");
    await settled();
  });

  it("hands the graph out as JSON, picture and Mermaid", async () => {
    await open("agent-workflows", "order-triage");
    for (const [entry, ending, beginning] of [
      ["JSON file", ".json", "{"],
      ["Picture (SVG)", ".svg", "<svg"],
      ["Picture (PNG)", ".png", "\u0089PNG"],
      ["Mermaid", ".mmd", "stateDiagram"],
    ] as const) {
      await page.getByRole("button", { name: "Export" }).click();
      const waiting = page.waitForEvent("download");
      await page.getByRole("menuitem", { name: entry }).click();
      const file = await waiting;
      expect(file.suggestedFilename()).toBe(`order-triage${ending}`);
      const content = readFileSync(await file.path(), "latin1");
      expect(content.trimStart().slice(0, 40)).toContain(beginning);
      if (ending !== ".json") continue;
      // The definition itself: imported again, it is what it was.
      const { body } = await oven.call("GET", "agent-workflows/order-triage");
      expect(JSON.parse(readFileSync(await file.path(), "utf8"))).toEqual(body.definition);
      const again = { name: "Triage again", definition: body.definition };
      const imported = await oven.call("POST", "agent-workflows/import", again);
      expect(imported.status).toBe(201);
      expect((await oven.call("GET", `agent-workflows/${imported.body.id}`)).body.definition).toEqual(body.definition);
    }
  });

  it("refuses a line that cannot be, where it is drawn, and says why", async () => {
    const id = await create("agent-workflows", "Refused", {
      initial: "both",
      states: {
        both: {
          type: "parallel",
          states: {
            left: { initial: "l1", states: { l1: { always: "l2" }, l2: { type: "final" } } },
            right: { initial: "r1", states: { r1: { always: "r2" }, r2: { type: "final" } } },
          },
          onDone: "done",
        },
        done: { type: "final" },
      },
    });
    await open("agent-workflows", id);
    await card("l1").locator(".react-flow__handle.source").first().dragTo(card("r1"));
    await page.getByText("r1 is in another region of both").first().waitFor();
    await page.getByText("Published", { exact: true }).waitFor();
  });

  it("keeps the work of two people apart until one of them chooses", async () => {
    const id = await create("agent-workflows", "Shared", {
      initial: "a",
      states: { a: { always: "done" }, done: { type: "final" } },
    });
    await open("agent-workflows", id);
    await oven.call("PUT", `agent-workflows/${id}/draft`, {
      definition: { initial: "theirs", states: { theirs: { type: "final" } } },
      revision: 0,
      baseVersion: 1,
    });
    await card("a").click();
    await page.keyboard.press("d");
    await page.getByText(/Somebody else changed this draft/).waitFor();
    await page.getByRole("button", { name: "Take theirs" }).click();
    await card("theirs").waitFor();
    await saved();
  });

  it("brings back what a lost connection and a closed window left in the browser", async () => {
    const id = await create("agent-workflows", "Kept", {
      initial: "a",
      states: { a: { always: "done" }, done: { type: "final" } },
    });
    await open("agent-workflows", id);
    await page.route("**/draft", (route) => (route.request().method() === "PUT" ? route.abort() : route.continue()));
    await card("a").click();
    await page.keyboard.press("Control+d");
    await card("a_2").waitFor();
    await page.getByText("Offline · kept in this browser").waitFor();
    await page.unroute("**/draft");
    await open("agent-workflows", id);
    await page.getByText(/are back/).waitFor();
    await card("a_2").waitFor();
    await saved();
    expect(Object.keys((await draftOf("agent-workflows", id)).states)).toContain("a_2");
    // They were saved already: the server has to lose them, too.
    await page.getByRole("button", { name: "Discard them" }).click();
    await card("a_2").waitFor({ state: "detached" });
    await saved();
    expect(Object.keys((await draftOf("agent-workflows", id)).states)).toEqual(["a", "done"]);
  });

  it("is unsaved from the moment a change is drawn, and not once it is undone", async () => {
    const id = await create("agent-workflows", "Drawn", {
      initial: "a",
      states: {
        a: { always: "b" },
        b: { invoke: { src: "core.log", input: { message: "b" }, onDone: "done" } },
        done: { type: "final" },
      },
    });
    const keeps = (text: string) =>
      page.evaluate(`Object.values(localStorage).some((text) => text.includes(${JSON.stringify(text)}))`);
    await open("agent-workflows", id);
    // Undone before it was sent: nothing of it stays in this browser, and nothing is left to save.
    await card("a").click();
    await page.keyboard.press("Control+d");
    await expect.poll(() => keeps('"a_2"')).toBe(true);
    await page.keyboard.press("Control+z");
    await page.getByText("Published", { exact: true }).waitFor();
    await expect.poll(() => keeps('"a_2"')).toBe(false);
    await open("agent-workflows", id);
    await page.getByText("Published", { exact: true }).waitFor();
    expect(await page.getByText(/are back/).count()).toBe(0);
    // A change that comes with an answer of the server, where no key or click makes the browser draw at once.
    await page.evaluate(`{
      window.drawn = "";
      new MutationObserver(() => {
        if (drawn === "" && document.querySelector('.react-flow__node[data-id="set-apart"]'))
          drawn = document.querySelector("header").innerText;
      }).observe(document.querySelector(".react-flow__nodes"), { childList: true });
    }`);
    await card("b").click();
    await page.keyboard.press("Alt+x");
    await page.getByLabel("Name of the new workflow").fill("Set apart");
    await page.keyboard.press("Enter");
    await card("set-apart").waitFor();
    expect(await page.evaluate("drawn")).toContain("Unsaved");
    await saved();
  });

  it("loses nothing that was typed to a window that dies or is left: it is unsaved from the first key", async () => {
    const definition = { initial: "a", states: { a: { label: "A", always: "done" }, done: { type: "final" } } };
    const id = await create("agent-workflows", "Typed", definition);
    const window = await page.context().newPage();
    await editor.open("agent-workflows", id, window);
    await window.route("**/draft", (route) => (route.request().method() === "PUT" ? route.abort() : route.continue()));
    await window.locator('.react-flow__node[data-id="a"]').click();
    await window.getByText("valid", { exact: true }).waitFor();
    await window.getByLabel("Label", { exact: true }).focus();
    // What is there at the end of the same moment, before any timer; then the window goes.
    const seen = await window.evaluate(`new Promise((done) => {
      const field = document.activeElement;
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, "Typed");
      field.dispatchEvent(new Event("input", { bubbles: true }));
      queueMicrotask(() => {
        const header = document.querySelector("header").innerText;
        const card = document.querySelector('.react-flow__node[data-id="a"] .oven-card__label').innerText;
        const kept = () => Object.values(localStorage).some((text) => text.includes('"label":"Typed"'));
        const before = kept();
        dispatchEvent(new Event("pagehide"));
        done({ header, card, field: field.value, before, after: kept() });
      });
    })`);
    expect(seen).toEqual({
      header: expect.stringMatching(/Unsaved[\s\S]*checking/),
      card: "A",
      field: "Typed",
      before: false,
      after: true,
    });
    // Without a closing message: the process of the page is gone.
    await window.getByLabel("Label", { exact: true }).fill("Typed twice");
    await expect
      .poll(() => window.evaluate(`Object.values(localStorage).some((text) => text.includes("Typed twice"))`))
      .toBe(true);
    const session = await window.context().newCDPSession(window);
    const crashed = window.waitForEvent("crash");
    session.send("Page.crash").catch(() => "nobody is there to answer");
    await crashed;
    await open("agent-workflows", id);
    await page.getByText(/are back/).waitFor();
    await card("a").getByText("Typed twice").waitFor();
    await saved();
    // Left at once after a key: the server has it all the same.
    await card("a").click();
    await page.getByLabel("Label", { exact: true }).fill("Typed and left");
    await page.getByRole("link", { name: "Back to the workflow" }).click();
    await expect.poll(async () => (await draftOf("agent-workflows", id)).states.a.label).toBe("Typed and left");
  });

  it("shows the demo workflows in light and dark and on a phone, without an issue a screen reader would meet", async () => {
    await open("agent-workflows", "support-reply");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    const cookies = await page.context().cookies();
    for (const options of [
      { width: 1440, height: 900, dark: true },
      { width: 390, height: 844, dark: false },
    ]) {
      const other = await editor.chromium.newPage(options);
      await other.page.context().addCookies(cookies);
      await other.page.goto(`${oven.url}/agent-workflows/refund/editor`);
      await other.page.locator("section.oven-canvas[data-ready=true]").waitFor();
      await other.page.locator(".react-flow__node").nth(2).click();
      await expect.poll(() => seriousIssues(other.page)).toEqual([]);
      if (options.dark)
        for (const section of ["Run", "Conversation", "Past runs", "Versions"]) {
          await other.page.getByRole("button", { name: section, exact: true }).last().click();
          await other.page.getByRole("region", { name: section, exact: true }).waitFor();
          await expect.poll(() => seriousIssues(other.page), { message: section }).toEqual([]);
        }
      expect(await overflow(other.page)).toBe(0);
      await other.page.context().close();
    }
  });

  it("left no error in the browser's console but answers that say there is no draft, or another", () => {
    expect(editor.faults(/status of (401|404|409)|ERR_FAILED/)).toEqual([]);
  });
});
