import { createServer, type Server } from "node:http";
import { freePort } from "@oven/db/testing";
import { type ModelReply, type ModelServer, startModelServer } from "@oven/testing";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, shoot, type TestBrowser } from "./browser.ts";
import { openSetting } from "./menu.ts";
import { type OvenProcess, startOven } from "./oven-process.ts";
import { overflow, resize, seriousIssues } from "./page-checks.ts";
import { signUp } from "./sign-up.ts";

const REVIEWED = {
  payloadSchema: { type: "object", properties: { message: { type: "string" } }, required: ["message"] },
  initial: "look",
  states: {
    look: { invoke: { src: "agent.humanReview", input: { title: "Refund?", show: "internal note" }, onDone: "done" } },
    done: { type: "final", output: { text: "We refund it: {{ $.trigger.message }}" } },
  },
};
const ASKING = {
  payloadSchema: {
    type: "object",
    properties: { message: { type: "string" }, shop: { type: "string", title: "Shop" } },
    required: ["message", "shop"],
  },
  initial: "ask",
  states: {
    ask: {
      invoke: {
        src: "core.requestInput",
        input: {
          title: "Which table?",
          context: "By the window are small ones only.",
          proposal: { size: "large" },
          schema: {
            $literal: {
              type: "object",
              required: ["size", "seats"],
              properties: {
                size: { enum: ["small", "large"], title: "Size" },
                seats: { type: "integer", title: "Seats", maximum: 9 },
              },
            },
          },
        },
        onDone: "done",
      },
    },
    done: {
      type: "final",
      output: { text: "{{ $.trigger.shop }}: a {{ $.ask_output.data.size }} table for {{ $.ask_output.data.seats }}" },
    },
  },
};
const FORM = {
  payloadSchema: {
    type: "object",
    additionalProperties: false,
    required: ["email", "size"],
    properties: {
      email: { type: "string", format: "email", title: "E-mail" },
      size: { enum: ["small", "large"], title: "Size" },
      seats: { type: "integer", title: "Seats", minimum: 1, maximum: 9 },
    },
  },
  initial: "done",
  states: { done: { type: "final", output: { text: "A {{ $.trigger.size }} one for {{ $.trigger.email }}" } } },
};

/** A site of someone else: pages on an origin of their own, with a strict policy and without a line of script. */
async function startSite(
  policy: string,
  snippet: (path: string) => string,
): Promise<{ origin: string; server: Server }> {
  const server = createServer((request, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", "content-security-policy": policy });
    const lang = request.url?.endsWith("?de") ? "de" : "en";
    response.end(
      `<!doctype html><html lang="${lang}"><title>Shop</title><h1>Shop</h1><p>Welcome.</p>${snippet(request.url ?? "/")}</html>`,
    );
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  return { origin: `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`, server };
}

describe("an embed on a page of another site", () => {
  let oven: OvenProcess;
  let models: ModelServer;
  let chromium: TestBrowser;
  let admin: Page;
  let site: { origin: string; server: Server };
  let stranger: { origin: string; server: Server };
  let chat: string;
  let reviewed: string;
  let form: string;
  const replies: ModelReply[] = [];

  const post = async (path: string, data: object) => {
    const response = await admin.request.post(`${oven.url}/api/${path}`, { data, headers: { origin: oven.url } });
    expect(response.ok(), await response.text()).toBe(true);
    return response.json();
  };

  beforeAll(async () => {
    models = await startModelServer(() => replies.shift() ?? { text: "No reply left." }, { models: ["house"] });
    const port = await freePort();
    oven = await startOven({
      bootstrap: false,
      port,
      env: {
        OPENAI_BASE_URL: models.url,
        OPENAI_API_KEY: "key-of-tests",
        OVEN_OUTBOUND_ALLOW: new URL(models.url).origin,
      },
    });
    chromium = await openBrowser();
    ({ page: admin } = await chromium.newPage({ width: 1440, height: 900 }));
    await signUp(admin, oven);
    const scripts: Record<string, string> = {};
    const snippet = (path: string) => {
      const [id = "", mode = "bubble"] = path.slice(1).split("?")[0]?.split("/") ?? [];
      return `<script src="${oven.url}/embed/v1.js" data-embed="${scripts[id] ?? id}" data-mode="${mode}" async></script>`;
    };
    const policy = [
      "default-src 'none'",
      `script-src ${oven.url}`,
      `connect-src ${oven.url}`,
      "base-uri 'none'",
      "require-trusted-types-for 'script'",
    ].join("; ");
    site = await startSite(policy, snippet);
    stranger = await startSite(policy, snippet);
    const agent = await post("agents", { name: "Order desk", model: "openai:house", systemPrompt: "You know orders." });
    const review = await post("agent-workflows", { name: "Refunds", definition: REVIEWED });
    await post("agent-workflows", { name: "Tables", definition: ASKING });
    const order = await post("workflows", { name: "Book a table", definition: FORM });
    const theme = { title: "Order desk", greeting: "Hello! Ask me about your order.", accent: "#0b6b4f" };
    const shared = { origins: [site.origin] };
    chat = (await post("embeds", { ...shared, name: "Chat", theme, target: { kind: "agent", id: agent.id } })).publicId;
    reviewed = (await post("embeds", { ...shared, name: "Refunds", target: { kind: "agent-workflow", id: review.id } }))
      .publicId;
    form = (
      await post("embeds", {
        ...shared,
        name: "Table",
        mode: "form",
        theme: { title: "Book a table" },
        form: { showAnswer: true },
        target: { kind: "workflow", id: order.id },
      })
    ).publicId;
  });
  afterAll(async () => {
    await chromium?.close();
    await oven?.kill("SIGKILL");
    await models?.close();
    site?.server.close();
    stranger?.server.close();
  });

  it.each([
    { look: "light", options: {} },
    { look: "dark", options: { dark: true } },
    { look: "narrow", options: { width: 390, height: 844 } },
  ])("answers word by word, under a strict policy and without cookies ($look)", async ({ look, options }) => {
    const { page, complaints } = await chromium.newPage(options);
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    replies.push({ text: "It left the warehouse this morning and arrives tomorrow.", gate: { after: 3, opened } });
    await page.goto(`${site.origin}/${chat}`);
    const launch = page.getByRole("button", { name: "Open the chat" });
    await launch.waitFor();
    await shoot(page, `embed-closed-${look}`);
    await launch.click();
    const panel = page.getByRole("dialog", { name: "Order desk" });
    const input = panel.getByRole("textbox", { name: "Message" });
    const label = "document.querySelector('.oven-embed').shadowRoot.activeElement.getAttribute('aria-label')";
    await expect.poll(() => page.evaluate(label)).toBe("Message");
    await input.fill("Where is my order?");
    await input.press("Enter");
    // The model has not written the end yet.
    await panel.getByText(/^It left/).waitFor();
    expect(await panel.getByText("arrives tomorrow.").count()).toBe(0);
    await shoot(page, `embed-writing-${look}`);
    open();
    await panel.getByText("It left the warehouse this morning and arrives tomorrow.").waitFor();
    await panel.getByText("Writing an answer …").waitFor({ state: "hidden" });
    await shoot(page, `embed-answered-${look}`);
    expect(await overflow(page)).toBe(0);
    // The keyboard goes around in the panel, and Escape leads back to the button.
    await input.press("Tab");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(label)).toBe("New conversation");
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "hidden" });
    expect(await page.evaluate(label)).toBe("Open the chat");
    expect(await page.context().cookies()).toEqual([]);
    // What was said is there after a reload.
    await page.reload();
    await launch.click();
    await panel.getByText("It left the warehouse this morning and arrives tomorrow.").waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("speaks the language of the page", async () => {
    const { page } = await chromium.newPage();
    await page.goto(`${site.origin}/${chat}?de`);
    await page.getByRole("button", { name: "Chat öffnen" }).click();
    await page.getByRole("textbox", { name: "Nachricht" }).waitFor();
    await page.context().close();
  });

  it("waits for a person, who approves in the dashboard, and shows the answer", async () => {
    const { page, complaints } = await chromium.newPage();
    await page.goto(`${site.origin}/${reviewed}/inline`);
    const input = page.getByRole("textbox", { name: "Message" });
    await input.fill("My money back, please");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("A person is looking at this. The answer appears here.").waitFor();
    await expect.poll(() => page.getByText("internal note").count()).toBe(0);
    await shoot(page, "embed-waiting");
    await admin.goto(`${oven.url}/reviews`);
    await admin.getByText("internal note").first().waitFor();
    await admin.getByRole("button", { name: "Approve", exact: true }).first().click();
    await page.getByText("We refund it: My money back, please").waitFor();
    await shoot(page, "embed-decided");
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("shows a workflow as a form, says what is missing, and what came of it", async () => {
    const { page, complaints } = await chromium.newPage({ width: 640, height: 800 });
    await page.goto(`${site.origin}/${form}/form`);
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Please fill this in.").first().waitFor();
    await shoot(page, "embed-form-problems");
    await page.getByLabel("E-mail").fill("ada@example.com");
    await page.getByLabel("Size").selectOption({ label: "large" });
    await page.getByLabel("Seats").fill("12");
    await page.getByRole("button", { name: "Send" }).click();
    await expect.poll(() => page.getByLabel("Seats").getAttribute("aria-invalid")).toBe("true");
    await page.getByLabel("Seats").fill("2");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("A large one for ada@example.com").waitFor();
    await shoot(page, "embed-form-sent");
    // The browser and the script note the refused attempt.
    expect(complaints.filter((text) => !/400|maximum|\$\.seats|9/.test(text))).toEqual([]);
    await page.context().close();
  });

  it("sends what is entered before the conversation is read once it may, and else leaves it in the field", async () => {
    const { page, complaints } = await chromium.newPage();
    let open = () => {};
    const hold = async () => {
      const opened = new Promise<void>((resolve) => {
        open = resolve;
      });
      await page.unrouteAll({ behavior: "wait" });
      await page.route("**/api/embed/*/messages", async (route) => {
        if (route.request().method() === "GET") await opened;
        await route.continue();
      });
    };
    const input = page.getByRole("textbox", { name: "Message" });
    const send = page.getByRole("button", { name: "Send" });
    const isOnItsWay = () => send.getAttribute("aria-busy");
    replies.push({ text: "Hello to you." }, { text: "At nine." });
    await page.goto(`${site.origin}/${chat}/inline`);
    await input.fill("Hello");
    await input.press("Enter");
    await page.getByText("Hello to you.").waitFor();
    await hold();
    await page.reload();
    await input.fill("When do you open?");
    await input.press("Enter");
    await expect.poll(isOnItsWay).toBe("true");
    expect(await input.inputValue()).toBe("When do you open?");
    open();
    await page.getByText("At nine.").waitFor();
    expect(await input.inputValue()).toBe("");
    const said = page.locator(".said");
    expect(await said.allTextContents()).toEqual([
      "Hello! Ask me about your order.",
      "You: Hello",
      "Hello to you.",
      "You: When do you open?",
      "At nine.",
    ]);

    // An answer is being made: it stays in the field.
    await page.unrouteAll({ behavior: "wait" });
    await page.goto(`${site.origin}/${reviewed}/inline`);
    await input.fill("My money back");
    await input.press("Enter");
    await page.getByText("A person is looking at this.").waitFor();
    await hold();
    await page.reload();
    await input.fill("Is it there?");
    await input.press("Enter");
    await expect.poll(isOnItsWay).toBe("true");
    open();
    await page.getByText("A person is looking at this.").waitFor();
    await expect.poll(isOnItsWay).toBe("false");
    expect(await input.inputValue()).toBe("Is it there?");
    expect(await said.allTextContents()).toEqual(["You: My money back", ""]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("asks the visitor to fill in a form in the chat, with the input that was set in the dashboard", async () => {
    await admin.goto(`${oven.url}/embeds/create`);
    await admin.getByLabel("Name", { exact: false }).first().fill("Tables of the shop");
    await admin.getByLabel("What answers", { exact: false }).click();
    await admin.getByRole("option", { name: "Tables" }).click();
    await admin.getByLabel("Allowed origins", { exact: false }).fill(site.origin);
    const set = admin.getByRole("group", { name: "Input of every run" });
    await set.getByLabel("Shop").fill("The Corner");
    await admin.getByLabel("Visitors answer questions that name no reviewer and release no tool").check();
    await shoot(admin, "embed-input");
    expect(await seriousIssues(admin)).toEqual([]);
    await admin.getByRole("button", { name: "Create the embed" }).click();
    const snippet = admin.getByText("data-embed=");
    const [, publicId = ""] = /data-embed="(\w+)"/.exec((await snippet.textContent()) ?? "") ?? [];
    expect(await set.getByLabel("Shop").inputValue()).toBe("The Corner");

    const { page, complaints } = await chromium.newPage({ width: 390, height: 844 });
    await page.goto(`${site.origin}/${publicId}/inline`);
    const input = page.getByRole("textbox", { name: "Message" });
    await input.fill("A table, please");
    await input.press("Enter");
    const asked = page.getByRole("group", { name: "Which table?" });
    await asked.getByText("By the window are small ones only.").waitFor();
    await asked.getByRole("button", { name: "Send" }).click();
    await asked.getByText("Please fill this in.").waitFor();
    await asked.getByLabel("Seats").fill("12");
    await asked.getByRole("button", { name: "Send" }).click();
    await expect.poll(() => asked.getByLabel("Seats").getAttribute("aria-invalid")).toBe("true");
    await shoot(page, "embed-question-form");
    expect(await overflow(page)).toBe(0);
    await asked.getByLabel("Seats").fill("2");
    await asked.getByRole("button", { name: "Send" }).click();
    await page.getByText("The Corner: a large table for 2").waitFor();
    expect(await asked.count()).toBe(0);
    await shoot(page, "embed-question-answered");
    expect(complaints.filter((text) => !/400|\$\.seats/.test(text))).toEqual([]);
    await page.context().close();
  });

  it("is refused on an origin that is not in the list, and the console says so", async () => {
    const { page, complaints } = await chromium.newPage();
    await page.goto(`${stranger.origin}/${chat}`);
    await expect
      .poll(() => complaints.join("\n"))
      .toContain(`the origin ${stranger.origin} is not among the allowed origins of the embed`);
    expect(await page.getByRole("button").count()).toBe(0);
    await page.context().close();
  });

  it("is set up in the dashboard, with a preview, and is switched off at once", async () => {
    await openSetting(admin, "Embeds");
    await admin.getByRole("link", { name: "New embed" }).click();
    await admin.getByLabel("Name", { exact: false }).first().fill("Help on the shop");
    await admin.getByLabel("What answers", { exact: false }).click();
    await admin.getByRole("option", { name: "Order desk" }).click();
    await admin.getByLabel("Allowed origins", { exact: false }).fill(`${site.origin}/path`);
    await admin.getByLabel("Title", { exact: false }).fill("Help");
    await admin.getByTestId("embed-preview").getByRole("heading", { name: "Help" }).waitFor();
    await admin.getByRole("button", { name: "Create the embed" }).click();
    await admin.getByText("The embed was not saved").waitFor();
    await admin.getByLabel("Allowed origins", { exact: false }).fill(site.origin);
    await admin.getByRole("button", { name: "Create the embed" }).click();
    const snippet = admin.getByText("data-embed=");
    await snippet.waitFor();
    const edgesOf = async (label: string) => {
      const box = await admin.getByLabel(label, { exact: true }).boundingBox();
      return { left: box?.x ?? 0, right: (box?.x ?? 0) + (box?.width ?? 0) };
    };
    const expectBeside = async () =>
      expect((await edgesOf("the line for your pages")).right).toBeLessThanOrEqual(
        (await edgesOf("Copy the line for your pages")).left,
      );
    await expectBeside();
    await shoot(admin, "embed-edit");
    expect(await seriousIssues(admin)).toEqual([]);
    const [, publicId = ""] = /data-embed="(\w+)"/.exec((await snippet.textContent()) ?? "") ?? [];
    const { page } = await chromium.newPage();
    await page.goto(`${site.origin}/${publicId}`);
    await page.getByRole("button", { name: "Open the chat" }).click();
    await page.getByRole("heading", { name: "Help" }).waitFor();
    await admin.getByLabel("On. Switching it off ends all sessions at once.").uncheck();
    await admin.getByRole("button", { name: "Save" }).click();
    await admin.getByText("Off", { exact: true }).waitFor();
    await page.getByRole("textbox", { name: "Message" }).fill("Hello?");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("This is closed at the moment.").waitFor();
    await resize(admin, 390, 844);
    expect(await overflow(admin)).toBe(0);
    await expectBeside();
    await shoot(admin, "embed-edit-390");
    await admin.getByRole("link", { name: "Embeds" }).first().click();
    await admin.getByRole("link", { name: "Help on the shop" }).waitFor();
    await shoot(admin, "embed-list-390");
    await page.context().close();
  });
});
