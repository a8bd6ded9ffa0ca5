import type { Bot } from "@oven/contract/agent";
import type { Database } from "@oven/db";
import { createTestPglite } from "@oven/db/testing";
import { type ModelReply, type ModelServer, startModelServer } from "@oven/testing";
import { expect } from "vitest";
import { type BotsOven, startBots } from "./start-bots.ts";
import { SIGNING_SECRET, SLACK_TOKEN, startWorkspace, type Workspace } from "./start-workspace.ts";

/** Bots in a workspace of Slack, with a clock that the test moves. */
export interface SlackBots {
  clock: { now: Date };
  db: Database;
  server: ModelServer;
  slack: Workspace;
  /** The server as it runs now. */
  readonly oven: BotsOven;
  /** What the model answers next. */
  replies: ModelReply[];
  newAgent(more?: object): Promise<number>;
  /** A bot of the workspace. */
  newBot(body: { target: object; [setting: string]: unknown }, as?: { key: string }): Promise<Bot>;
  /** The texts in the workspace. */
  lines(): string[];
  lastError(bot: Bot): Promise<string | null>;
  /** Some time passes, and what is due is answered. */
  later(ms: number): Promise<void>;
  /** For the next test: an hour later nothing was posted, and nothing goes wrong. */
  clear(): void;
  /** Ends the server and starts it again on its database. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function startSlackBots(): Promise<SlackBots> {
  const clock = { now: new Date() };
  const replies: ModelReply[] = [];
  const db = await createTestPglite();
  const server = await startModelServer(() => replies.shift() ?? { status: 400, message: "no reply left" }, {
    models: ["house-model"],
  });
  const slack = await startWorkspace(clock, () => oven);
  const start = () => startBots(clock, { server, db, outboundAllow: [slack.origin] });
  let oven = await start();
  await oven.call("POST", "secrets", { name: "slack-token", value: SLACK_TOKEN, hosts: [slack.host] });
  await oven.call("POST", "secrets", { name: "slack-signing", value: SIGNING_SECRET, hosts: [] });
  const secrets = { token: { $secret: "slack-token" }, signingSecret: { $secret: "slack-signing" } };
  const connection = { type: "slack-app", ...secrets, host: slack.host };
  return {
    ...{ clock, db, server, slack, replies },
    get oven() {
      return oven;
    },
    newAgent: async (more = {}) => {
      const body = { name: `Helper ${Math.random()}`, model: "openai:house", systemPrompt: "Be short.", ...more };
      const made = await oven.call("POST", "agents", body);
      expect(made.status, JSON.stringify(made.body)).toBe(201);
      return made.body.id;
    },
    newBot: async (body, as) => {
      const made = await oven.call("POST", "bots", { name: "Ada", connection, ...body }, as);
      expect(made.status, JSON.stringify(made.body)).toBe(201);
      return made.body;
    },
    lines: () => slack.messages.map(({ text }) => text),
    lastError: async ({ id }) => (await oven.call("GET", `bots/${id}`)).body.lastError,
    later: async (ms) => {
      clock.now = new Date(clock.now.getTime() + ms);
      await oven.tick();
    },
    clear: () => {
      clock.now = new Date(clock.now.getTime() + 3_600_001);
      for (const list of [slack.messages, slack.shared, slack.calls, slack.trouble, server.requests, replies])
        list.length = 0;
      slack.uploads.origin = slack.origin;
    },
    restart: async () => {
      await oven.stop();
      oven = await start();
    },
    stop: async () => {
      await oven.stop();
      await Promise.all([slack.stop(), server.close()]);
      await db.close();
    },
  };
}
