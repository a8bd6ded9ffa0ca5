import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, shoot, type TestBrowser } from "./browser.ts";
import { openSetting } from "./menu.ts";
import { type OvenProcess, startOven } from "./oven-process.ts";
import { overflow, resize, seriousIssues } from "./page-checks.ts";
import { signUp } from "./sign-up.ts";

describe("bots in the browser", () => {
  let slack: Server;
  let host: string;
  /** Methods that were called, with the channel. */
  const calls: string[] = [];
  let oven: OvenProcess;
  let chromium: TestBrowser;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    slack = createServer(async (request, response) => {
      let text = "";
      for await (const chunk of request.setEncoding("utf8")) text += chunk;
      const method = request.url?.split("/").at(-1) ?? "";
      const { channel = "" } = JSON.parse(text) as { channel?: string };
      calls.push(`${method} ${channel}`.trim());
      const isKnown = channel !== "C404";
      const answer = isKnown ? { ok: true, team_id: "T1", ts: "1.1", channel } : { ok: false, error: "not_in_channel" };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
    slack.listen(0, "127.0.0.1");
    await once(slack, "listening");
    host = `127.0.0.1:${(slack.address() as AddressInfo).port}`; // cast: it listens on a port
    oven = await startOven({ bootstrap: false, env: { OVEN_OUTBOUND_ALLOW: `http://${host}` } });
    chromium = await openBrowser();
    ({ page, complaints } = await chromium.newPage({ width: 1440, height: 900 }));
    await signUp(page, oven);
    const post = async (path: string, data: object) => {
      const response = await page.request.post(`${oven.url}/api/${path}`, { data, headers: { origin: oven.url } });
      expect(response.ok(), await response.text()).toBe(true);
    };
    await post("secrets", { name: "slack-token", value: "xoxb-token-of-the-bot", hosts: [host] });
    await post("secrets", { name: "slack-signing", value: "8f742231b10e8888abcd99yyyzzz85a5", hosts: [] });
    await post("agents", { name: "Front desk", model: "fast", systemPrompt: "Be short." });
    // Nobody was signed in before.
    complaints.length = 0;
  });
  afterAll(async () => {
    await chromium?.close();
    await oven?.kill("SIGKILL");
    slack?.closeAllConnections();
    slack?.close();
  });

  const look = async (name: string): Promise<void> => {
    await shoot(page, name);
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  };

  it("connects a bot, and says how to set it up at Slack", async () => {
    await openSetting(page, "Bots");
    await page.getByText("No bot is connected").waitFor();
    await look("bots-empty");
    await page.getByRole("button", { name: "Connect a bot" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: false }).first().fill("Front desk");
    await dialog.getByLabel("Secret with the bot's token").fill("slack-token");
    await page.keyboard.press("Tab");
    await dialog.getByLabel("Secret with the signing secret").fill("slack-signing");
    await page.keyboard.press("Tab");
    await dialog.getByLabel("Slack API host").fill(host);
    await dialog.getByLabel("Agent or workflow that answers").click();
    await page.getByRole("option", { name: "Front desk" }).click();
    await look("bot-connect");
    await dialog.getByRole("button", { name: "Connect", exact: true }).click();
    await page.getByText("Request URL of Event Subscriptions").waitFor();
    expect(await page.locator("main").textContent()).toMatch(/\/api\/bots\/slack\/[\w-]{32}\/events/);
    await page.getByText("app_mentions:read").first().waitFor();
    expect(calls).toEqual(["auth.test"]);
    await look("bot");
  });

  it("posts a test message, and shows what Slack says against it", async () => {
    const say = async (channel: string): Promise<void> => {
      await page.getByRole("button", { name: "Test message…" }).click();
      await page.getByRole("dialog").getByLabel("Id of the channel or person").fill(channel);
      await page.getByRole("dialog").getByRole("button", { name: "Post", exact: true }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
    };
    await say("C404");
    await page.getByText("not_in_channel").waitFor();
    await look("bot-failing");
    await say("C1");
    await page.getByText("not_in_channel").waitFor({ state: "detached" });
    expect(calls.at(-1)).toBe("chat.postMessage C1");
  });

  it("is changed and deleted, also on a phone in the dark", async () => {
    await page.emulateMedia({ colorScheme: "dark" });
    await look("bot-dark");
    await resize(page, 390, 844);
    await look("bot-390-dark");
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("dialog").getByLabel("Who is answered").click();
    await page.getByRole("option", { name: "Everyone in the workspace; others as guests" }).click();
    await page.getByRole("dialog").getByLabel("Language of the bot’s own messages").click();
    await page.getByRole("option", { name: "Deutsch" }).click();
    await look("bot-edit-390-dark");
    await page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Everyone in the workspace: mentions, direct messages").waitFor();
    const [bot] = await (await page.request.get(`${oven.url}/api/bots`)).json();
    expect(bot.language).toBe("de");
    await page.goto(`${oven.url}/bots`);
    await page.getByRole("link", { name: "Front desk" }).waitFor();
    await look("bots-390-dark");
    await page.getByRole("link", { name: "Front desk" }).click();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("No bot is connected").waitFor();
    expect(complaints).toEqual([]);
  });
});
