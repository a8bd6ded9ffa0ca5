import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shoot } from "./browser.ts";
import { EditorPage, saying } from "./editor-page.ts";
import type { OvenProcess } from "./oven-process.ts";
import { overflow, resize, seriousIssues } from "./page-checks.ts";

const CHAIN = {
  initial: "greet",
  payloadSchema: {
    type: "object",
    properties: { who: { type: "string", title: "Who" } },
    required: ["who"],
  },
  states: {
    greet: saying("Hello {{ $.who }}", "repeat"),
    repeat: saying("{{ $.greet_output.said }}!", "wish"),
    wish: saying("{{ $.repeat_output.said }} Bye", "done"),
    done: { type: "final" },
  },
};

describe("runs in the editor", () => {
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

  const create = (name: string, definition: object) => editor.create("workflows", name, definition);
  const open = (id: number) => editor.open("workflows", id);
  const card = (id: string) => editor.card(id);
  const badge = (id: string) => editor.badge(id);
  const runs = async () => (await oven.call("GET", 'workflow-executions?sort=["id","DESC"]')).body;

  it("runs the draft from the editor, with its path on the canvas and the camera standing still", async () => {
    const id = await create("Greeting", CHAIN);
    await open(id);
    // Changed, so that what runs is a draft and not the version.
    await card("wish").click();
    await page.getByRole("button", { name: "Add a description" }).click();
    await page.getByLabel("Description").fill("The last word");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    const form = page.getByRole("form", { name: "Input of the run" });
    await form.getByLabel("Who").fill("Ada");
    const camera = () => page.locator(".react-flow__viewport").getAttribute("style");
    await page.getByText("valid", { exact: true }).waitFor();
    const before = await camera();
    await form.getByRole("button", { name: "Run the draft" }).click();
    await page
      .getByRole("region", { name: /^Run \d+/ })
      .getByText("completed")
      .first()
      .waitFor();
    await badge("wish").waitFor();
    await page.locator(".oven-edge[data-path=taken]").nth(3).waitFor({ state: "attached" });
    expect(await camera()).toBe(before);
    const [run] = await runs();
    expect(run).toMatchObject({ status: "completed", triggerEvent: "test", workflowId: id });
    expect(run.workflowVersion).toBeLessThan(0);
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    // An input is kept under a name, and found again.
    await page.getByRole("button", { name: "Keep this input" }).click();
    await page.getByLabel("Name of the input").fill("For Ada");
    await page.getByRole("button", { name: "Keep", exact: true }).click();
    await form.getByLabel("Who").fill("Bob");
    await page.getByRole("button", { name: "For Ada" }).click();
    await expect.poll(() => form.getByLabel("Who").inputValue()).toBe("Ada");
    // By everybody who edits the workflow, in whatever browser.
    await expect
      .poll(async () => (await oven.call("GET", `workflows/${id}/test-data`)).body.inputs)
      .toEqual({ "For Ada": { who: "Ada" } });
    const second = await editor.chromium.newPage({ width: 1440, height: 900 });
    await second.page.context().addCookies(await page.context().cookies());
    await editor.open("workflows", id, second.page);
    await second.page.getByRole("button", { name: "Run", exact: true }).click();
    await second.page.getByRole("button", { name: "For Ada" }).click();
    const elsewhere = second.page.getByRole("form", { name: "Input of the run" }).getByLabel("Who");
    await expect.poll(() => elsewhere.inputValue()).toBe("Ada");
    await elsewhere.fill("Bob");
    await second.page.getByRole("button", { name: "Keep this input" }).click();
    await second.page.getByLabel("Name of the input").fill("For Bob");
    await second.page.getByRole("button", { name: "Keep", exact: true }).click();
    await second.page.getByRole("button", { name: "For Bob" }).waitFor();
    await second.page.context().close();
    const kept = { pins: { greet: { output: {}, basis: "older" } } };
    await oven.call("PATCH", `workflows/${id}/test-data`, kept);
    await open(id);
    await card("greet").getByText("pinned · stale").waitFor();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("button", { name: "For Bob" }).click();
    await oven.call("PATCH", `workflows/${id}/test-data`, { pins: { greet: null } });
    await open(id);
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("button", { name: "For Ada" }).click();
    await page.getByRole("form", { name: "Input of the run" }).getByRole("button", { name: "Run the draft" }).click();
    await badge("wish").waitFor();
    await page
      .getByRole("region", { name: /^Run \d+/ })
      .getByText("completed")
      .first()
      .waitFor();
  });

  it("runs until a state and from one, by keyboard, with outputs that are pinned", async () => {
    await card("repeat").click();
    await page.keyboard.press("u");
    await badge("wish").waitFor({ state: "detached" });
    await badge("repeat").waitFor();
    await page.getByText("partial").first().waitFor();
    expect((await runs())[0]).toMatchObject({ outcome: "partial", options: { until: "repeat" } });
    // What it put out stands in for the call from now on.
    await card("repeat").click();
    await page.keyboard.press("p");
    await card("repeat").getByText("pinned", { exact: true }).waitFor();
    await page.keyboard.press("Shift+P");
    const dialog = page.getByRole("dialog", { name: "Pinned output of repeat" });
    expect(JSON.parse(await dialog.getByLabel("Output as JSON").inputValue())).toEqual({ said: "Hello Ada!" });
    await dialog.getByLabel("Output as JSON").fill('{ "said": "Pinned!" }');
    await dialog.getByRole("button", { name: "Pin", exact: true }).click();
    await card("wish").click();
    await page.keyboard.press("Control+Enter");
    await badge("wish").waitFor();
    const [whole] = await runs();
    const { body } = await oven.call("GET", `workflow-executions/${whole.id}`);
    expect(body.options.pins).toEqual({ repeat: { said: "Pinned!" } });
    expect(body.nodes.at(-1)).toMatchObject({ nodeId: "wish", output: { said: "Pinned! Bye" } });
    // A change before it makes the pin, and what the canvas shows, stale.
    await card("greet").click();
    await page.getByRole("tab", { name: "JSON" }).click();
    const json = page.getByRole("textbox", { name: "JSON of greet" });
    await json.fill((await json.inputValue()).replace("Hello", "Good day"));
    await card("repeat").getByText("pinned · stale").waitFor();
    await badge("wish").getByText("stale").waitFor();
    await page.getByText("valid", { exact: true }).waitFor();
    await card("wish").click();
    await page.keyboard.press("Shift+U");
    await badge("greet").waitFor({ state: "detached" });
    await badge("wish").waitFor();
    expect((await runs())[0]).toMatchObject({ options: { from: "wish" } });
    await page.getByRole("button", { name: "Test" }).click();
    await page.getByRole("menuitem", { name: "Unpin repeat" }).click();
    await card("repeat").getByText("pinned").waitFor({ state: "detached" });
  });

  it("shows a run while it goes on, and stops it", async () => {
    const id = await create("Waiting", {
      initial: "first",
      states: { first: saying("on", "wait"), wait: { after: { "3600000": "done" } }, done: { type: "final" } },
    });
    await open(id);
    await page.getByRole("button", { name: "Test" }).click();
    await page.getByRole("menuitem", { name: "Run the draft" }).click();
    await badge("first").waitFor();
    // Where no node works, it says what the run waits for there.
    await badge("wait")
      .getByText(/^waits until/)
      .waitFor();
    await page.locator(".oven-edge[data-path=live]").first().waitFor({ state: "attached" });
    expect((await runs())[0]).toMatchObject({ triggerEvent: "test", workflowVersion: 1 });
    await page.getByRole("form").getByRole("button", { name: "Stop" }).click();
    await page
      .getByRole("region", { name: /^Run \d+/ })
      .getByText("cancelled")
      .first()
      .waitFor();
    expect((await runs())[0]).toMatchObject({ status: "cancelled" });
  });

  it("lists versions, previews one, compares any two on the canvas and field by field, and restores one", async () => {
    const id = await create("Versioned", CHAIN);
    const { repeat: _, ...others } = CHAIN.states;
    const second = {
      ...CHAIN,
      states: {
        ...others,
        greet: saying("Hi {{ $.who }}", "thank"),
        thank: saying("Thanks", "wish"),
        wish: saying("Bye", "done"),
      },
    };
    const put = await oven.call("PUT", `workflows/${id}`, { definition: second, note: "Shorter" });
    expect(put.status, JSON.stringify(put.body)).toBe(200);
    await open(id);
    await page.getByRole("button", { name: "Versions" }).click();
    const list = page.getByRole("list", { name: "Versions" });
    await list.getByText("Shorter").waitFor();
    await list.getByText("live", { exact: true }).waitFor();
    await card("thank").click();
    await page.getByRole("button", { name: "Preview version 1" }).click();
    const preview = page.getByRole("region", { name: "Preview of version 1", exact: true });
    await preview.locator('.react-flow__node[data-id="repeat"]').waitFor();
    // What is behind it cannot be changed meanwhile.
    await page.keyboard.press("Delete");
    await page.keyboard.press("Escape");
    await preview.waitFor({ state: "detached" });
    await card("thank").waitFor();
    await page.getByRole("button", { name: "Compare with the draft: version 1" }).click();
    const diff = page.getByRole("region", { name: "From version 1 to the draft", exact: true });
    const mark = (state: string) => diff.locator(`.react-flow__node[data-id="${state}"] .oven-card__mark`);
    await mark("thank").waitFor();
    await expect.poll(() => mark("thank").textContent()).toContain("added");
    await expect.poll(() => mark("repeat").textContent()).toContain("removed");
    await expect.poll(() => mark("greet").textContent()).toContain("changed");
    const fields = diff.getByRole("list", { name: "Changes of greet" });
    // Word by word: what both texts have stands there once.
    await fields.locator("del", { hasText: /^Hello$/ }).waitFor();
    await fields.locator("ins", { hasText: /^Hi$/ }).waitFor();
    await fields.getByText("{{ $.who }}").waitFor();
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.getByRole("button", { name: "Back to the draft" }).click();
    await page.getByRole("button", { name: "Restore version 1 into the draft" }).click();
    await card("repeat").waitFor();
    await page.getByText(/Draft · saved/).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await card("thank").waitFor();
    await page.getByRole("button", { name: "Make live: version 1" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Make live" }).click();
    await page.getByText("v3 live").waitFor();
    await list.getByText("Version 3").waitFor();
  });

  it("says what a version may do and lacks, and with what one would publish it", async () => {
    const scopes = ["workflows.create", "workflows.read"];
    const { body: key } = await oven.call("POST", "api-keys", { name: "Narrow", permissions: scopes });
    const reading = {
      initial: "read",
      states: { read: { invoke: { src: "system.events.list", onDone: "done" } }, done: { type: "final" } },
    };
    const made = await oven.call("POST", "workflows", { name: "Reads events", definition: reading }, { key: key.key });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    await open(made.body.id);
    await page.getByRole("button", { name: "Versions" }).click();
    await page.getByRole("button", { name: "Permissions of version 1" }).click();
    const dialog = page.getByRole("dialog", { name: "Permissions of version 1" });
    await dialog.getByText("events.read: not granted. Steps that are refused: read.").waitFor();
    await dialog.getByText("Roles that can publish it with this permission: Owner, Admin.").waitFor();
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    const publish = page.getByRole("dialog", { name: "Publish Reads events" });
    await publish.getByRole("list", { name: "Permissions of its steps" }).getByText("events.read").waitFor();
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await publish.getByRole("button", { name: "Close" }).click();
  });

  it("shows a past run move by move, loads it, and goes on with a failed one once the graph is mended", async () => {
    const broken = {
      initial: "first",
      states: {
        first: saying("{{ $.who }}", "second"),
        second: saying("{{ $.nowhere }}", "done"),
        done: { type: "final" },
      },
    };
    const id = await create("Broken", broken);
    const started = await oven.call("POST", `workflows/${id}/execute?wait=20`, { input: { who: "Ada" } });
    expect(started.body.status).toBe("failed");
    await open(id);
    await page.getByRole("button", { name: "Past runs" }).click();
    await page.getByRole("button", { name: `Look at run #${started.body.id}` }).click();
    const past = page.getByRole("region", { name: `Run #${started.body.id}`, exact: true });
    const shown = (state: string) => past.locator(`.react-flow__node[data-id="${state}"] .oven-card__progress`);
    await shown("second").waitFor();
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    const slider = past.getByRole("slider", { name: "Move of the run" });
    await slider.focus();
    await page.keyboard.press("Home");
    await past.getByText(/^1 of \d/).waitFor();
    await shown("second").waitFor({ state: "detached" });
    await page.keyboard.press("ArrowRight");
    await past.getByRole("list", { name: "Changes of the context" }).getByText("first_output").first().waitFor();
    // On a phone, too.
    await resize(page, 390, 844);
    expect(await overflow(page)).toBe(0);
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await resize(page, 1440, 900);
    await past.getByRole("button", { name: "Load into the editor" }).click();
    await card("first").getByText("pinned", { exact: true }).waitFor();
    // The failed run goes onto the canvas, where the graph is mended, and on with what was drawn.
    await page.getByRole("button", { name: "Test" }).click();
    await page
      .getByRole("menuitem", { name: "Unpin all 2 outputs" })
      .or(page.getByRole("menuitem", { name: "Unpin first" }))
      .click();
    await page.getByRole("button", { name: "Past runs" }).click();
    await page.getByRole("button", { name: `Look at run #${started.body.id}` }).click();
    await past.getByRole("button", { name: "Show it on the canvas" }).click();
    await badge("second").waitFor();
    const mended = page.getByRole("button", { name: "Continue with this draft…" });
    await card("second").click();
    await page.getByRole("tab", { name: "JSON" }).click();
    const json = page.getByRole("textbox", { name: "JSON of second" });
    const text = await json.inputValue();
    await json.fill(text.replace("core.transform", "core.nowhere"));
    await page.getByText("1 problem", { exact: true }).waitFor();
    await mended.click();
    const dialog = page.getByRole("dialog");
    await dialog
      .getByRole("alert")
      .getByText(/core\.nowhere/)
      .first()
      .waitFor();
    await expect.poll(() => dialog.getByRole("button", { name: "Continue" }).isDisabled()).toBe(true);
    await dialog.getByRole("button", { name: "Close" }).click();
    await json.fill(text.replace("{{ $.nowhere }}", "mended"));
    await page.getByText("valid", { exact: true }).waitFor();
    // By keyboard, too.
    await page.keyboard.press("Escape");
    await card("second").click();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("continue the failed");
    await page.keyboard.press("Enter");
    await expect.poll(() => dialog.getByRole("button", { name: "Continue" }).isEnabled()).toBe(true);
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Continue" }).click();
    await dialog.waitFor({ state: "detached" });
    await page
      .getByRole("region", { name: /^Run \d+/ })
      .getByText("completed")
      .first()
      .waitFor();
    expect((await runs())[0]).toMatchObject({ retryOf: started.body.id, workflowVersion: -2, triggerEvent: "test" });
  });

  it("joins the drafts of two people, and asks only where both changed the same", async () => {
    const id = await create("Merged", CHAIN);
    await open(id);
    const theirs = {
      ...CHAIN,
      states: { ...CHAIN.states, greet: saying("Theirs", "repeat"), wish: saying("Their wish", "done") },
    };
    await oven.call("PUT", `workflows/${id}/draft`, { definition: theirs, revision: 0, baseVersion: 1 });
    const change = async (state: string, from: string, to: string): Promise<void> => {
      await card(state).click();
      await page.getByRole("tab", { name: "JSON" }).click();
      const json = page.getByRole("textbox", { name: `JSON of ${state}` });
      await json.fill((await json.inputValue()).replace(from, to));
    };
    await change("greet", "Hello {{ $.who }}", "Mine");
    await change("repeat", "!", "?");
    await page.getByText(/Somebody else changed this draft/).waitFor();
    await page.getByRole("button", { name: "Merge…" }).click();
    const dialog = page.getByRole("dialog", { name: /Merge your changes/ });
    const asked = dialog.getByRole("radiogroup");
    await expect.poll(() => asked.count()).toBe(1);
    await expect.poll(() => asked.getAttribute("aria-label")).toContain("$.states.greet.invoke.input.mapping.said");
    await expect.poll(() => dialog.getByRole("button", { name: "1 to choose" }).isDisabled()).toBe(true);
    await dialog.getByRole("radio", { name: /Theirs/ }).click();
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Merge", exact: true }).click();
    await page.getByText(/Draft · saved/).waitFor();
    const { body } = await oven.call("GET", `workflows/${id}/draft`);
    expect(body.definition.states).toMatchObject({
      greet: saying("Theirs", "repeat"),
      repeat: saying("{{ $.greet_output.said }}?", "wish"),
      wish: saying("Their wish", "done"),
    });
    // A version that was published meanwhile is joined before publishing.
    const named = { ...CHAIN.states, done: { type: "final", label: "The end" } };
    const put = await oven.call("PUT", `workflows/${id}`, { definition: { ...CHAIN, states: named } });
    expect(put.body.version, JSON.stringify(put.body)).toBe(2);
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Merge…" }).click();
    await page.getByText("both are kept").waitFor();
    await page.getByRole("button", { name: "Merge", exact: true }).click();
    await card("done").getByText("The end").waitFor();
    await page.getByText(/Draft · saved/).waitFor();
    const merged = (await oven.call("GET", `workflows/${id}/draft`)).body;
    expect(merged.baseVersion).toBe(2);
    expect(merged.definition.states).toMatchObject({ greet: saying("Theirs", "repeat"), done: named.done });
  });

  it("offers the fields of an answer that was pinned", async () => {
    const id = await create("Look up", {
      initial: "ask",
      states: {
        ask: { invoke: { src: "core.http", input: { url: "https://api.example.com/orders" }, onDone: "use" } },
        use: saying("It is ours", "done"),
        done: { type: "final" },
      },
    });
    await open(id);
    await card("use").click();
    await page.getByRole("tab", { name: "Input" }).click();
    await page.getByText("$.ask_output.body", { exact: true }).waitFor();
    expect(await page.getByText("$.ask_output.body.order.id").count()).toBe(0);
    const output = { status: 200, headers: {}, body: { order: { id: 7 } }, encoding: "json" };
    await oven.call("PATCH", `workflows/${id}/test-data`, { pins: { ask: { output, basis: "any" } } });
    await open(id);
    await card("use").click();
    await page.getByRole("tab", { name: "Input" }).click();
    await page.getByText("$.ask_output.body.order.id").waitFor();
    await shoot(page, "editor-sample-fields");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
  });

  it("left no error in the browser's console but answers that say there is no draft, or that it is wrong", () => {
    expect(editor.faults(/status of (400|401|404|409)/)).toEqual([]);
  });
});
