import { randomUUID } from "node:crypto";
import type { Client as A2aClient } from "@a2a-js/sdk/client";
import type { Client as McpClient } from "@modelcontextprotocol/client";
import { createOvenClient, type OvenClient } from "@oven/client";
import type { JsonObject } from "@oven/contract";
import { installedModules } from "@oven/installation";
import { SIGNING_SECRET, SLACK_TOKEN, type SlackServer, startSlack } from "@oven/module-notifications/testing/slack";
import {
  APP_ID,
  CLIENT_SECRET,
  DIRECTORY,
  startTeams,
  type TeamsServer,
} from "@oven/module-notifications/testing/teams";
import type { ServiceMap } from "@oven/module-registry";
import {
  type Credentials,
  IMAP_PASSWORD,
  IMAP_USER,
  invite,
  type ReceivedMail,
  startImapServer,
  startMailServer,
  TEST_KEY,
  type TestAnswer,
} from "@oven/testing";
import OpenAI from "openai";
import { expect, vi } from "vitest";
import { connectA2a } from "./a2a-client.ts";
import { type McpEndpoint, openMcpEndpoint } from "./mcp-endpoint.ts";

/** Ends with what was decided. It takes a text, so that it can be talked to. */
const ASKING: JsonObject = {
  initial: "ask",
  payloadSchema: { type: "object", properties: { question: { type: "string" } }, required: ["question"] },
  states: {
    ask: {
      invoke: {
        src: "agent.humanReview",
        input: { title: "Refund 12 euros?", show: "12 euros" },
        onDone: "done",
      },
    },
    done: { type: "final", output: { answer: "$.ask_output.action" } },
  },
};
export const SLUG = "refund";
export const SLACK_USER = { id: "U1", username: "ada" };
const MAIL_USER = "ada@example.com";
export const TEAMS_USER = { aadObjectId: "00000000-0000-4000-8000-000000000001", name: "Ada" };

/** The clients of one person; those that connect do it when they are first asked for. */
export interface Clients {
  key: string;
  rest: (method: string, path: string, body?: unknown) => Promise<TestAnswer>;
  typescript: OvenClient;
  openai: OpenAI;
  a2a(): Promise<A2aClient>;
  /** MCP servers of the installation and of the workflow. */
  oven(): Promise<McpClient>;
  workflow(): Promise<McpClient>;
}

/** One installation with all its doors open: whoever starts runs, and another person, who decides. */
export interface ReviewStage {
  endpoint: McpEndpoint;
  starter: Clients;
  decider: Clients;
  clientsOf(key: string): Clients;
  slack: SlackServer & { path: string };
  teams: TeamsServer & { path: string };
  mail: Mail;
  /** Tokens of triggers. */
  triggers: { id: number; form: string; webhook: string };
  /** Sends, and brings up to date, what is due in messengers. */
  tick(): Promise<void>;
  stop(): Promise<void>;
}

/** The mails of the person who decides. */
export interface Mail {
  /** What came, in order. */
  received: ReceivedMail[];
  /** They reply. @returns what the reply is answered with */
  reply(to: ReceivedMail, text: string): Promise<string>;
}

export async function startReviewStage(): Promise<ReviewStage> {
  let endpoint: McpEndpoint | undefined;
  const clock = {
    get now() {
      return new Date();
    },
  };
  const oven = () => {
    if (endpoint === undefined) throw new Error("nothing is open yet");
    return endpoint.oven;
  };
  const [slack, teams] = [await startSlack(clock, oven), await startTeams(clock, oven)];
  const [smtp, imap] = [await startMailServer(), await startImapServer()];
  let services: Partial<ServiceMap> = {};
  const modules = installedModules({ demo: false, mail: { url: smtp.url, from: "OVEN <oven@example.com>" } }).map(
    (module) => {
      const { services: build } = module;
      if (module.name !== "module-notifications" || build === undefined) return module;
      const captured: typeof build = async (deps) => {
        services = await build(deps);
        return services;
      };
      // Nothing is sent between two ticks of the test.
      return { ...module, services: captured, start: async () => undefined };
    },
  );
  const mailbox = `127.0.0.1:${imap.port}`;
  endpoint = await openMcpEndpoint({
    modules,
    environment: {
      outboundAllow: [slack.origin, teams.origin, `http://${mailbox}`],
      variables: {
        OVEN_REVIEW_MAILBOX: `imap://${IMAP_USER}:${encodeURIComponent(IMAP_PASSWORD)}@${mailbox}/INBOX`,
        OVEN_REVIEW_ADDRESS: "reviews@example.com",
      },
    },
  });
  const open = endpoint;
  const ok = async (method: string, path: string, body?: unknown, as?: Credentials) => {
    const answer = await open.oven.call(method, path, body, as);
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  };
  const workflow = { name: "Refund", slug: SLUG, definition: ASKING, mcpExport: true };
  const { id: workflowId } = await ok("POST", "agent-workflows", workflow);
  const target = { kind: "agent-workflow", workflowId };
  const form = await ok("POST", "triggers", { type: "form", name: "Form", target });
  const webhook = await ok("POST", "triggers", {
    type: "webhook",
    name: "Hook",
    target,
    input: { question: "$.body.question" },
  });
  const tick = async () => {
    const isEmpty = async () =>
      (await open.oven.db.query("select 1 from outbox_events where delivered_at is null")).length === 0;
    await vi.waitUntil(isEmpty, { interval: 5, timeout: 20_000 });
    await services.notifications?.tick();
  };

  const { key: none, headers } = await invite(open.oven, MAIL_USER, ["admin"]);
  const ada = { key: none, headers: { ...headers, origin: open.origin } };
  const { key } = await ok("POST", "api-keys", { name: "Ada's", permissions: ["*"] }, ada);
  const paths = await postToMessengers({ slack, teams, ok });
  const [person] = await open.oven.db.query("select id from users where email = $1", [MAIL_USER]);
  await ok("POST", "notification-rules", {
    name: "Mail",
    events: ["review.opened"],
    channel: { type: "email" },
    recipients: [{ kind: "user", userId: Number(person?.id) }],
  });
  const mail: Mail = {
    received: smtp.mails,
    reply: async (to, text) => {
      const before = smtp.mails.length;
      imap.deliver(
        `From: Ada <${MAIL_USER}>\nTo: ${to.headers["reply-to"]}\nSubject: Re: x\nMessage-ID: <${randomUUID()}@example.com>\n\n${text}\n`,
      );
      // The mailbox is read every fifteen seconds.
      await open.oven.db.query("update notification_reply_mailboxes set next_look_at = now() - interval '1 second'");
      await services.notifications?.tick();
      const answers = smtp.mails.splice(before);
      expect(answers).toHaveLength(1);
      return answers[0]?.body ?? "";
    },
  };
  // A run in whose messages Ada links her accounts.
  await ok("POST", `agent-workflows/${SLUG}/execute?wait=20`, { input: { question: "?" } });
  await tick();
  await slack.press(paths.slack, SLACK_USER, slack.messages.at(-1), "oven-approve");
  const answered = await teams.press(paths.teams, TEAMS_USER, teams.messages.at(-1)?.card, "oven-approve");
  for (const text of [slack.whispers.at(-1)?.text, JSON.stringify(answered.body)]) {
    const [, token = ""] = /link-account\/([\w-]+)/.exec(text ?? "") ?? [];
    await ok("POST", "account/linked-accounts", { token }, ada);
  }

  const clientsOf = (key: string): Clients => ({
    key,
    rest: (method, path, body) => open.oven.call(method, path, body, { key }),
    typescript: createOvenClient({ url: open.origin, key }),
    a2a: once(() => connectA2a(open, SLUG, { key })),
    openai: new OpenAI({
      baseURL: "http://localhost:3000/v1",
      apiKey: key,
      maxRetries: 0,
      fetch: (input, init) => {
        const request = new Request(input, init);
        return open.oven.handle(new Request(request.url.replace("/v1/", "/api/v1/"), request));
      },
    }),
    oven: once(() => open.connect("oven", { key })),
    workflow: once(() => open.connect(SLUG, { key })),
  });
  return {
    endpoint: open,
    starter: clientsOf(TEST_KEY),
    decider: clientsOf(key),
    clientsOf,
    slack: { ...slack, path: paths.slack },
    teams: { ...teams, path: paths.teams },
    mail,
    triggers: { id: webhook.id, form: form.token, webhook: webhook.token },
    tick,
    stop: async () => {
      await open.close();
      await Promise.all([slack.stop(), teams.stop(), smtp.stop(), imap.close()]);
    },
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

interface Messengers {
  slack: SlackServer;
  teams: TeamsServer;
  ok(method: string, path: string, body: unknown): Promise<TestAnswer["body"]>;
}

/** @returns the addresses that presses of buttons are posted to */
async function postToMessengers({ slack, teams, ok }: Messengers): Promise<{ slack: string; teams: string }> {
  await ok("POST", "secrets", { name: "slack-token", value: SLACK_TOKEN, hosts: [slack.host] });
  await ok("POST", "secrets", { name: "slack-signing", value: SIGNING_SECRET, hosts: [] });
  await ok("POST", "secrets", { name: "bot", value: CLIENT_SECRET, hosts: [teams.host] });
  const rule = async (name: string, channel: object): Promise<string> =>
    (await ok("POST", "notification-rules", { name, events: ["review.opened"], channel })).decisionsPath;
  return {
    slack: await rule("Slack", {
      type: "slack-app",
      token: { $secret: "slack-token" },
      signingSecret: { $secret: "slack-signing" },
      conversation: "C0123ABCD",
      host: slack.host,
    }),
    teams: await rule("Teams", {
      type: "teams",
      appId: APP_ID,
      directory: DIRECTORY,
      password: { $secret: "bot" },
      conversation: "19:abc@thread.tacv2",
      serviceUrl: teams.serviceUrl,
      loginHost: teams.host,
      keysHost: teams.host,
    }),
  };
}
