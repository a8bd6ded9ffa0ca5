import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, shoot, type TestBrowser } from "./browser.ts";
import { openSetting } from "./menu.ts";
import { type OvenProcess, startOven } from "./oven-process.ts";
import { seriousIssues } from "./page-checks.ts";

const OWNER = { name: "Olga Owner", email: "olga@example.com", password: "correct horse battery" };
const SIGNING_SECRET = "8f742231b10e8888abcd99yyyzzz85a5";

interface Message {
  blocks: { type: string; elements?: { action_id: string; value?: string }[] }[];
}

describe("reviews in Slack, in the browser", () => {
  let slack: Server;
  let host: string;
  let oven: OvenProcess;
  let chromium: TestBrowser;
  let page: Page;
  const messages: Message[] = [];
  const whispers: string[] = [];

  beforeAll(async () => {
    slack = createServer(async (request, response) => {
      let body = "";
      for await (const chunk of request.setEncoding("utf8")) body += chunk;
      const given = JSON.parse(body);
      if (request.url === "/actions") whispers.push(given.text);
      else messages.push(given);
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ ok: true, channel: "C0123ABCD", ts: "1.1" }));
    });
    slack.listen(0, "127.0.0.1");
    await once(slack, "listening");
    host = `127.0.0.1:${(slack.address() as AddressInfo).port}`; // cast: it listens on a port
    oven = await startOven({ bootstrap: false, env: { OVEN_OUTBOUND_ALLOW: `http://${host}` } });
    chromium = await openBrowser();
    ({ page } = await chromium.newPage());
    await page.goto(oven.setupUrl ?? "");
    await page.getByLabel("Name").fill(OWNER.name);
    await page.getByLabel("E-mail").fill(OWNER.email);
    await page.getByLabel("Password").fill(OWNER.password);
    await page.getByRole("button", { name: "Create admin account" }).click();
    await page.getByRole("heading", { name: "Welcome to OVEN" }).waitFor();
  });
  afterAll(async () => {
    await chromium?.close();
    await oven?.kill("SIGKILL");
    slack?.close();
  });

  /** As the person who is signed in. */
  async function post(path: string, body: object): Promise<{ id: number }> {
    return page.evaluate(
      async ([to, sent]) => {
        const headers = { "content-type": "application/json" };
        const response = await fetch(`/api/${to}`, { method: "POST", headers, body: sent });
        if (!response.ok) throw new Error(await response.text());
        return (await response.json()) as { id: number }; // cast: each of these routes answers a row
      },
      [path, JSON.stringify(body)] as const,
    );
  }
  /** A member of the workspace presses Approve. */
  async function press(address: string): Promise<number> {
    const actions = messages.at(-1)?.blocks.find(({ type }) => type === "actions")?.elements ?? [];
    const payload = {
      type: "block_actions",
      user: { id: "U0001", username: "olga", team_id: "T0001" },
      team: { id: "T0001", domain: "acme" },
      response_url: `http://${host}/actions`,
      actions: actions.filter(({ action_id }) => action_id === "oven-approve"),
    };
    const body = `payload=${encodeURIComponent(JSON.stringify(payload))}`;
    const at = String(Math.floor(Date.now() / 1_000));
    const headers = {
      "content-type": "application/x-www-form-urlencoded",
      "x-slack-request-timestamp": at,
      "x-slack-signature": `v0=${createHmac("sha256", SIGNING_SECRET).update(`v0:${at}:${body}`).digest("hex")}`,
    };
    return (await fetch(address, { method: "POST", headers, body })).status;
  }

  it("makes a rule, links the account once, decides by a button, and unlinks", async () => {
    await post("secrets", { name: "slack-token", value: "xoxb-token-of-the-bot", hosts: [host] });
    await post("secrets", { name: "slack-signing-secret", value: SIGNING_SECRET, hosts: [] });
    await openSetting(page, "Notification rules");
    await page.getByRole("button", { name: "New rule" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Approvals");
    await dialog.getByLabel("A review was opened").check();
    await dialog.getByLabel("Which way").click();
    await page.getByRole("option", { name: "In Slack, with buttons that decide" }).click();
    await dialog.getByText("shown here once the rule is saved").waitFor();
    await dialog.getByLabel("Secret that holds the bot's token").fill("slack-token");
    await dialog.getByLabel("Secret that holds the signing secret").fill("slack-signing-secret");
    await dialog.getByLabel("Id of the channel or person in Slack").fill("C0123ABCD");
    await dialog.getByLabel("Host of Slack's API").fill(host);
    await shoot(page, "notification-rule-slack-app");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.getByRole("button", { name: "Save the rule" }).click();
    await page.getByText("Slack, C0123ABCD, with buttons").waitFor();
    await page.getByRole("button", { name: "Edit Approvals" }).click();
    const address = (await dialog.getByText(/\/api\/decisions\/slack\//).textContent()) ?? "";
    await page.keyboard.press("Escape");

    const input = { title: "Buy paper?", show: { sheets: 500 } };
    const states = { ask: { invoke: { src: "agent.humanReview", input, onDone: "done" } }, done: { type: "final" } };
    const { id } = await post("agent-workflows", { name: "Buys", definition: { initial: "ask", states } });
    const run = await post(`agent-workflows/${id}/execute?wait=20`, { input: {} });
    await expect.poll(() => messages.length, { timeout: 20_000 }).toBe(1);
    expect(await press(address)).toBe(200);
    await expect.poll(() => whispers.length).toBe(1);
    const [link = ""] = /http\S+\/link-account\/[\w-]+/.exec(whispers[0] ?? "") ?? [];
    await page.goto(`${oven.url}${new URL(link).pathname}`);
    await page.getByText("Slack: olga (acme)").waitFor();
    await shoot(page, "link-account");
    await expect.poll(() => seriousIssues(page)).toEqual([]);
    await page.getByRole("button", { name: "Yes, link it to me" }).click();
    await page.getByText("Press the button of the message again").waitFor();
    await page.reload();
    await page.getByText("This address links nothing").waitFor();

    expect(await press(address)).toBe(200);
    await expect
      .poll(() => page.evaluate(async (of) => (await fetch(`/api/agent-workflow-executions/${of}`)).json(), run.id))
      .toMatchObject({ status: "completed" });
    await page.goto(`${oven.url}/account`);
    const list = page.getByRole("list", { name: "Linked accounts" });
    await list.getByText("Slack: olga (acme)").waitFor();
    await list.getByRole("button", { name: "Unlink" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Unlink" }).click();
    await page.getByText("Press a button of a review's message").waitFor();
  });
});
