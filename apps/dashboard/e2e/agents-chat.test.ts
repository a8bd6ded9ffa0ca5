import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, shoot, type TestBrowser } from "./browser.ts";
import { type OvenProcess, startOven } from "./oven-process.ts";
import { seriousIssues } from "./page-checks.ts";
import { signUp } from "./sign-up.ts";

describe("agents and chats in the browser", () => {
  let oven: OvenProcess;
  let chromium: TestBrowser;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    oven = await startOven({ bootstrap: false });
    chromium = await openBrowser();
    ({ page, complaints } = await chromium.newPage());
    await signUp(page, oven);
    // Nobody was signed in before.
    complaints.length = 0;
  });
  afterAll(async () => {
    await chromium?.close();
    await oven?.kill("SIGKILL");
  });

  const message = (on: Page = page) => on.getByRole("textbox", { name: "Message" });
  const turn = (text: string, on: Page = page) => on.getByRole("region", { name: `Message: ${text}` });

  it("makes an agent without a line of JSON", async () => {
    await page.getByRole("link", { name: "Agents", exact: true }).click();
    await page.getByText("never used").waitFor();
    await page.getByRole("link", { name: "New agent" }).click();
    await page.getByLabel("Name", { exact: false }).first().fill("Order desk");
    await page
      .getByRole("textbox", { name: "Instructions" })
      .fill("You know orders. Answer in {{ $.trigger.language }}.");
    await page.getByLabel("Model", { exact: true }).fill("simulated:shop-assistant");
    await page.getByLabel("Temperature").fill("0.2");
    await page.getByLabel("Tools it may call").fill("orders.get");
    await page.keyboard.press("Enter");
    await page.getByLabel("Callers may set parameters").check();
    await page.getByRole("button", { name: "Add a field" }).click();
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await shoot(page, "agent-create");
    await page.getByLabel("Callers may set parameters").uncheck();
    await page.getByRole("textbox", { name: "Instructions" }).fill("You know orders.");
    await page.getByRole("button", { name: "Create the agent" }).click();
    await page.getByRole("heading", { name: "Order desk" }).waitFor();
    await page.getByText("version 1", { exact: true }).waitFor();
  });

  it("tries it out: its tools, what it cost, another model for this session", async () => {
    await message().fill("Where is order 8841?");
    await message().press("Enter");
    const first = turn("Where is order 8841?");
    await first.getByText("is expected on").waitFor();
    await first.getByText("Run #").waitFor();
    await first.getByText("simulated", { exact: true }).waitFor();
    // A run that was faster than the page was connected has its steps behind a button.
    const call = first.locator("summary", { hasText: "orders.get" });
    const past = first.getByRole("button", { name: "1 tool was called" });
    await call.or(past).waitFor();
    if (await past.isVisible()) await past.click();
    await call.click();
    await first.getByText("Answered", { exact: true }).waitFor();
    await shoot(page, "agent-playground");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.getByRole("region", { name: "For this session" }).getByLabel("Model").fill("simulated:echo");
    // Closes the choices, which lie over what is below.
    await page.keyboard.press("Tab");
    await page.getByRole("button", { name: "Use from the next message on" }).click();
    await page.getByRole("button", { name: "Use from the next message on" }).waitFor({ state: "detached" });
    await message().fill("Only an echo");
    await message().press("Enter");
    await turn("Only an echo").getByText("[simulated]").waitFor();
    // The session stands in the address.
    await page.reload();
    await turn("Only an echo").getByText("[simulated]").waitFor();
    await turn("Where is order 8841?").getByRole("button", { name: "1 tool was called" }).click();
    await turn("Where is order 8841?").locator("summary", { hasText: "orders.get" }).waitFor();
  });

  it("changes it, shows what changed, and goes back", async () => {
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await page.getByRole("textbox", { name: "Instructions" }).fill("You know orders, and say so.");
    await page.getByLabel("Note on this version").fill("Says so");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("version 2", { exact: true }).waitFor();
    await page.getByRole("tab", { name: "Versions" }).click();
    await page.getByText("Says so", { exact: true }).waitFor();
    await page.locator("summary", { hasText: "Instructions" }).click();
    await page.getByText("You know orders, and say so.").waitFor();
    await shoot(page, "agent-versions");
    await page.getByRole("button", { name: "Restore version 1" }).click();
    await page.getByRole("button", { name: "Restore", exact: true }).click();
    await page.getByText("version 3", { exact: true }).waitFor();
    await page.getByRole("tab", { name: "Sessions" }).click();
    await page.getByRole("button", { name: "Where is order 8841?" }).click();
    await page.getByText("is expected on").waitFor();
    await shoot(page, "agent-session");
  });

  it("is copied, and deleted once what uses it was said", async () => {
    await page.getByRole("button", { name: "Duplicate Order desk" }).click();
    await page.getByRole("heading", { name: "Order desk (copy)" }).waitFor();
    await page.getByText("It is disabled.").waitFor();
    await page.getByRole("button", { name: "Delete Order desk (copy)" }).click();
    await page.getByText("No workflow names it.").waitFor();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("link", { name: "New agent" }).waitFor();
    await expect.poll(() => page.getByRole("link", { name: "Order desk (copy)" }).count()).toBe(0);
  });

  it("chats: a second window sees the same, and what was said is there when one comes back", async () => {
    await page.getByRole("link", { name: "Chat", exact: true }).click();
    await page.getByRole("link", { name: "Only an echo" }).or(page.getByText("Where is order 8841?")).first().waitFor();
    await page.goto(`${oven.url}/chat?with=agent:1`);
    await message().fill("When comes order 8842?\nIt is for Sunday.");
    await shoot(page, "chat-new");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await message().press("Enter");
    await page.getByRole("heading", { name: "When comes order 8842?" }).waitFor();
    const { page: other } = await chromium.newPage();
    await other.context().addCookies((await page.context().storageState()).cookies);
    await other.goto(page.url());
    await turn("When comes order 8842?", other)
      .getByText(/8842|no order/)
      .nth(1)
      .waitFor();
    await message().fill("And the refund?");
    await message().press("Enter");
    await turn("And the refund?", other).getByText("simulated", { exact: true }).waitFor();
    await turn("And the refund?").getByText("simulated", { exact: true }).waitFor();
    await other.context().close();
    const run = () => turn("And the refund?").getByRole("link", { name: "Run #" }).textContent();
    const before = await run();
    const again = turn("And the refund?").getByRole("button", { name: "Answer again" });
    await again.click();
    await expect.poll(run).not.toBe(before);
    // Offered once the newer run has ended.
    await again.waitFor();
    await shoot(page, "chat");
  });

  it("sends what is entered before the chat is loaded once it may, and else leaves it in the field", async () => {
    const { page: early } = await chromium.newPage();
    await early.context().addCookies((await page.context().storageState()).cookies);
    const post = async (path: string, data: object) => {
      const answer = await page.request.post(`${oven.url}/api/${path}`, { headers: { origin: oven.url }, data });
      expect(answer.ok(), await answer.text()).toBe(true);
      return answer.json();
    };
    /** Opens a chat whose messages arrive once the answer is called. */
    const openHeld = async (id: number) => {
      let open = () => {};
      const opened = new Promise<void>((resolve) => {
        open = resolve;
      });
      await early.unrouteAll({ behavior: "wait" });
      await early.route(`**/api/chat-sessions/${id}/messages?*`, async (route) => {
        await opened;
        await route.continue();
      });
      await early.goto(`${oven.url}/chat/${id}`);
      await early.getByRole("status", { name: "Loading the messages" }).waitFor();
      return open;
    };
    const onItsWay = early.getByRole("button", { name: "Send" }).getByRole("progressbar");
    const { id } = await post("chat-sessions", { target: { kind: "agent", id: 1 } });

    let open = await openHeld(id);
    await message(early).fill("Entered at once");
    await message(early).press("Enter");
    await onItsWay.waitFor();
    expect(await message(early).inputValue()).toBe("Entered at once");
    await shoot(early, "chat-sent-before-loaded");
    open();
    await turn("Entered at once", early).getByText("simulated", { exact: true }).waitFor();
    expect(await message(early).inputValue()).toBe("");

    // Writing on takes it back.
    open = await openHeld(id);
    await message(early).fill("Half a");
    await message(early).press("Enter");
    await onItsWay.waitFor();
    await message(early).press("End");
    await message(early).pressSequentially(" sentence");
    await onItsWay.waitFor({ state: "detached" });
    open();
    await turn("Entered at once", early).waitFor();
    expect(await message(early).inputValue()).toBe("Half a sentence");

    // The server refuses it: the text is there again.
    await early.route(`**/api/chat-sessions/${id}/messages`, (route) => route.abort());
    await message(early).press("Enter");
    await early.getByText("The message was not sent").waitFor();
    await expect.poll(() => message(early).inputValue()).toBe("Half a sentence");

    // An answer is being made: nothing goes out, and the text stays.
    const payloadSchema = { type: "object", properties: { message: { type: "string" } }, required: ["message"] };
    const wait = { invoke: { src: "core.delay", input: { ms: 600_000 }, onDone: "done" } };
    const definition = { initial: "wait", payloadSchema, states: { wait, done: { type: "final", output: "late" } } };
    const slow = await post("agent-workflows", { name: "Takes long", definition });
    const busy = await post("chat-sessions", { target: { kind: "agent-workflow", id: slow.id } });
    await post(`chat-sessions/${busy.id}/messages`, { message: "Are you ready?" });
    open = await openHeld(busy.id);
    await message(early).fill("And now?");
    await message(early).press("Enter");
    await onItsWay.waitFor();
    open();
    await early.getByRole("button", { name: "Stop" }).waitFor();
    expect(await message(early).inputValue()).toBe("And now?");
    await early.getByRole("button", { name: "Stop" }).click();
    await early.getByText("It was stopped before there was an answer.").waitFor();
    await early.getByRole("button", { name: "Send" }).waitFor();
    expect(await message(early).inputValue()).toBe("And now?");
    expect(await turn("And now?", early).count()).toBe(0);

    // Another target is chosen: the first message stays.
    await early.goto(`${oven.url}/chat?with=agent:1`);
    await message(early).fill("Who are you?");
    await early.getByRole("combobox", { name: "Agent or workflow" }).click();
    await early.getByRole("option", { name: "Takes long" }).click();
    await early.getByPlaceholder("Message Takes long").waitFor();
    expect(await message(early).inputValue()).toBe("Who are you?");

    // What is written while the first message is on its way stands in the chat that it begins, also after another page.
    for (const [place, begins] of [
      ["/chat?with=agent:1", /\/chat\/\d+$/],
      ["/agents/1/show", /[?&]chat=\d+/],
    ] as const) {
      let send = () => {};
      const sent = new Promise<void>((resolve) => {
        send = resolve;
      });
      await early.unrouteAll({ behavior: "wait" });
      await early.goto(`${oven.url}${place}`);
      await early.route("**/api/chat-sessions/*/messages", async (route) => {
        if (route.request().method() === "POST") await sent;
        await route.continue();
      });
      await message(early).fill(`First at ${place}`);
      await message(early).press("Enter");
      await onItsWay.waitFor();
      await message(early).fill("And next");
      send();
      await early.waitForURL(begins);
      await turn(`First at ${place}`, early).waitFor();
      expect(await message(early).inputValue()).toBe("And next");
      const at = early.url();
      await early.goto(`${oven.url}/agents`);
      await early.goto(at);
      await turn(`First at ${place}`, early).waitFor();
      await expect.poll(() => message(early).inputValue()).toBe("And next");
      await early.goto(`${oven.url}${place}`);
      await expect.poll(() => message(early).inputValue()).toBe("");
    }
    await early.context().close();
  });

  it("decides in the chat what a workflow asks, and the answer follows", async () => {
    await page.goto(`${oven.url}/chat?with=agent-workflow:1`);
    await page.getByText("Each message stands alone").waitFor();
    await message().fill("Please look after order 8841");
    await message().press("Enter");
    const asked = page.getByRole("region", { name: "Review: Reply to a customer" });
    await asked.waitFor();
    await page.reload();
    await asked.getByRole("button", { name: "Approve" }).click();
    await turn("Please look after order 8841").getByText("Dear Ada Lindqvist").waitFor();
    await turn("Please look after order 8841").getByRole("button", { name: "Copy the answer" }).waitFor();
    await expect.poll(() => asked.count()).toBe(0);
    await shoot(page, "chat-decided");
  });

  it("talks to a workflow by the fields that are named", async () => {
    const states = {
      done: { type: "final", output: { found: { reply: "You said {{ $.trigger.words }}" }, text: "not this" } },
    };
    const data = { name: "Repeats", definition: { initial: "done", states } };
    const made = await page.request.post(`${oven.url}/api/agent-workflows`, { headers: { origin: oven.url }, data });
    await page.goto(`${oven.url}/chat?with=agent-workflow:${(await made.json()).id}`);
    await page.getByText("Which fields are used").click();
    await page.getByLabel("Field for the message").fill("words");
    await page.getByLabel("Where the answer is").fill("found.reply");
    await shoot(page, "chat-reading");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    const words = page.getByPlaceholder("Message Repeats");
    await words.fill("good morning");
    await words.press("Enter");
    await page.getByText("You said good morning").waitFor();
  });

  it("asks in an agent's chat before a call that cannot be undone, and stops an answer when told to", async () => {
    const headers = { origin: oven.url };
    const made = await page.request.post(`${oven.url}/api/agents`, {
      headers,
      data: { name: "Refunder", model: "simulated:refund", toolBindings: ["orders.get", "orders.refund"] },
    });
    await page.goto(`${oven.url}/chat?with=agent:${(await made.json()).id}`);
    await message().fill("Order 9001 is late and I want my money back.");
    await message().press("Enter");
    const asked = page.getByRole("region", { name: /^Review:/ });
    await asked.getByText("orders.refund").first().waitFor();
    await shoot(page, "chat-approval");
    const [above, beside] = [
      await page.getByRole("button", { name: "New chat" }).boundingBox(),
      await asked.boundingBox(),
    ];
    expect((above?.x ?? 0) + (above?.width ?? 0)).toBeLessThan(beside?.x ?? 0);
    await asked
      .getByRole("button", { name: /^(Approve|Release)/ })
      .first()
      .click();
    await page.getByRole("button", { name: "Copy the answer" }).waitFor();
    const payloadSchema = { type: "object", properties: { message: { type: "string" } }, required: ["message"] };
    const wait = { invoke: { src: "core.delay", input: { ms: 600_000 }, onDone: "done" } };
    const definition = { initial: "wait", payloadSchema, states: { wait, done: { type: "final", output: "late" } } };
    const slow = await page.request.post(`${oven.url}/api/agent-workflows`, {
      headers,
      data: { name: "Slow", definition },
    });
    await page.goto(`${oven.url}/chat?with=agent-workflow:${(await slow.json()).id}`);
    await message().fill("Are you there?");
    await message().press("Enter");
    await page.getByRole("heading", { name: "Are you there?" }).waitFor();
    await page.getByRole("button", { name: /stop/i }).click();
    await page.getByText("It was stopped before there was an answer.").waitFor();
    await page
      .getByRole("navigation", { name: "Chats" })
      .getByRole("link", { name: "Please look after" })
      .first()
      .click();
    await page.getByRole("heading", { name: "Please look after order 8841" }).waitFor();
  });

  it("renames, searches and deletes chats", async () => {
    await page.getByRole("button", { name: "More for “Please look after order 8841”" }).click();
    await page.getByRole("menuitem", { name: "Rename…" }).click();
    await page.getByLabel("Title").fill("The late oven");
    await page.getByRole("button", { name: "Rename", exact: true }).click();
    await page.getByRole("heading", { name: "The late oven" }).waitFor();
    await page.getByLabel("Search chats").fill("late oven");
    await expect.poll(() => page.getByRole("navigation", { name: "Chats" }).getByRole("link").count()).toBe(1);
    await page.getByRole("button", { name: "More for “The late oven”" }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("No chat fits this search.").waitFor();
    await page.getByRole("heading", { name: "New chat" }).waitFor();
  });

  it("complained of nothing", () => {
    expect(complaints).toEqual([]);
  });
});
