import { type ModelServer, startModelServer } from "@oven/testing";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shoot } from "./browser.ts";
import { EditorPage } from "./editor-page.ts";
import type { OvenProcess } from "./oven-process.ts";
import { overflow, resize, seriousIssues } from "./page-checks.ts";

/** By how many pixels something in the picker is wider than its place, or the picker than the window. */
function overflowOfPicker(page: Page): Promise<number> {
  return page.evaluate(`(() => {
    const box = document.querySelector("[role=dialog][aria-label^='Variables']");
    const inner = [box, ...box.querySelectorAll("ul, li, [role=option]")].map((one) => one.scrollWidth - one.clientWidth);
    return Math.max(box.getBoundingClientRect().right - innerWidth, ...inner);
  })()`);
}

describe("the inspector of the editor", () => {
  let model: ModelServer;
  let editor: EditorPage;
  let oven: OvenProcess;
  let page: Page;

  beforeAll(async () => {
    model = await startModelServer(() => ({ text: "Hello Ada" }), { models: ["gpt-test", "gpt-other"] });
    editor = await EditorPage.start({ OPENAI_API_KEY: "test", OPENAI_BASE_URL: model.url });
    ({ oven, page } = editor);
  });
  afterAll(async () => {
    await editor?.close();
    await model?.close();
  });

  const card = (id: string) => editor.card(id);
  const panel = () => editor.panel();

  async function open(name: string, definition: object): Promise<number> {
    const id = await editor.create("agent-workflows", name, definition);
    await editor.open("agent-workflows", id);
    return id;
  }
  async function draftOf(id: number) {
    await editor.saved();
    return editor.draftOf("agent-workflows", id);
  }
  async function publish(): Promise<void> {
    await page.getByText("valid", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByText("v2 live").waitFor();
  }

  it("gives a variable of the workflow a type, and a field that fits it", async () => {
    const definition = { initial: "done", context: { tries: 3 }, states: { done: { type: "final" } } };
    const id = await open("Variables", definition);
    await page.getByLabel("Type of tries").waitFor();
    await page.getByRole("button", { name: "Add to context" }).click();
    await page.getByLabel("Value of key", { exact: true }).fill("Ada");
    await page.getByLabel("Value of tries").fill("5");
    await page.getByRole("button", { name: "Add to context" }).click();
    await page.getByLabel("Type of key2").selectOption("boolean");
    await page.getByLabel("Value of key2").click();
    await page.getByRole("button", { name: "Add to context" }).click();
    await page.getByLabel("Type of key3").selectOption("list");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await shoot(page, "editor-variables");
    await expect.poll(async () => (await draftOf(id)).context).toEqual({ tries: 5, key: "Ada", key2: true, key3: [] });
    // Emptied it is an empty text, and the variable is still there.
    await page.getByLabel("Value of key", { exact: true }).fill("");
    await expect.poll(async () => (await draftOf(id)).context.key).toBe("");
  });

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
    // Aliases, then what each provider says it has; anything else can be typed.
    const models = panel().getByRole("combobox", { name: "Model", exact: true });
    await models.click();
    await page.getByRole("option", { name: "openai:gpt-other" }).waitFor();
    const groups = page.getByRole("listbox").getByRole("group");
    await expect.poll(() => groups.first().getAttribute("aria-label")).toBe("Aliases");
    await models.fill("gpt-t");
    await page.getByRole("option", { name: "openai:gpt-test" }).click();
    await panel().getByRole("combobox", { name: "Tools" }).fill("orders");
    await page.getByRole("option", { name: /orders\.get/ }).click();
    await page.keyboard.press("Escape");
    await panel().getByLabel("Prompt", { exact: true }).fill("Say hello to {{ $.trigger.name }}");
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
    await expect.poll(() => seriousIssues(page)).toEqual([]);
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
      payloadSchema: { type: "object", properties: { name: { type: "string" } } },
    });
    await card("log").click();
    await panel().getByRole("button", { name: "fx Expression: how Message is given" }).click();
    await page.getByRole("menuitem", { name: /^CEL/ }).click();
    const cel = panel().getByRole("textbox", { name: "Message", exact: true });
    await page.locator(".cm-content").waitFor();
    await cel.click();
    // As a person types: once the field has the focus, and not all keys in one moment, which closes what a key before has opened.
    await page.locator(".cm-editor.cm-focused").waitFor();
    await page.keyboard.type("'Hello ' + tri", { delay: 30 });
    await expect.poll(() => cel.textContent()).toBe("'Hello ' + tri");
    await page.getByRole("option", { name: /^trigger/ }).waitFor();
    await page.keyboard.type("gger.");
    await page.getByRole("option", { name: /^name.*string/ }).waitFor();
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await expect.poll(() => cel.textContent()).toBe("'Hello ' + trigger.name");
    // The server's parser says what is wrong, and where.
    await page.keyboard.type(" + nope");
    await panel()
      .getByText(/^At 27: Unknown variable: nope/)
      .waitFor();
    await expect.poll(() => page.locator(".cm-lintRange-error").textContent()).toBe("nope");
    await expect.poll(() => cel.getAttribute("aria-invalid")).toBe("true");
    for (let typed = " + nope".length; typed > 0; typed -= 1) await page.keyboard.press("Backspace");
    await page.locator(".cm-lintRange-error").waitFor({ state: "detached" });
    // A server that cannot be asked is not one that finds nothing.
    const unanswered = "**/expressions/cel/check";
    await page.route(unanswered, (route) =>
      route.fulfill({ status: 404, json: { error: { code: "X", message: "away" } } }),
    );
    await page.keyboard.type(" ");
    await page.locator(".cm-lintRange-warning").first().waitFor();
    await page.unroute(unanswered);
    await page.keyboard.press("Backspace");
    await page.locator(".cm-lintRange-warning").first().waitFor({ state: "detached" });
    await page.keyboard.press("Control+Space");
    await page.getByRole("option", { name: /^name/ }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("listbox").waitFor({ state: "detached" });
    await page.keyboard.press("Tab");
    await page.locator("[aria-label='Insert a variable into Message']:focus").waitFor();
    await panel().getByLabel("Level", { exact: true }).selectOption({ label: "warn" });
    expect((await draftOf(id)).states.log.invoke.input).toEqual({
      message: { $cel: "'Hello ' + trigger.name" },
      data: { kept: [1] },
      level: "warn",
    });
    await panel().getByRole("textbox", { name: "Data as JSON" }).waitFor();
    // One step of undo for what was typed in one go.
    await page.locator(".react-flow__pane").click({ position: { x: 500, y: 40 } });
    await page.keyboard.press("Control+z");
    await page.getByText(/^Undone: Change level/).waitFor();
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
    await editor.settled();
    await card("second").click();
    await page.getByRole("tab", { name: "Last run" }).click();
    await panel()
      .getByText(/^Run \d+, of version 1$/)
      .waitFor();
    await page.getByRole("tab", { name: "Settings" }).click();
    const message = panel().getByLabel("Message", { exact: true });
    await message.fill("Dear ");
    await message.press("End");
    // The list is offered beside the cursor; the keyboard stays with the text.
    await message.pressSequentially("{{");
    const list = page.getByRole("listbox", { name: "Variables for Message" });
    await list.getByRole("option", { name: /\$\.trigger\.name.*string.*always there.*Grace/s }).waitFor();
    await expect.poll(() => list.getByRole("option", { name: /third_output/ }).count()).toBe(0);
    await expect.poll(() => list.getByRole("option", { name: /second_output/ }).count()).toBe(0);
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await shoot(page, "editor-completion");
    await page.keyboard.type(" what is left open");
    await list.waitFor({ state: "detached" });
    await page.keyboard.press("Enter");
    await page.keyboard.type("stays");
    expect(await message.inputValue()).toBe("Dear {{ what is left open\nstays");
    await message.fill("Dear ");
    await message.press("End");
    await message.pressSequentially("{{");
    await list.waitFor();
    await page.keyboard.press("Escape");
    await list.waitFor({ state: "detached" });
    await page.keyboard.type(" $");
    expect(await message.inputValue()).toBe("Dear {{ $");
    expect(await list.count()).toBe(0);
    await message.fill("Dear ");
    await message.press("End");
    await message.pressSequentially("{{");
    await list.waitFor();
    await page.keyboard.type("trigger.name");
    await page.keyboard.press("Enter");
    await list.waitFor({ state: "detached" });
    await page.keyboard.type(", hello");
    const picker = page.getByRole("dialog", { name: "Variables for Message" });
    await panel()
      .getByText(/^In run \d+: Dear Grace, hello$/)
      .waitFor();
    // Tried at another step of the run, which is remembered for the workflow.
    await message.fill("{{ $.first_output.message }}");
    await panel()
      .getByText(/^In run \d+: Hello$/)
      .waitFor();
    const steps = panel().getByLabel("Step that values are taken from");
    await steps.selectOption({ index: 1 });
    await message.focus();
    await panel()
      .getByText(/^In run \d+, there: .*first_output.message has no value/)
      .waitFor();
    await page.getByText(/Draft · saved/).waitFor();
    await page.reload();
    await editor.settled();
    await card("second").click();
    await steps.waitFor();
    await expect.poll(() => steps.locator("option:checked").textContent()).toMatch(/^1\. /);
    await steps.selectOption({ index: 0 });
    await message.fill("Dear {{ $.trigger.name }}, hello");
    // Every part of the scope has its place in the picker; what is chosen is shown whole.
    await panel().getByRole("button", { name: "Insert a variable into Message" }).click();
    for (const words of ["$config.MAX_TOOL_ITERATIONS", "$.messages", "$.trigger.name"]) {
      await page.getByLabel("Search what is in scope").fill(words);
      await picker.getByRole("option", { name: words }).waitFor();
    }
    await picker.getByRole("status").getByText("Grace").waitFor();
    expect(await overflowOfPicker(page)).toBeLessThanOrEqual(0);
    await page.keyboard.press("Escape");
    await expect.poll(() => message.inputValue()).toBe("Dear {{ $.trigger.name }}, hello");
    await expect.poll(() => panel().locator("[data-chip]").allTextContents()).toContain("{{ $.trigger.name }}");
    await page.getByRole("tab", { name: "Input" }).click();
    await panel().getByText("$.first_output.message").waitFor();
    await expect.poll(() => seriousIssues(page)).toEqual([]);
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
    // Its condition is open: it is what comes next.
    await done.getByLabel("Key", { exact: true }).fill("$.trigger.amount");
    await done.getByLabel("Operator", { exact: true }).selectOption({ label: ">" });
    await done.getByLabel("Value", { exact: true }).fill("100");
    // Nothing ran yet, so there is nothing to try the condition on.
    await expect
      .poll(() =>
        panel()
          .getByText(/^In run/)
          .count(),
      )
      .toBe(0);
    // What stands there goes into the group; a group in a group, and so on.
    await done.getByLabel("Kind of Condition", { exact: true }).selectOption("all");
    await done.getByRole("button", { name: "Add a condition to Condition", exact: true }).click();
    await done.getByLabel("Kind of Condition 2", { exact: true }).selectOption("not");
    await done.getByLabel("Kind of Condition 2.1", { exact: true }).selectOption("any");
    await done.getByLabel("Kind of Condition 2.1.1", { exact: true }).selectOption("cel");
    // By keys: the editor of CEL puts the cursor where its own state has it, whatever the browser has selected.
    await done.getByRole("textbox", { name: "Expression" }).click();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText("output.message == 'No'");
    await panel().getByLabel("Timer after").fill("PT1H");
    await panel().getByLabel("Timer after").press("Enter");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    const { log } = (await draftOf(id)).states;
    expect(log.after).toHaveProperty("PT1H");
    expect(log.invoke.onDone).toMatchObject([
      {
        target: "big",
        guard: {
          type: "all",
          guards: [
            { type: "condition", params: { key: "$.trigger.amount", operator: ">", value: 100 } },
            {
              type: "not",
              guard: { type: "any", guards: [{ type: "cel", params: { expression: "output.message == 'No'" } }] },
            },
          ],
        },
      },
      "done",
    ]);
    // Tried on a run: the branch it would have taken.
    await oven.call("POST", `agent-workflows/${id}/execute?wait=30`, { input: { amount: 150 } });
    await page.reload();
    await editor.settled();
    await card("log").click();
    await panel()
      .getByRole("button", { name: /^Branches/ })
      .click();
    const verdict = (branch: number) => done.locator("[data-verdict]").nth(branch);
    await verdict(0).getByText("this branch would be taken").waitFor();
    await verdict(1).getByText("an earlier branch would be taken").waitFor();
    await done.getByRole("button", { name: /condition of branch 1 / }).click();
    await done.getByLabel("Value", { exact: true }).fill("200");
    await verdict(0).getByText("the condition does not hold").waitFor();
    await verdict(1).getByText("this branch would be taken").waitFor();
    await done.getByRole("button", { name: "Remove branch 2 when it is done" }).click();
    await done.getByRole("button", { name: "Remove branch 1 when it is done" }).click();
    await panel().getByRole("button", { name: "Attempts and time-out" }).click();
    await panel().getByLabel("Max attempts", { exact: true }).fill("3");
    await page.getByText(/Draft · saved/).waitFor();
    await page.getByText("Unsaved").waitFor({ state: "detached" });
    expect((await draftOf(id)).states.log.invoke).toMatchObject({ retry: { maxAttempts: 3 } });
    expect((await draftOf(id)).states.log.invoke).not.toHaveProperty("onDone");
  });

  it("sets what holds for the whole workflow while nothing is selected", async () => {
    const id = await open("Whole", { initial: "done", states: { done: { type: "final" } } });
    const whole = page.getByRole("complementary", { name: "Settings of the workflow" });
    // What is usual is there at once; what names something is a text and nothing else.
    await whole.getByRole("group", { name: "Payload schema", exact: true }).waitFor();
    await whole.getByRole("group", { name: "Output schema", exact: true }).waitFor();
    await whole.getByRole("button", { name: /^More/ }).click();
    await whole.getByLabel("Id", { exact: true }).waitFor();
    expect(await whole.getByRole("button", { name: /how Id is given|variable into Id/ }).count()).toBe(0);
    await whole.getByLabel("Max steps", { exact: true }).fill("50");
    // What goes in, built field by field; what only JSON can say stays.
    const payload = whole.getByRole("group", { name: "Payload schema" });
    await payload.getByRole("button", { name: "Add a field", exact: true }).click();
    await payload.getByLabel("Name of field field of Payload schema").fill("urgency");
    await payload.getByLabel("Name of field field of Payload schema").press("Enter");
    await payload.getByLabel("Type of urgency").selectOption("choice");
    await payload.getByLabel("Choices of urgency, one a line").fill("low\nhigh");
    await payload.getByLabel("Default of urgency").selectOption({ label: "high" });
    await payload.getByLabel("urgency is required").check();
    await payload.getByRole("button", { name: "Add a field", exact: true }).click();
    await payload.getByLabel("Type of field", { exact: true }).selectOption("list");
    await payload.getByLabel("Type of Entry of field").selectOption("object");
    await payload.getByRole("button", { name: "Add a field to Entry of field" }).click();
    await payload.getByRole("button", { name: "Move field up" }).first().click();
    await payload.getByRole("button", { name: "JSON", exact: true }).click();
    const json = payload.getByRole("textbox", { name: "Payload schema as JSON" });
    const built = {
      type: "object",
      properties: {
        field: { type: "array", items: { type: "object", properties: { field: { type: "string" } } } },
        urgency: { type: "string", enum: ["low", "high"], default: "high" },
      },
      required: ["urgency"],
      "x-order": ["field", "urgency"],
    };
    expect(JSON.parse(await json.inputValue())).toEqual(built);
    await json.fill(JSON.stringify({ ...built, additionalProperties: false, "x-mine": { kept: true } }));
    await payload.getByRole("button", { name: "Builder", exact: true }).click();
    await payload.getByLabel("urgency is required").uncheck();
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    const { required: _, ...optional } = built;
    expect(await draftOf(id)).toMatchObject({
      maxSteps: 50,
      payloadSchema: { ...optional, additionalProperties: false, "x-mine": { kept: true } },
    });
    expect((await draftOf(id)).payloadSchema).not.toHaveProperty("required");
    await page.reload();
    const fields = payload.getByRole("group", { name: /^Field / });
    await expect.poll(() => fields.first().getAttribute("aria-label")).toBe("Field field");
    await expect.poll(() => fields.last().getAttribute("aria-label")).toBe("Field urgency");
  });

  it("picks a called workflow and one of its versions, and takes a visit to a field back in one step", async () => {
    await editor.create("workflows", "Called one");
    const second = { definition: { initial: "end", states: { end: { type: "final" } } }, note: "Shorter" };
    expect((await oven.call("PUT", "workflows/called-one", second)).status).toBe(200);
    const id = await open("Calls", {
      initial: "call",
      states: {
        call: { invoke: { src: "core.callWorkflow", input: { workflow: "called-one" }, onDone: "done" } },
        done: { type: "final" },
      },
    });
    await card("call").click();
    await panel().getByRole("combobox", { name: "Workflow", exact: true }).fill("called-o");
    await page.getByRole("option", { name: /called-one/ }).click();
    await panel().getByRole("combobox", { name: "Workflow version" }).click();
    await page.getByRole("option", { name: /latest · Shorter/ }).waitFor();
    await page.getByRole("option", { name: /^v1/ }).click();
    await panel().getByRole("button", { name: "Add a description" }).click();
    const description = panel().getByLabel("Description", { exact: true });
    await description.fill("First");
    // Longer than a rest: it reached the definition in between.
    await expect.poll(() => page.getByRole("button", { name: "Undo" }).isEnabled()).toBe(true);
    await page.getByText(/Draft · saved/).waitFor();
    await description.press("End");
    await description.pressSequentially(" and second");
    await panel().getByLabel("Label", { exact: true }).focus();
    expect(await draftOf(id)).toMatchObject({
      states: { call: { invoke: { input: { workflow: "called-one", workflowVersion: 1 } } } },
    });
    await expect.poll(async () => (await draftOf(id)).states.call.description).toBe("First and second");
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => description.inputValue()).toBe("");
    await page.getByRole("button", { name: "Redo" }).click();
    await expect.poll(() => description.inputValue()).toBe("First and second");
  });

  it("knows what a step declares itself, says what is missing on a way, and mends it with one click", async () => {
    const category = {
      type: "object",
      properties: { category: { type: "string" }, amount: { type: "number" } },
      required: ["category", "amount"],
    };
    const always = [{ target: "ask", guard: { type: "cel", params: { expression: "trigger.amount > 10" } } }, "tell"];
    const id = await open("Sorted", {
      initial: "classify",
      payloadSchema: {
        type: "object",
        properties: { text: { type: "string" }, amount: { type: "number" } },
        required: ["text"],
      },
      states: {
        classify: { invoke: { src: "agent.llm", input: { outputSchema: category }, onDone: "choice" } },
        choice: { label: "Choice", always },
        ask: { invoke: { src: "agent.humanReview", input: { show: "$.classify_output.object" }, onDone: "tell" } },
        tell: { invoke: { src: "core.log", input: { message: "Hi" }, onDone: "done" } },
        done: { type: "final" },
      },
    });
    await card("tell").click();
    const message = panel().getByLabel("Message", { exact: true });
    await message.fill("Sum: {{ classify_output.object.am");
    const list = page.getByRole("listbox", { name: "Variables for Message" });
    await list.getByRole("option", { name: /classify_output\.object\.amount.*number · always there/s }).waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(() => message.inputValue()).toBe("Sum: {{ $.classify_output.object.amount }}");
    // A typo in what the model was asked for is no longer "valid".
    await message.fill("Kind: {{ $.classify_output.object.categorie }}");
    await panel().getByText("the output of classify has no categorie").waitFor();
    await page.getByRole("button", { name: "1 warning" }).waitFor();
    // A result that is missing on one of the ways is said with the way, and mended with one click.
    await message.fill("Seen by {{ $.ask_output.action }}");
    await panel().getByText("is missing on the way classify → choice → tell").waitFor();
    await shoot(page, "editor-missing-value");
    await page.getByRole("button", { name: "1 warning" }).click();
    await page.getByRole("list", { name: "Problems" }).getByText("tell, Message").waitFor();
    await panel().getByRole("button", { name: "Leave it empty then" }).click();
    await expect.poll(() => message.inputValue()).toBe('Seen by {{ $.ask_output.action | default("") }}');
    await page.getByText("valid", { exact: true }).waitFor();
    // Or another value stands in.
    await message.fill("Seen by {{ $.ask_output.action }}");
    await panel().getByRole("button", { name: "Take another value then…" }).click();
    const others = page.getByRole("dialog", { name: "The value to take when $.ask_output.action is missing" });
    await others.getByRole("combobox").fill("object.category");
    await shoot(page, "editor-other-value");
    await others
      .getByRole("option", { name: /classify_output\.object\.category/ })
      .first()
      .click();
    await expect
      .poll(() => message.inputValue())
      .toBe("Seen by {{ $.ask_output.action | default($.classify_output.object.category) }}");
    await page.getByText("valid", { exact: true }).waitFor();
    // JSON that is none yet stays where it was written, and the bar says so.
    await panel().getByRole("tab", { name: "JSON" }).click();
    const json = panel().getByLabel("JSON of tell");
    await json.fill('{ "invoke": ');
    await page.getByText("tell: JSON not read").waitFor();
    await panel().getByRole("tab", { name: "Settings" }).click();
    await page.getByText("tell: JSON not read").waitFor();
    await panel().getByRole("tab", { name: "JSON" }).click();
    expect(await json.inputValue()).toBe('{ "invoke": ');
    await panel().getByRole("tab", { name: "Settings" }).click();
    await message.fill("Done");
    await page.getByText("valid", { exact: true }).waitFor();
    // Asked to run without the input that is needed, the editor asks for it.
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("form", { name: "Input of the run" }).getByRole("button", { name: "Run the draft" }).click();
    await page.locator("form[aria-label='Input of the run'] :is(input, textarea):focus").waitFor();
    expect((await oven.call("GET", `agent-workflow-executions?filter={"agentWorkflowId":${id}}`)).body).toEqual([]);
    await expect.poll(() => seriousIssues(page)).toEqual([]);
  });

  it("keeps “Fields” in the builder of a schema, and says of a step that was just added what is needed", async () => {
    await open("Built", {
      initial: "ask",
      states: {
        ask: { invoke: { src: "agent.llm", input: { prompt: "Sort it" }, onDone: "done" } },
        done: { type: "final" },
      },
    });
    await card("ask").click();
    await page.getByLabel("Search the palette").fill("curl");
    await page.getByLabel("Palette").getByRole("button", { name: "HTTP request" }).click();
    await panel().getByLabel("URL", { exact: true }).waitFor();
    expect(
      await panel()
        .getByText(/Invalid input/)
        .count(),
    ).toBe(0);
    await page.getByRole("button", { name: /problem/ }).click();
    await page.getByText("core.http: url is missing").waitFor();
    await card("ask").click();
    await panel()
      .getByRole("button", { name: /^More \(/ })
      .first()
      .click();
    const kind = panel().getByLabel("Type of Output schema");
    await kind.selectOption("object");
    await page.getByText(/Draft · saved/).waitFor();
    expect(await kind.inputValue()).toBe("object");
    await panel()
      .getByRole("button", { name: /^Add a field/ })
      .first()
      .click();
    await shoot(page, "editor-schema-builder");
    const name = panel()
      .getByLabel(/^Name of field .* of Output schema$/)
      .first();
    const before = await name.inputValue();
    await name.fill("amount");
    await name.press("Enter");
    await panel().getByLabel("Name of field amount of Output schema").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => name.inputValue()).toBe(before);
    // It is told, and goes by itself.
    const notice = page.getByText(/^Undone: /);
    await notice.waitFor();
    await notice.waitFor({ state: "detached" });
  });

  it("is reached, used and left by keyboard alone", async () => {
    const id = await open("By keys", {
      initial: "log",
      payloadSchema: { type: "object", properties: { name: { type: "string" } } },
      states: {
        log: {
          invoke: {
            src: "core.log",
            input: { message: "Hi" },
            onDone: [
              { target: "big", guard: { type: "cel", params: { expression: "trigger.name == 'Ada'" } } },
              "done",
            ],
          },
        },
        big: { type: "final" },
        done: { type: "final" },
      },
    });
    const focused = (selector: string) => page.locator(`${selector}:focus`).waitFor();
    /** As many tabs as it takes, and no more than a person would bear. */
    const tabTo = async (selector: string): Promise<void> => {
      for (let count = 0; count < 40; count += 1) {
        await page.keyboard.press("Tab");
        if ((await page.locator(`${selector}:focus`).count()) > 0) return;
      }
      throw new Error(`Tab does not lead to ${selector}`);
    };
    await card("log").focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.getByLabel("Label", { exact: true }).and(page.locator(":focus")).waitFor();
    await page.keyboard.type("Say it");
    await tabTo("textarea[aria-describedby]:not([placeholder='Description'])");
    await page.keyboard.press("End");
    await page.keyboard.type(", {{");
    await page.getByRole("listbox", { name: "Variables for Message" }).waitFor();
    await page.keyboard.type("trigger.name");
    await page.keyboard.press("Enter");
    await panel().locator("[data-chip]").getByText("$.trigger.name").waitFor();
    // Keys that mean something on the canvas mean nothing on a button of a form.
    await page.keyboard.press("Tab");
    await focused("[aria-label='Insert a variable into Message']");
    await page.keyboard.press("Delete");
    await page.keyboard.press("ArrowRight");
    await tabTo("section[aria-label^='Branches'] > button");
    await page.keyboard.press("Enter");
    await tabTo("[aria-label^='Move branch 2']");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await focused('.react-flow__node[data-id="log"]');
    await page.getByText("Unsaved").waitFor({ state: "detached" });
    expect((await draftOf(id)).states.log).toMatchObject({
      label: "Say it",
      invoke: { input: { message: "Hi, {{ $.trigger.name }}" }, onDone: ["done", { target: "big" }] },
    });
    // The same on a phone, in the dark: as wide as the screen, and nothing a screen reader would stumble over.
    await page.emulateMedia({ colorScheme: "dark" });
    await resize(page, 390, 844);
    await page.keyboard.press("Enter");
    await panel().getByLabel("Label", { exact: true }).waitFor();
    await panel().getByRole("button", { name: "Insert a variable into Message" }).click();
    const picker = page.getByRole("dialog", { name: "Variables for Message" });
    await picker.getByRole("option").first().waitFor();
    expect(await overflowOfPicker(page)).toBeLessThanOrEqual(0);
    await page.keyboard.press("Escape");
    await picker.waitFor({ state: "detached" });
    await panel()
      .getByRole("button", { name: /^Branches/ })
      .click();
    await panel()
      .getByRole("button", { name: /condition of branch 2 / })
      .click();
    await page.locator(".cm-content").waitFor();
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await expect.poll(() => seriousIssues(page)).toEqual([]);
  });

  it("left no error in the browser's console but answers that say there is no draft", () => {
    expect(editor.faults(/status of (401|404|409)/)).toEqual([]);
  });
});
