import { createHmac, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestOven } from "@oven/testing";

export const SLACK_TOKEN = "xoxb-token-of-the-bot";
export const SIGNING_SECRET = "8f742231b10e8888abcd99yyyzzz85a5";
const TEAM = "T0001";

interface SlackButton {
  action_id: string;
  value?: string;
  url?: string;
  confirm?: object;
}

export interface SlackMessage {
  channel: string;
  ts: string;
  text: string;
  blocks: Record<string, unknown>[];
}

export interface SlackUser {
  id: string;
  username: string;
  team_id?: string;
}

/** What a signed request may have wrong. */
export interface Forgery {
  secret?: string;
  /** Seconds before the clock's time. */
  age?: number;
  /** Replaces what the press carries. */
  value?: string;
  responseUrl?: string;
}

/** A workspace of Slack on this machine: its Web API, and people who press buttons. */
export interface SlackServer {
  host: string;
  origin: string;
  messages: SlackMessage[];
  /** What was said to one person alone. */
  whispers: { text: string; user: string }[];
  /** Windows that were opened, the newest last. */
  windows: { callback_id: string; private_metadata: string }[];
  /** Errors that the next calls of the API are answered with. */
  errors: string[];
  /** All text of a message, in the order in which it is read. */
  read(message: SlackMessage | undefined): string;
  buttons(message: SlackMessage | undefined): SlackButton[];
  /** A person presses a button of a message; Slack posts it to the address of a rule. */
  press(
    path: string,
    user: SlackUser,
    message: SlackMessage | undefined,
    action: string,
    forgery?: Forgery,
  ): Promise<Response>;
  /** A person sends the window that was opened last. */
  submit(path: string, user: SlackUser, reason: string): Promise<Response>;
  stop(): Promise<void>;
}

export async function startSlack(clock: { now: Date }, oven: () => Pick<TestOven, "handle">): Promise<SlackServer> {
  const messages: SlackMessage[] = [];
  const whispers: SlackServer["whispers"] = [];
  const windows: SlackServer["windows"] = [];
  const errors: string[] = [];
  const pressing = new Map<string, string>();
  let count = 0;
  const call = (method: string, body: Record<string, unknown>): object => {
    const error = errors.shift() ?? problemOf(body);
    if (error !== undefined) return { ok: false, error };
    if (method === "chat.postMessage") {
      count++;
      const ts = `${1_700_000_000 + count}.000100`;
      messages.push({ channel: String(body.channel), ts, text: String(body.text), blocks: blocksOf(body) });
      return { ok: true, channel: body.channel, ts };
    }
    if (method === "chat.update") {
      const message = messages.find(({ ts, channel }) => ts === body.ts && channel === body.channel);
      if (message === undefined) return { ok: false, error: "message_not_found" };
      Object.assign(message, { text: body.text, blocks: blocksOf(body) });
      return { ok: true, channel: body.channel, ts: body.ts };
    }
    if (method !== "views.open") return { ok: false, error: "unknown_method" };
    if (!pressing.has(String(body.trigger_id))) return { ok: false, error: "expired_trigger_id" };
    windows.push(body.view as SlackServer["windows"][number]);
    return { ok: true };
  };
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await textOf(request));
    const [, area, name = ""] = (request.url ?? "").split("/");
    if (area === "actions") {
      const user = pressing.get(name);
      if (user !== undefined) whispers.push({ user, text: body.text });
      response.writeHead(user === undefined ? 404 : 200).end("ok");
      return;
    }
    const isKnown = request.headers.authorization === `Bearer ${SLACK_TOKEN}`;
    const answer = isKnown ? call(name, body) : { ok: false, error: "invalid_auth" };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // cast: it listens on a port
  const host = `127.0.0.1:${port}`;
  const post = (path: string, payload: object, { secret = SIGNING_SECRET, age = 0 }: Forgery = {}) => {
    const body = `payload=${encodeURIComponent(JSON.stringify(payload))}`;
    const at = Math.floor(clock.now.getTime() / 1_000) - age;
    const signature = createHmac("sha256", secret).update(`v0:${at}:${body}`).digest("hex");
    const headers = {
      "content-type": "application/x-www-form-urlencoded",
      "x-slack-request-timestamp": String(at),
      "x-slack-signature": `v0=${signature}`,
    };
    return oven().handle(new Request(`http://localhost:3000${path}`, { method: "POST", headers, body }));
  };
  const buttons = (message: SlackMessage | undefined): SlackButton[] =>
    (message?.blocks ?? []).flatMap(({ type, elements }) => (type === "actions" ? (elements as SlackButton[]) : []));
  return {
    host,
    origin: `http://${host}`,
    messages,
    whispers,
    windows,
    errors,
    buttons,
    read: (message) => textsIn(message?.blocks).join("\n"),
    press: (path, user, message, action, forgery = {}) => {
      const button = buttons(message).find(({ action_id }) => action_id === action);
      if (button === undefined) throw new Error(`the message has no button ${action}`);
      const trigger = randomUUID();
      pressing.set(trigger, user.id);
      const value = forgery.value ?? button.value;
      return post(
        path,
        {
          type: "block_actions",
          user: { team_id: TEAM, ...user },
          team: { id: TEAM, domain: "acme" },
          api_app_id: "A0001",
          trigger_id: trigger,
          response_url: forgery.responseUrl ?? `http://${host}/actions/${trigger}`,
          container: { type: "message", message_ts: message?.ts, channel_id: message?.channel },
          message,
          actions: [{ ...button, type: "button", ...(value === undefined ? {} : { value }) }],
        },
        forgery,
      );
    },
    submit: (path, user, reason) => {
      const window = windows.at(-1);
      const view = { ...window, state: { values: { "oven-reason": { "oven-reason": { value: reason } } } } };
      return post(path, { type: "view_submission", user: { team_id: TEAM, ...user }, team: { id: TEAM }, view });
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** The limits of Block Kit that a message or window exceeds. */
function problemOf(body: Record<string, unknown>): string | undefined {
  const blocks = blocksOf(body.view === undefined ? body : (body.view as Record<string, unknown>)); // cast: an object of blocks
  if (blocks.length > 50) return "invalid_blocks";
  for (const block of blocks) {
    const texts = textsIn(block);
    const longest = block.type === "header" ? 150 : 3_000;
    if (texts.some((text) => text.length === 0 || text.length > longest)) return "invalid_blocks";
    const { fields } = block;
    if (Array.isArray(fields) && (fields.length > 10 || textsIn(fields).some((text) => text.length > 2_000)))
      return "invalid_blocks";
  }
  return undefined;
}

function blocksOf({ blocks }: Record<string, unknown>): SlackMessage["blocks"] {
  return Array.isArray(blocks) ? blocks : [];
}

function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== "object" || value === null) return [];
  const { type, text } = value as { type?: unknown; text?: unknown }; // cast: each is looked at before it is used
  if (type === "mrkdwn") throw new Error("a text that Slack would format");
  if (type === "plain_text" && typeof text === "string") return [text];
  return Object.values(value).flatMap(textsIn);
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return text;
}
