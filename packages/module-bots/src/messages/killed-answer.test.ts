import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Bot } from "@oven/contract/agent";
import { type ModelReply, startModelServer, TEST_KEY } from "@oven/testing";
import { afterEach, expect, it } from "vitest";
import { SIGNING_SECRET, SLACK_TOKEN, startWorkspace } from "./testing/start-workspace.ts";

const PROGRAM = fileURLToPath(new URL("./testing/bots-process.ts", import.meta.url));
/** Longer than a process has a message to itself. */
const AHEAD_MS = 61_000;
/** Two messages of Slack. */
const LONG = `${"First. ".repeat(450)}\n\n${"Second. ".repeat(100)}`.trim();
const DRAW: ModelReply = { toolCalls: [{ id: "d", name: "ai_generateImage", arguments: { prompt: "A loaf" } }] };

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

/** A server on that database, in a process of its own. */
async function start(dataDir: string, modelUrl: string, slackOrigin: string, aheadMs: number) {
  const child = spawn(process.execPath, [PROGRAM, dataDir, modelUrl, slackOrigin, String(aheadMs)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  ends.push(() => kill(child));
  const [port] = await once(createInterface(child.stdout), "line");
  return { origin: `http://127.0.0.1:${port}`, kill: () => kill(child) };
}

/** Where the first process is killed: what it asks of Slack is done or not, and no answer comes. */
it.each([
  ["before it says anything of the answer", "chat.update", "hang-before"],
  ["when a further part of the answer is there, and it has not heard so", "chat.postMessage", "hang"],
  ["when the file of the answer is shown, and it has not heard so", "files.completeUploadExternal", "hang"],
])(
  "posts an answer once when the server is killed %s",
  async (_when, method, how) => {
    const folder = mkdtempSync(join(tmpdir(), "oven-bots-"));
    ends.push(async () => rmSync(folder, { recursive: true }));
    const replies = [DRAW, { text: LONG }];
    const model = await startModelServer(() => replies.shift() ?? { status: 400, message: "no reply left" }, {
      models: ["house-model"],
    });
    ends.push(() => model.close());
    let current = "";
    const handle = (request: Request) => {
      const { pathname } = new URL(request.url);
      return fetch(new Request(`${current}${pathname}`, request));
    };
    const slack = await startWorkspace(
      {
        get now() {
          return new Date();
        },
      },
      () => ({ handle }),
    );
    ends.push(() => slack.stop());
    // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
    const make = async (path: string, body: object): Promise<any> => {
      const headers = { authorization: `Bearer ${TEST_KEY}`, "content-type": "application/json" };
      const answer = await fetch(`${current}/api/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
      // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
      const made: any = await answer.json();
      expect(answer.status, JSON.stringify(made)).toBe(201);
      return made;
    };
    const dataDir = join(folder, "db");
    const first = await start(dataDir, model.url, slack.origin, 0);
    current = first.origin;
    await make("secrets", { name: "slack-token", value: SLACK_TOKEN, hosts: [slack.host] });
    await make("secrets", { name: "slack-signing", value: SIGNING_SECRET, hosts: [] });
    const tools = { toolBindings: ["ai.generateImage"] };
    const agent = await make("agents", { name: "Painter", model: "openai:house", systemPrompt: "Draw.", ...tools });
    const secrets = { token: { $secret: "slack-token" }, signingSecret: { $secret: "slack-signing" } };
    const bot = await make("bots", {
      name: "Ada",
      connection: { type: "slack-app", ...secrets, host: slack.host },
      target: { kind: "agent", id: agent.id },
      guests: { permissions: ["agents.invoke", "ai.generate"] },
    });
    // The sign that an answer is made goes well; then the trouble begins.
    const { ts } = await slack.say(bot.eventsPath, { text: "draw a loaf" });
    await expect.poll(() => slack.messages.length, { interval: 5, timeout: 60_000 }).toBe(1);
    slack.trouble.push({ method, how });
    await expect.poll(() => slack.trouble, { interval: 5, timeout: 60_000 }).toEqual([]);
    await first.kill();
    slack.calls.length = 0;

    const second = await start(dataDir, model.url, slack.origin, AHEAD_MS);
    current = second.origin;
    await expect.poll(() => slack.calls.at(-1), { interval: 20, timeout: 60_000 }).toMatch(/^files\./);
    await expect.poll(() => slack.shared.length, { timeout: 60_000 }).toBe(1);
    // Once the row says that it was answered, nothing more comes of it.
    const headers = { authorization: `Bearer ${TEST_KEY}` };
    const lastError = async () =>
      // cast: the shape of a bot
      ((await (await fetch(`${current}/api/bots/${bot.id}`, { headers })).json()) as Bot).lastError;
    expect(await lastError()).toBeNull();
    await second.kill();
    expect(
      slack.messages
        .map(({ text }) => text)
        .join("\n\n")
        .replace(/\s+/g, " "),
    ).toBe(LONG.replace(/\s+/g, " "));
    expect(slack.messages).toHaveLength(2);
    expect([...slack.messages, ...slack.shared].map(({ thread_ts }) => thread_ts)).toEqual([ts, ts, ts]);
    expect(model.requests).toHaveLength(2);
  },
  300_000,
);
