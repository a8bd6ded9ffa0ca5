import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EditorPage } from "./editor-page.ts";
import type { OvenProcess } from "./oven-process.ts";
import { overflow, resize, seriousIssues } from "./page-checks.ts";

const TALKS = {
  initial: "ask",
  states: {
    ask: {
      label: "Look it up",
      invoke: {
        src: "agent.toolLoop",
        input: { model: "simulated:support-reply", tools: ["orders.get", "orders.policy"] },
        onDone: "review",
      },
    },
    review: {
      label: "Check it",
      invoke: {
        src: "agent.humanReview",
        input: { title: "Send this answer?", show: "$.text", schema: { type: "string" } },
        onDone: [
          {
            target: "done",
            guard: { type: "condition", params: { key: "$.review_output.action", operator: "!=", value: "reject" } },
          },
          { target: "refused" },
        ],
      },
    },
    done: { type: "final", output: "$.review_output.data" },
    refused: { type: "final", output: "It was not sent." },
  },
};

describe("a conversation with the draft in the editor", () => {
  let editor: EditorPage;
  let oven: OvenProcess;
  let page: Page;
  let id: number;

  beforeAll(async () => {
    editor = await EditorPage.start();
    ({ oven, page } = editor);
    id = await editor.create("agent-workflows", "Talks", TALKS);
  });
  afterAll(async () => {
    await editor?.close();
  });

  async function open(workflow: number): Promise<void> {
    await editor.open("agent-workflows", workflow);
    await page.getByRole("button", { name: "Conversation", exact: true }).click();
    await page.getByText("valid", { exact: true }).waitFor();
  }
  const badge = (state: string) => editor.badge(state);
  const taken = (target: string) => page.locator(`.react-flow__edge[data-id$="→${target}"] [data-path=taken]`);
  const message = () => page.getByLabel("Message", { exact: true });
  const turn = (index: number) => page.getByRole("region", { name: /^Turn of run/ }).nth(index);
  const runs = async () => (await oven.call("GET", 'agent-workflow-executions?sort=["id","DESC"]')).body;
  /** By keyboard only. */
  async function say(text: string): Promise<void> {
    await message().focus();
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
  }

  it("lights the path, shows what each step says and calls, and asks for the review there [004-194]", async () => {
    await open(id);
    await say("Where is my order 8841?");
    const first = turn(0);
    await first.getByText("Where is my order 8841?").first().waitFor();
    // A call with its arguments, what it answered, and who of the graph said it.
    await first.getByText(/calls orders\.get/).waitFor();
    await first.getByText(/orders\.get answered/).click();
    await first.getByText('"customer"').first().waitFor();
    await first.getByText("Look it up · llm").first().waitFor();
    await first
      .getByText(/thank you for writing to us/)
      .first()
      .waitFor();
    await badge("review").getByText("waits for a decision").waitFor();
    await page.locator(".oven-edge[data-path=live]").first().waitFor({ state: "attached" });
    await first.getByText("simulated", { exact: true }).waitFor();
    const review = first.getByRole("region", { name: "Review: Send this answer?" });
    await review.getByRole("button", { name: "Edit" }).focus();
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await review.getByRole("textbox", { name: /Edited proposal/ }).fill("It comes tomorrow.");
    await review.getByText("It comes tomorrow.").last().waitFor();
    await review.getByRole("button", { name: "Approve with edits" }).click();
    await first.getByText("completed").waitFor();
    await first.getByRole("listitem").filter({ hasText: "Answer" }).getByText("It comes tomorrow.").waitFor();
    await taken("done").waitFor({ state: "attached" });
    const [run] = await runs();
    expect(run).toMatchObject({ triggerEvent: "test", sessionId: -run.id, output: "It comes tomorrow." });
    expect((await oven.call("GET", "agent-sessions")).body).toEqual([]);
  });

  it("goes on with what was said, and decides the same review in the Run section", async () => {
    await say("And the lid was broken");
    await turn(1).getByRole("region", { name: "Review: Send this answer?" }).waitFor();
    const [second, first] = await runs();
    expect(second.sessionId).toBe(first.sessionId);
    const { body } = await oven.call("GET", `agent-workflow-executions/${second.id}`);
    expect(body.input.messages).toEqual([
      { role: "user", content: "Where is my order 8841?" },
      { role: "assistant", content: "It comes tomorrow." },
      { role: "user", content: "And the lid was broken" },
    ]);
    await page.getByRole("button", { name: "Run", exact: true }).click();
    const review = page.getByRole("region", { name: "Review: Send this answer?" });
    await review.getByRole("button", { name: "Reject" }).click();
    await review.getByLabel("Reason").fill("Too long");
    await review.getByRole("button", { name: "Reject" }).click();
    await review.waitFor({ state: "detached" });
    await taken("refused").waitFor({ state: "attached" });
    await page.getByRole("button", { name: "Conversation", exact: true }).click();
    await turn(1).getByText("It was not sent.").waitFor();
    // An earlier turn is drawn on the canvas again. What it said is read first, and moves what stands below it.
    await turn(0)
      .getByText(/orders\.get answered/)
      .waitFor();
    await turn(0)
      .getByRole("button", { name: `Show it on the canvas: run #${first.id}` })
      .click();
    await taken("done").waitFor({ state: "attached" });
  });

  it("stops, is found again after a reload, and begins anew", async () => {
    await say("Order 8842?");
    await badge("review").getByText("waits for a decision").waitFor();
    await page.getByRole("form", { name: "Message to the draft" }).getByRole("button", { name: "Stop" }).click();
    await turn(2).getByText("cancelled").first().waitFor();
    await open(id);
    await turn(2).getByText("Order 8842?").first().waitFor();
    await turn(0).getByText("It comes tomorrow.").last().waitFor();
    await resize(page, 390, 844);
    await turn(2).getByRole("button", { name: "Continue with this draft…" }).waitFor();
    expect(await overflow(page)).toBe(0);
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await resize(page, 1440, 900);
    await page.getByRole("button", { name: "New conversation" }).click();
    await turn(0).waitFor({ state: "detached" });
    await say("Hello");
    await turn(0).getByRole("region", { name: "Review: Send this answer?" }).waitFor();
    const [run] = await runs();
    expect(run.sessionId).toBe(-run.id);
  });

  it("speaks to an agent that runs the workflow, with its settings, and not among its own conversations", async () => {
    const { status, body: agent } = await oven.call("POST", "agents", { name: "Clerk", workflowId: id });
    expect(status, JSON.stringify(agent)).toBe(201);
    await open(id);
    await page.getByRole("combobox", { name: "Speak to" }).click();
    await page.getByRole("option", { name: "Clerk" }).click();
    await turn(0).waitFor({ state: "detached" });
    await say("Who are you?");
    await turn(0).getByRole("region", { name: "Review: Send this answer?" }).waitFor();
    const [run] = await runs();
    expect(run).toMatchObject({ agentId: agent.id, triggerEvent: "test", sessionId: -run.id });
    expect((await oven.call("GET", "agent-sessions")).body).toEqual([]);
  });

  it("says what to do where nothing can be said, and what is not handed on", async () => {
    const payloadSchema = { type: "object", properties: { question: { type: "string" } }, additionalProperties: false };
    await open(await editor.create("agent-workflows", "Closed", { ...TALKS, payloadSchema }));
    await page.getByText("The payload takes no messages").waitFor();
    await say("Hello");
    const alert = page.getByRole("alert").filter({ hasText: "The message was not sent" });
    await alert.getByText(/^Add `message`, a text, to its payload schema/).waitFor();
    expect(editor.faults(/status of (400|401|404|409)/)).toEqual([]);
  });
});
