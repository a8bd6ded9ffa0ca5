import type { Json, JsonObject } from "@oven/contract";
import { type ModelReply, type ModelServer, startModelServer } from "@oven/testing";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shoot } from "./browser.ts";
import { shootIn } from "./editor-looks.ts";
import { EditorPage } from "./editor-page.ts";
import { overflow, resize, seriousIssues } from "./page-checks.ts";

const call = (tool: string, args: Json): ModelReply => ({ toolCalls: [{ name: `build_${tool}`, arguments: args }] });
const write = (words: string, onDone: string): JsonObject => ({
  label: "Write a greeting",
  invoke: { src: "core.transform", input: { mapping: { text: `${words} {{ $.trigger.name }}` } }, onDone },
});
const POLISH = {
  label: "Polish it",
  invoke: { src: "core.transform", input: { mapping: { text: "{{ $.greet_output.text }}!" } }, onDone: "done" },
};
const SETTINGS = {
  initial: "greet",
  payloadSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
};
const CASES = {
  cases: [{ name: "greets Ada", input: { name: "Ada" }, expect: { visits: ["greet", "polish"] } }],
};

/** A loop over orders in which a person approves those above 100. */
const APPROVE_ORDERS: JsonObject = {
  put: {
    each: {
      label: "Each order",
      loop: {
        type: "forEach",
        collection: "$.trigger.orders",
        itemVariable: "order",
        maxIterations: 50,
        bodyInitial: "large",
        bodyStates: {
          large: {
            label: "Above 100?",
            always: [
              {
                target: "approve",
                guard: { type: "condition", params: { key: "$.order.amount", operator: ">", value: 100 } },
              },
              { target: "next" },
            ],
          },
          approve: {
            label: "Approve the order",
            invoke: {
              src: "agent.humanReview",
              input: { title: "Pay this order?", show: "$.order" },
              onDone: "next",
              onError: "next",
            },
          },
          next: { type: "final" },
        },
        onDone: "done",
      },
    },
    done: { type: "final", outcome: "checked" },
  },
  settings: {
    initial: "each",
    payloadSchema: {
      type: "object",
      properties: {
        orders: { type: "array", items: { type: "object", properties: { amount: { type: "number" } } } },
      },
      required: ["orders"],
    },
  },
};
const ORDER_CASES: JsonObject = {
  cases: [
    {
      name: "one is large",
      input: { orders: [{ amount: 20 }, { amount: 500 }] },
      expect: { outcome: "checked", visits: ["each", "approve"] },
    },
    { name: "none", input: { orders: [] }, expect: { outcome: "checked" } },
  ],
};

/** A moment that the test chooses. */
function gate(): { opened: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

describe("the assistant in the browser", () => {
  let models: ModelServer;
  let editor: EditorPage;
  let page: Page;
  let workflowId: number;
  const replies: ModelReply[] = [];

  beforeAll(async () => {
    models = await startModelServer(() => replies.shift() ?? { status: 400, message: "no reply left" }, {
      models: ["house-model"],
    });
    editor = await EditorPage.start({ OPENAI_BASE_URL: models.url });
    page = editor.page;
    editor.complaints.length = 0;
  });
  afterAll(async () => {
    await editor?.close();
    await models?.close();
  });

  const panel = (): Locator => page.getByRole("complementary", { name: "Assistant" });
  const field = (): Locator => panel().getByRole("textbox", { name: "Message" });
  const turn = (text: string): Locator => panel().getByRole("region", { name: `Message: ${text}` });
  const proof = (): Locator => panel().getByRole("region", { name: "What was checked" });
  const statesOf = async (): Promise<JsonObject> => (await editor.draftOf("agent-workflows", workflowId)).states;
  const undoLabel = (): Promise<string | null> =>
    page.getByRole("button", { name: "Undo", exact: true }).locator("..").getAttribute("aria-label");

  it("takes one sentence at home, and asks what it cannot know in the editor", async () => {
    replies.push(
      call("read_steps", {}),
      call("ask_person", { question: "How should people be greeted?", options: ["Hello", "Hi"] }),
    );
    await page.getByRole("textbox", { name: "What should happen" }).fill("Greet people by their name");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await shootIn(editor, "assistant-home");
    await page.keyboard.press("Control+Enter");
    await page.waitForURL(/agent-workflows\/\d+\/editor/);
    workflowId = Number(/agent-workflows\/(\d+)\//.exec(page.url())?.[1]);
    const asked = turn("Greet people by their name").getByRole("region", {
      name: "Question: How should people be greeted?",
    });
    await asked.waitFor();
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await shootIn(editor, "assistant-question");
    await panel().getByText("Answer the question first, or stop.").waitFor();
  });

  it("draws its steps one by one, and leaves what a person draws in between", async () => {
    const second = gate();
    const third = gate();
    replies.push(
      call("change_steps", {
        put: { greet: write("Hi", "done"), done: { type: "final", output: { text: "$.greet_output.text" } } },
        settings: SETTINGS,
      }),
      {
        toolCalls: [
          { name: "build_change_steps", arguments: { put: { greet: write("Hi", "polish"), polish: POLISH } } },
        ],
        gate: { after: 0, opened: second.opened },
      },
      { toolCalls: [{ name: "build_check_draft", arguments: CASES }], gate: { after: 0, opened: third.opened } },
      { text: "It greets people, see [Write a greeting](#step:greet) and [Polish it](#step:polish)." },
    );
    await panel().getByRole("button", { name: "Hi", exact: true }).click();
    await editor.card("greet").waitFor();
    await editor.settled();
    await panel().getByText("Changes steps").waitFor();
    await shootIn(editor, "assistant-works");
    // A note of the person, between two steps of the assistant.
    await page.locator(".react-flow__pane").click({ position: { x: 300, y: 60 } });
    await page.keyboard.press("Shift+S");
    await page.locator(".react-flow__node-note").waitFor();
    // And a text that is still being typed when the next step comes.
    await editor.card("done").click();
    await editor.panel().getByLabel("Label", { exact: true }).fill("The end");
    second.open();
    await editor.card("polish").waitFor();
    await editor.card("done").getByText("The end").waitFor();
    await editor.card("polish").getByText("added").waitFor();
    expect(await page.locator(".react-flow__node-note").count()).toBe(1);
    await shootIn(editor, "assistant-follows");
    third.open();
    await turn("Greet people by their name").getByText("It greets people").waitFor();
    await editor.saved();
    await expect.poll(statesOf).toMatchObject({
      greet: write("Hi", "polish"),
      polish: POLISH,
      done: { label: "The end" },
    });
  });

  it("shows what the server has proved, and leads from the answer to the steps", async () => {
    await proof().getByText("The draft is valid").waitFor();
    await proof().getByText("1 of 1 test cases passed").waitFor();
    await proof()
      .getByRole("link", { name: /Run #\d+ of “greets Ada”/ })
      .waitFor();
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await shootIn(editor, "assistant-proof");
    await panel().getByRole("link", { name: "Polish it" }).click();
    await editor.panel().waitFor();
    await expect.poll(() => editor.card("polish").locator("[data-selected=true]").count()).toBe(1);
    await shootIn(editor, "assistant-and-settings");
  });

  it("is taken back step by step, with the person's own in between, and brought back", async () => {
    await page.keyboard.press("Escape");
    const undo = page.getByRole("button", { name: "Undo", exact: true });
    const redo = page.getByRole("button", { name: "Redo", exact: true });
    await page.getByText("Draft · saved").waitFor();
    expect(await undoLabel()).toContain("Assistant: add Polish it");
    await undo.click();
    await editor.card("polish").waitFor({ state: "detached" });
    await editor.card("done").getByText("The end").waitFor();
    await undo.click();
    await editor.card("done").getByText("The end").waitFor({ state: "detached" });
    await undo.click();
    await page.locator(".react-flow__node-note").waitFor({ state: "detached" });
    await editor.card("greet").waitFor();
    expect(await undoLabel()).toContain("Assistant: add Write a greeting");
    await undo.click();
    await editor.card("greet").waitFor({ state: "detached" });
    await expect.poll(async () => Object.keys(await statesOf())).toEqual(["done"]);
    expect(await undo.isDisabled()).toBe(true);
    for (let steps = 0; steps < 4; steps += 1) await redo.click();
    await editor.card("polish").waitFor();
    await page.locator(".react-flow__node-note").waitFor();
    await expect.poll(async () => Object.keys(await statesOf()).sort()).toEqual(["done", "greet", "polish"]);
    await proof().getByText("The draft was changed since.").waitFor();
  });

  it("is opened and left by keyboard, and remembers its conversation", async () => {
    await page.keyboard.press("Control+i");
    await panel().waitFor({ state: "detached" });
    await page.reload();
    await editor.settled();
    expect(await panel().count()).toBe(0);
    await editor.card("greet").click();
    await page.keyboard.press("Control+i");
    await expect.poll(() => page.evaluate("document.activeElement?.tagName")).toBe("TEXTAREA");
    await turn("Greet people by their name").getByText("It greets people").waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.evaluate("document.activeElement?.dataset?.id")).toBe("greet");
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).getByText("Open or close the assistant").waitFor();
    await page.keyboard.press("Escape");
    await panel().getByRole("button", { name: "New and earlier conversations" }).click();
    await panel().getByRole("button", { name: "What does this workflow do?" }).waitFor();
    await panel()
      .getByRole("button", { name: /Greet people by their name/ })
      .waitFor();
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await shootIn(editor, "assistant-start");
    await panel().getByRole("button", { name: "Add a review before…" }).click();
    await expect.poll(() => field().inputValue()).toBe("Add a review before this step: ");
  });

  it("fits a phone and speaks German", async () => {
    const { cookies } = await page.context().storageState();
    const chat = await page.evaluate(`sessionStorage.getItem("oven.assistant.chat.${workflowId}")`);
    const { page: phone } = await editor.chromium.newPage({ width: 390, height: 844 });
    await phone.context().addCookies(cookies);
    await phone.addInitScript(`localStorage.setItem("oven.language", "de")`);
    await phone.goto(`${editor.oven.url}/agent-workflows/${workflowId}/editor`);
    await editor.settled(phone);
    await phone.getByRole("button", { name: "Assistent", exact: true }).click();
    expect(chat).toBeNull();
    await phone.getByRole("button", { name: /Greet people by their name/ }).click();
    await phone.getByText("Der Entwurf ist gültig").waitFor();
    expect(await overflow(phone)).toBeLessThanOrEqual(0);
    await expect.poll(() => seriousIssues(phone)).toEqual([]);
    await shoot(phone, "assistant-390-de");
    await resize(phone, 1440, 900);
    await phone.getByText("Der Entwurf ist gültig").waitFor();
    await shoot(phone, "assistant-de");
    await phone.context().close();
  });

  it("makes a tested draft with a loop and a review of one sentence, and stops where it is told to", async () => {
    const never = gate();
    await page.goto(`${editor.oven.url}/`);
    replies.push(call("change_steps", APPROVE_ORDERS), call("check_draft", ORDER_CASES), {
      text: "A person approves each order above 100: [Approve the order](#step:approve).",
    });
    const said = "Have a person approve each order above 100";
    await page.getByRole("textbox", { name: "What should happen" }).fill(said);
    await page.getByRole("button", { name: "Build a draft" }).click();
    await page.waitForURL(/agent-workflows\/\d+\/editor/);
    workflowId = Number(/agent-workflows\/(\d+)\//.exec(page.url())?.[1]);
    await proof().getByText("2 of 2 test cases passed").waitFor();
    await editor.card("approve").waitFor();
    await editor.settled();
    await shootIn(editor, "assistant-loop");

    replies.push(
      call("change_steps", { put: { done: { type: "final", label: "All are checked", outcome: "checked" } } }),
      { text: "This is never said.", gate: { after: 0, opened: never.opened } },
    );
    await field().fill("Name the end");
    await page.keyboard.press("Enter");
    await editor.card("done").getByText("All are checked").waitFor();
    await panel().getByRole("button", { name: "Stop" }).click();
    await turn("Name the end").getByText("It was stopped before there was an answer.").waitFor();
    await editor.saved();
    await expect.poll(statesOf).toMatchObject({ done: { label: "All are checked" }, each: {} });
    never.open();
  });

  it("is asked why a run failed, from the page of the run", async () => {
    const failing = {
      initial: "pay",
      states: { pay: { invoke: { src: "core.fail", input: { message: "no money" } } } },
    };
    const id = await editor.create("agent-workflows", "Paying", failing);
    const run = await editor.oven.call("POST", `agent-workflows/${id}/execute?wait=20`, {});
    expect(run.body.status).toBe("failed");
    await page.goto(`${editor.oven.url}/agent-workflow-executions/${run.body.id}/show`);
    await page.getByRole("button", { name: "Why did this fail?" }).click();
    await expect
      .poll(() => field().inputValue())
      .toBe(`Why did run #${run.body.id} fail, and what can be done about it?`);
    replies.push(call("get_run", { run_id: run.body.id }), { text: "There was [no money](#step:pay)." });
    await page.keyboard.press("Enter");
    await panel().getByText("There was").waitFor();
    await shoot(page, "assistant-why");
    expect(await proof().count()).toBe(0);
  });
});

describe("the assistant without a model", () => {
  let editor: EditorPage;

  beforeAll(async () => {
    editor = await EditorPage.start();
  });
  afterAll(async () => {
    await editor?.close();
  });

  it("draws its example, and says that no model answered", async () => {
    const { page } = editor;
    await page.getByRole("textbox", { name: "What should happen" }).fill("Sort what customers write");
    await page.getByRole("button", { name: "Build a draft" }).click();
    const panel = page.getByRole("complementary", { name: "Assistant" });
    await panel.getByText("simulated", { exact: true }).waitFor();
    await panel.getByRole("region", { name: "What was checked" }).getByText("The draft is valid").waitFor();
    await expect.poll(() => page.locator(".react-flow__node-state").count()).toBeGreaterThan(0);
    await editor.settled();
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await shoot(page, "assistant-simulated");
  });
});
