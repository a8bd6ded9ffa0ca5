import { type ModelServer, startModelServer } from "@oven/testing";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, shoot, type TestBrowser } from "./browser.ts";
import { type OvenProcess, startOven } from "./oven-process.ts";
import { seriousIssues } from "./page-checks.ts";

const ADMIN = { name: "Ada Admin", email: "ada@example.com", password: "correct horse battery" };

describe("the inspector of the editor", () => {
  let model: ModelServer;
  let oven: OvenProcess;
  let chromium: TestBrowser;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    model = await startModelServer(() => ({ text: "Hello Ada" }));
    oven = await startOven({ bootstrap: true, env: { OPENAI_API_KEY: "test", OPENAI_BASE_URL: model.url } });
    chromium = await openBrowser();
    ({ page, complaints } = await chromium.newPage({ width: 1440, height: 900 }));
    await page.goto(oven.setupUrl ?? `${oven.url}/login`);
    await page.getByLabel("Name").fill(ADMIN.name);
    await page.getByLabel("E-mail").fill(ADMIN.email);
    await page.getByLabel("Password").fill(ADMIN.password);
    await page.getByRole("button", { name: "Create admin account" }).click();
    await page.getByRole("heading", { name: "Welcome to OVEN" }).waitFor();
  });
  afterAll(async () => {
    await chromium?.close();
    await oven?.kill("SIGKILL");
    await model?.close();
  });

  const card = (id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);
  const panel = () => page.getByRole("complementary", { name: /^Settings of/ });

  async function open(name: string, definition: object): Promise<number> {
    const { status, body } = await oven.call("POST", "agent-workflows", { name, definition });
    expect(status).toBe(201);
    await page.goto(`${oven.url}/agent-workflows/${body.id}/editor`);
    await page.locator("section.oven-canvas[data-ready=true]").waitFor();
    return body.id;
  }
  async function draftOf(id: number) {
    await page.getByText(/Draft · saved/).waitFor();
    return (await oven.call("GET", `agent-workflows/${id}/draft`)).body.definition;
  }
  async function publish(): Promise<void> {
    await page.getByText("valid", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByText("v2 live").waitFor();
  }

  it("sets model, temperature and tools in the form, and they reach the wire [004-195] [004-196]", async () => {
    const id = await open("Tuned", {
      initial: "llm",
      states: {
        llm: { invoke: { src: "agent.llm", input: { prompt: "Hello" }, onDone: "done" } },
        done: { type: "final", output: "$.llm_output.text" },
      },
    });
    await card("llm").click();
    await panel().getByLabel("Temperature", { exact: true }).fill("3");
    await panel().getByText("At most 2").waitFor();
    await panel().getByLabel("Temperature", { exact: true }).fill("0.25");
    await panel().getByRole("combobox", { name: "Model", exact: true }).fill("openai:gpt-test");
    await panel().getByRole("combobox", { name: "Tools" }).fill("orders");
    await shoot(page, "inspector-tools");
    await page.getByRole("option", { name: /orders\.get/ }).click();
    await page.keyboard.press("Escape");
    await panel().getByLabel("Prompt", { exact: true }).fill("Say hello to {{ $.trigger.name }}");
    await shoot(page, "inspector-model");
    expect(await draftOf(id)).toMatchObject({
      states: {
        llm: {
          invoke: {
            input: {
              prompt: "Say hello to {{ $.trigger.name }}",
              temperature: 0.25,
              model: "openai:gpt-test",
              tools: ["orders.get"],
            },
          },
        },
      },
    });
    await publish();
    const run = await oven.call("POST", `agent-workflows/${id}/execute?wait=30`, { input: { name: "Ada" } });
    expect(run.body.status).toBe("completed");
    const [request] = model.requests.filter(({ body }) => JSON.stringify(body).includes("Say hello to Ada"));
    expect(request?.body).toMatchObject({ model: "gpt-test", temperature: 0.25 });
    expect(JSON.stringify(request?.body)).toContain("orders");
    const sent = request?.body as { tools: unknown[] }; // cast: the wire's shape
    expect(sent.tools).toHaveLength(1);
  });

  it("configures a review: what is shown, who decides, until when and how [004-197]", async () => {
    const id = await open("Reviewed", {
      initial: "review",
      states: {
        review: { invoke: { src: "agent.humanReview", input: { show: "to be set" }, onDone: "done", onError: "done" } },
        done: { type: "final" },
      },
    });
    await card("review").click();
    await panel().getByLabel("Show", { exact: true }).fill("$.trigger.refund");
    await panel().getByLabel("Title", { exact: true }).fill("Refund of {{ $.trigger.refund.amount }}");
    const people = panel().getByRole("combobox", { name: "Assignees" });
    await people.fill("owner");
    await page.getByRole("option", { name: /role:owner/ }).click();
    await page.keyboard.press("Escape");
    await panel().getByLabel("Due in", { exact: true }).fill("soon");
    await panel().getByText("Not written as it must be").waitFor();
    await panel().getByLabel("Due in", { exact: true }).fill("P1D");
    await panel().getByRole("button", { name: /^More/ }).click();
    await panel().getByLabel("Kind of On deadline").selectOption({ label: "Action, reason" });
    await panel().getByLabel("Action", { exact: true }).selectOption({ label: "reject" });
    await panel().getByLabel("Not requester", { exact: true }).check();
    await shoot(page, "inspector-review");
    expect(await seriousIssues(page)).toEqual([]);
    await publish();
    const run = await oven.call("POST", `agent-workflows/${id}/execute?wait=30`, {
      input: { refund: { order: 8841, amount: 240 } },
    });
    expect(run.body.status).toBe("paused");
    const reviews = (await oven.call("GET", "reviews")).body as Record<string, unknown>[]; // cast: a list of rows
    const review = reviews.find(({ executionId }) => executionId === run.body.id);
    expect(review).toMatchObject({
      title: "Refund of 240",
      proposal: { order: 8841, amount: 240 },
      assignees: ["role:owner"],
      policy: { notRequester: true, onDeadline: { action: "reject" } },
      dueAt: expect.any(String),
    });
  });

  it("gives a value as CEL, as a path or as it stands, and keeps what it does not know in JSON", async () => {
    const id = await open("Given", {
      initial: "log",
      states: {
        log: { invoke: { src: "core.log", input: { message: "Hi", data: { kept: [1] } }, onDone: "done" } },
        done: { type: "final" },
      },
    });
    await card("log").click();
    await panel().getByRole("button", { name: "fx Expression: how Message is given" }).click();
    await page.getByRole("menuitem", { name: /^CEL/ }).click();
    await panel().getByLabel("Message", { exact: true }).fill("'Hello ' + ctx.trigger.name");
    await panel().getByLabel("Level", { exact: true }).selectOption({ label: "warn" });
    expect((await draftOf(id)).states.log.invoke.input).toEqual({
      message: { $cel: "'Hello ' + ctx.trigger.name" },
      data: { kept: [1] },
      level: "warn",
    });
    await panel().getByRole("textbox", { name: "Data as JSON" }).waitFor();
    // One step of undo for what was typed in one go.
    await page.locator(".react-flow__pane").click({ position: { x: 500, y: 40 } });
    await page.keyboard.press("Control+z");
    await page.getByText(/^Undone: Change level/).waitFor();
    await shoot(page, "inspector-cel");
  });

  it("offers what is in scope, with types and the values of the last run, and writes it as a chip", async () => {
    const id = await open("In scope", {
      initial: "first",
      payloadSchema: {
        type: "object",
        properties: { name: { type: "string" }, amount: { type: "number" } },
        required: ["name"],
      },
      states: {
        first: { invoke: { src: "core.log", input: { message: "Hello" }, onDone: "second" } },
        second: { invoke: { src: "core.log", input: { message: "Bye" }, onDone: "third" } },
        third: { invoke: { src: "core.log", input: { message: "Never" }, onDone: "done" } },
        done: { type: "final" },
      },
    });
    await oven.call("POST", `agent-workflows/${id}/execute?wait=30`, { input: { name: "Grace" } });
    await page.reload();
    await card("second").click();
    await page.getByRole("tab", { name: "Last run" }).click();
    await panel()
      .getByText(/^Run \d+, of version 1$/)
      .waitFor();
    await page.getByRole("tab", { name: "Settings" }).click();
    const message = panel().getByLabel("Message", { exact: true });
    await message.fill("Dear ");
    await message.press("End");
    await message.pressSequentially("{{");
    const picker = page.getByRole("dialog", { name: "Variables for Message" });
    await picker.getByRole("option", { name: /\$\.trigger\.name.*string.*always there.*Grace/s }).waitFor();
    expect(await picker.getByRole("option", { name: /third_output/ }).count()).toBe(0);
    expect(await picker.getByRole("option", { name: /second_output/ }).count()).toBe(0);
    await shoot(page, "inspector-variables");
    expect(await seriousIssues(page)).toEqual([]);
    await page.keyboard.type("trigger.name");
    await page.keyboard.press("Enter");
    await picker.waitFor({ state: "detached" });
    await page.keyboard.type(", hello");
    await panel()
      .getByText(/^In run \d+: Dear Grace, hello$/)
      .waitFor();
    expect(await message.inputValue()).toBe("Dear {{ $.trigger.name }}, hello");
    expect(await panel().locator("[data-chip]").allTextContents()).toContain("{{ $.trigger.name }}");
    await page.getByRole("tab", { name: "Input" }).click();
    await panel().getByText("$.first_output.message").waitFor();
    await shoot(page, "inspector-input");
    expect(await seriousIssues(page)).toEqual([]);
  });

  it("adds, reorders and removes branches with conditions, timers and events", async () => {
    const id = await open("Branched", {
      initial: "log",
      states: {
        log: { invoke: { src: "core.log", input: { message: "Hi" }, onDone: "done", onError: "big" } },
        big: { type: "final" },
        done: { type: "final" },
      },
    });
    await card("log").click();
    await panel().getByRole("button", { name: "Branches (2)" }).click();
    const done = panel().getByRole("group", { name: "When it is done" });
    await done.getByRole("button", { name: "Add a branch" }).click();
    await done.getByLabel("Target of branch 1 when it is done").selectOption("big");
    await done.getByRole("button", { name: /condition of branch 1 / }).click();
    await done.getByLabel("Key", { exact: true }).fill("$.trigger.amount");
    await done.getByLabel("Operator", { exact: true }).selectOption({ label: ">" });
    await done.getByLabel("Value", { exact: true }).fill("100");
    // Nothing ran yet, so there is nothing to try the condition on.
    expect(
      await panel()
        .getByText(/^In run/)
        .count(),
    ).toBe(0);
    await panel().getByLabel("Timer after").fill("PT1H");
    await panel().getByLabel("Timer after").press("Enter");
    await shoot(page, "inspector-branches");
    expect(await seriousIssues(page)).toEqual([]);
    const { log } = (await draftOf(id)).states;
    expect(log.after).toHaveProperty("PT1H");
    expect(log.invoke.onDone).toMatchObject([
      { target: "big", guard: { type: "condition", params: { key: "$.trigger.amount", operator: ">", value: 100 } } },
      "done",
    ]);
    await done.getByRole("button", { name: "Remove branch 2 when it is done" }).click();
    await done.getByRole("button", { name: "Remove branch 1 when it is done" }).click();
    await panel().getByRole("button", { name: "Attempts and time-out" }).click();
    await panel().getByLabel("Max attempts", { exact: true }).fill("3");
    await page.getByText(/Draft · saved/).waitFor();
    await page.waitForFunction("!document.body.innerText.includes('Unsaved')");
    expect((await draftOf(id)).states.log.invoke).toMatchObject({ retry: { maxAttempts: 3 } });
    expect((await draftOf(id)).states.log.invoke).not.toHaveProperty("onDone");
  });

  it("sets what holds for the whole workflow while nothing is selected", async () => {
    const id = await open("Whole", { initial: "done", states: { done: { type: "final" } } });
    const whole = page.getByRole("complementary", { name: "Settings of the workflow" });
    await whole.getByRole("button", { name: /^More/ }).click();
    await whole.getByLabel("Max steps", { exact: true }).fill("50");
    await shoot(page, "inspector-workflow");
    expect(await seriousIssues(page)).toEqual([]);
    expect(await draftOf(id)).toMatchObject({ maxSteps: 50 });
  });

  it("left no error in the browser's console but answers that say there is no draft", () => {
    expect(complaints.filter((complaint) => !/status of (401|404|409)/.test(complaint))).toEqual([]);
  });
});
