import { createHmac, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestOven } from "@oven/testing";

export const SLACK_TOKEN = "xoxb-token-of-the-bot";
export const SIGNING_SECRET = "8f742231b10e8888abcd99yyyzzz85a5";
const TEAM = "T0001";
const BOT_USER = "UBOT";

export interface PostedMessage {
  channel: string;
  ts: string;
  thread_ts?: string;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was posted
  blocks?: any[];
  metadata?: object;
  /** Seen by this person alone. */
  to?: string;
}

/** What a signed request may have wrong. */
export interface Forgery {
  secret?: string;
  /** Seconds before the clock's time. */
  age?: number;
}

/** A workspace of Slack on this machine: its Web API, and people who write and press buttons. */
export interface Workspace {
  host: string;
  origin: string;
  messages: PostedMessage[];
  /** Methods that were called, in order. */
  calls: string[];
  /** How the next calls of a method go wrong: an error of Slack, a status with `Retry-After: 7`, or `lost`, where it is done and the answer is not heard. */
  trouble: { method: string; how: string | number }[];
  /** A person says something; Slack sends it to the address of the bot's events. @returns the answer and the `ts` of the message */
  say(path: string, event: object, forgery?: Forgery): Promise<{ status: number; body: string; ts: string }>;
  /** Posts a body as Slack does. */
  send(path: string, body: string, forgery?: Forgery): Promise<Response>;
  /** A person presses a button of a message. */
  press(path: string, user: string, message: PostedMessage | undefined, action: string): Promise<Response>;
  stop(): Promise<void>;
}

export async function startWorkspace(clock: { now: Date }, oven: () => Pick<TestOven, "handle">): Promise<Workspace> {
  const messages: PostedMessage[] = [];
  const calls: string[] = [];
  const trouble: Workspace["trouble"] = [];
  let count = 0;
  const nextTs = () => `${1_700_000_000 + ++count}.000100`;
  const shown = (list: PostedMessage[], asked: Record<string, unknown>) =>
    list.filter(({ to, ts }) => to === undefined && ts >= String(asked.oldest ?? ""));
  // biome-ignore lint/suspicious/noExplicitAny: as it came
  const call = (method: string, body: any): object => {
    if (method === "auth.test") return { ok: true, team_id: TEAM, user_id: BOT_USER };
    if (method === "chat.postMessage" || method === "chat.postEphemeral") {
      const ts = nextTs();
      const { channel, thread_ts, text, blocks, metadata, user } = body;
      messages.push({ channel, ts, thread_ts, text, blocks, metadata, ...(user === undefined ? {} : { to: user }) });
      return { ok: true, channel, ts };
    }
    if (method === "chat.update") {
      const message = messages.find(({ ts, channel }) => ts === body.ts && channel === body.channel);
      if (message === undefined) return { ok: false, error: "message_not_found" };
      Object.assign(message, { text: body.text, ...(body.blocks === undefined ? {} : { blocks: body.blocks }) });
      return { ok: true, channel: body.channel, ts: body.ts };
    }
    const inChannel = messages.filter(({ channel }) => channel === body.channel);
    if (method === "conversations.replies")
      return {
        ok: true,
        messages: shown(
          inChannel.filter(({ thread_ts }) => thread_ts === body.ts),
          body,
        ),
      };
    if (method === "conversations.history") return { ok: true, messages: shown(inChannel, body) };
    return { ok: false, error: "unknown_method" };
  };
  const server = createServer(async (request, response) => {
    if (request.method === "GET") {
      const isKnown = request.headers.authorization === `Bearer ${SLACK_TOKEN}`;
      response.writeHead(isKnown ? 200 : 302, { location: "/login" }).end(isKnown ? "total: 42" : "");
      return;
    }
    const text = await textOf(request);
    const method = (request.url ?? "").split("/").at(-1) ?? "";
    calls.push(method);
    const isForm = request.headers["content-type"] === "application/x-www-form-urlencoded";
    const body = isForm ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text);
    const at = trouble.findIndex((one) => one.method === method);
    const [wrong] = at === -1 ? [] : trouble.splice(at, 1);
    if (typeof wrong?.how === "number") {
      response.writeHead(wrong.how, { "retry-after": "7" }).end();
      return;
    }
    const isKnown = request.headers.authorization === `Bearer ${SLACK_TOKEN}`;
    const failure = wrong !== undefined && wrong.how !== "lost" ? { ok: false, error: wrong.how } : undefined;
    const answer = failure ?? (isKnown ? call(method, body) : { ok: false, error: "invalid_auth" });
    if (wrong?.how === "lost") {
      response.destroy();
      return;
    }
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // cast: it listens on a port
  const host = `127.0.0.1:${port}`;
  const send = (path: string, body: string, { secret = SIGNING_SECRET, age = 0 }: Forgery = {}) => {
    const at = Math.floor(clock.now.getTime() / 1_000) - age;
    const signature = createHmac("sha256", secret).update(`v0:${at}:${body}`).digest("hex");
    const headers = {
      "content-type": body.startsWith("payload=") ? "application/x-www-form-urlencoded" : "application/json",
      "x-slack-request-timestamp": String(at),
      "x-slack-signature": `v0=${signature}`,
    };
    return oven().handle(new Request(`http://localhost:3000${path}`, { method: "POST", headers, body }));
  };
  return {
    host,
    origin: `http://${host}`,
    messages,
    calls,
    trouble,
    send,
    say: async (path, event, forgery) => {
      const ts = nextTs();
      const whole = { type: "app_mention", channel: "C1", user: "U1", team: TEAM, ts, ...event };
      const payload = {
        type: "event_callback",
        team_id: TEAM,
        event_id: `Ev${randomUUID()}`,
        authorizations: [{ team_id: TEAM, user_id: BOT_USER, is_bot: true }],
        event: whole,
      };
      const answer = await send(path, JSON.stringify(payload), forgery);
      return { status: answer.status, body: await answer.text(), ts: whole.ts };
    },
    press: (path, user, message, action) => {
      const buttons = (message?.blocks ?? []).flatMap(({ type, elements }) => (type === "actions" ? elements : []));
      const button = buttons.find(({ action_id }: { action_id: string }) => action_id === action);
      if (button === undefined) throw new Error(`the message has no button ${action}`);
      const payload = {
        type: "block_actions",
        user: { id: user, username: user, team_id: TEAM },
        team: { id: TEAM },
        trigger_id: randomUUID(),
        response_url: `http://${host}/actions/press`,
        actions: [{ ...button, type: "button" }],
      };
      return send(path, `payload=${encodeURIComponent(JSON.stringify(payload))}`);
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return text;
}
