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

export interface SharedFile {
  channel: string;
  thread_ts?: string;
  name: string;
  data: Buffer;
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
  /** Files that were shown, in order. */
  shared: SharedFile[];
  /** Methods that were called, in order. */
  calls: string[];
  /**
   * How the next calls of a method go wrong: an error of Slack, a status with `Retry-After: 7`, or `lost`, where it is done and the
   * answer is not heard. `hang`: it is done, and there is no answer; `hang-before`: it is not done either.
   */
  trouble: { method: string; how: string | number }[];
  /** Where files go; another host than that of Slack, if a test says so. */
  uploads: { origin: string };
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
  const shared: SharedFile[] = [];
  const uploads = { origin: "" };
  /** Begun uploads by id. */
  const files = new Map<string, { name: string; length: number; data?: Buffer; channels: string[] }>();
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
    if (method === "files.getUploadURLExternal") {
      const id = `F${files.size + 1}`;
      files.set(id, { name: body.filename, length: Number(body.length), channels: [] });
      return { ok: true, upload_url: `${uploads.origin}/upload/${id}`, file_id: id };
    }
    if (method === "files.info") return { ok: true, file: { id: body.file, groups: files.get(body.file)?.channels } };
    if (method === "files.completeUploadExternal") {
      for (const { id } of JSON.parse(body.files)) {
        const file = files.get(id);
        if (file?.data?.length !== file?.length || file?.data === undefined)
          return { ok: false, error: "file_not_found" };
        file.channels.push(body.channel_id);
        shared.push({ channel: body.channel_id, thread_ts: body.thread_ts, name: file.name, data: file.data });
      }
      return { ok: true };
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
      response.writeHead(isKnown ? 200 : 302, { location: "/login" }).end(isKnown ? contentOf(request.url) : "");
      return;
    }
    const upload = /^\/upload\/(\w+)$/.exec(request.url ?? "")?.[1];
    if (upload !== undefined) {
      const file = files.get(upload);
      if (file !== undefined) file.data = await bytesOf(request);
      // The address is the permission; the token is not for it.
      response.writeHead(file === undefined || request.headers.authorization !== undefined ? 400 : 200).end();
      return;
    }
    const text = (await bytesOf(request)).toString();
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
    if (wrong?.how === "hang-before") return;
    const isKnown = request.headers.authorization === `Bearer ${SLACK_TOKEN}`;
    const failure =
      wrong !== undefined && wrong.how !== "lost" && wrong.how !== "hang" ? { ok: false, error: wrong.how } : undefined;
    const answer = failure ?? (isKnown ? call(method, body) : { ok: false, error: "invalid_auth" });
    if (wrong?.how === "hang") return;
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
  uploads.origin = `http://${host}`;
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
    shared,
    uploads,
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

function contentOf(path = ""): string {
  return path.endsWith("/copy.txt") ? "total: 43" : "total: 42";
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}
