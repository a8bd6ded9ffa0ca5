import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestOven } from "@oven/testing";
import { exportJWK, generateKeyPair, SignJWT } from "jose";

export const APP_ID = "11111111-2222-4333-8444-555555555555";
export const DIRECTORY = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee";
export const CLIENT_SECRET = "the-client-secret-of-the-bot";
const ACCESS_TOKEN = "an-access-token-of-the-bot";
const ISSUER = "https://api.botframework.com";

interface Card {
  body: Record<string, unknown>[];
  actions: CardAction[];
}

interface CardAction {
  type: string;
  title: string;
  verb?: string;
  url?: string;
  data?: Record<string, unknown>;
  card?: Card;
}

export interface TeamsMessage {
  conversation: string;
  id: string;
  card: Card;
}

export interface TeamsUser {
  aadObjectId: string;
  name: string;
}

/** What a press may have wrong. */
export interface TeamsForgery {
  issuer?: string;
  audience?: string;
  /** In the token. */
  serviceUrl?: string;
  /** Seconds that the token is over. */
  over?: number;
  /** A key of another service, or one that is not for Teams. */
  key?: "foreign" | "not-endorsed";
  directory?: string;
  data?: Record<string, unknown>;
  noToken?: boolean;
}

/** The Bot Connector, the login and the published keys, on this machine; and people who press buttons. */
export interface TeamsServer {
  host: string;
  origin: string;
  serviceUrl: string;
  messages: TeamsMessage[];
  /** Statuses of the next answers of the connector. */
  refusals: number[];
  /** How many access tokens were given. */
  logins: number;
  read(card: Card | undefined): string;
  /** All buttons, also those of cards that open. */
  buttons(card: Card | undefined): CardAction[];
  press(
    path: string,
    user: TeamsUser,
    card: Card | undefined,
    verb: string,
    more?: { reason?: string; forgery?: TeamsForgery },
  ): Promise<{ status: number; body: Record<string, unknown> & { value?: Card | string } }>;
  stop(): Promise<void>;
}

export async function startTeams(clock: { now: Date }, oven: () => Pick<TestOven, "handle">): Promise<TeamsServer> {
  const messages: TeamsMessage[] = [];
  const refusals: number[] = [];
  const keys = {
    own: await generateKeyPair("RS256"),
    "not-endorsed": await generateKeyPair("RS256"),
    foreign: await generateKeyPair("RS256"),
  };
  const published = [
    { ...(await exportJWK(keys.own.publicKey)), kid: "own", use: "sig", endorsements: ["msteams", "webchat"] },
    {
      ...(await exportJWK(keys["not-endorsed"].publicKey)),
      kid: "not-endorsed",
      use: "sig",
      endorsements: ["webchat"],
    },
  ];
  let logins = 0;
  let host = "";
  const answer = (method: string, url: string, authorization: string | undefined, body: string): [number, unknown] => {
    if (url === "/v1/.well-known/openidconfiguration")
      return [200, { issuer: ISSUER, jwks_uri: `http://${host}/v1/.well-known/keys` }];
    if (url === "/v1/.well-known/keys") return [200, { keys: published }];
    if (url === `/${DIRECTORY}/oauth2/v2.0/token`) {
      const form = new URLSearchParams(body);
      const isRight = form.get("client_id") === APP_ID && form.get("client_secret") === CLIENT_SECRET;
      if (!isRight || form.get("scope") !== "https://api.botframework.com/.default")
        return [401, { error: "invalid_client" }];
      logins++;
      return [200, { access_token: ACCESS_TOKEN, expires_in: 3_600, token_type: "Bearer" }];
    }
    const refusal = refusals.shift();
    if (refusal !== undefined) return [refusal, { error: {} }];
    if (authorization !== `Bearer ${ACCESS_TOKEN}`) return [401, { error: {} }];
    const [, conversation = "", id] = /^\/teams\/v3\/conversations\/([^/]+)\/activities(?:\/([^/]+))?$/.exec(url) ?? [];
    const card = JSON.parse(body).attachments[0].content as Card;
    if (Buffer.byteLength(JSON.stringify(card)) > 28_000) return [413, { error: {} }];
    if (method === "POST") {
      messages.push({ conversation: decodeURIComponent(conversation), id: `m:${messages.length + 1}`, card });
      return [201, { id: messages.at(-1)?.id }];
    }
    const message = messages.find((one) => one.id === decodeURIComponent(id ?? ""));
    if (message === undefined) return [404, { error: {} }];
    message.card = card;
    return [200, { id: message.id }];
  };
  const server = createServer(async (request, response) => {
    const { method = "", url = "", headers } = request;
    const [status, body] = answer(method, url, headers.authorization, await textOf(request));
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // cast: it listens on a port
  host = `127.0.0.1:${port}`;
  const serviceUrl = `http://${host}/teams`;
  const tokenFor = async (forgery: TeamsForgery): Promise<string> => {
    const kid = forgery.key ?? "own";
    const now = Math.floor(clock.now.getTime() / 1_000);
    return new SignJWT({ serviceurl: forgery.serviceUrl ?? serviceUrl })
      .setProtectedHeader({ alg: "RS256", kid: kid === "foreign" ? "own" : kid, typ: "JWT" })
      .setIssuer(forgery.issuer ?? ISSUER)
      .setAudience(forgery.audience ?? APP_ID)
      .setIssuedAt(now - 3_600)
      .setExpirationTime(now + (forgery.over === undefined ? 600 : -forgery.over))
      .sign(keys[kid].privateKey);
  };
  const buttons = (card: Card | undefined): CardAction[] =>
    (card?.actions ?? []).flatMap((action) => [action, ...buttons(action.card)]);
  return {
    host,
    origin: `http://${host}`,
    serviceUrl,
    messages,
    refusals,
    get logins() {
      return logins;
    },
    buttons,
    read: (card) => textsIn(card?.body).join("\n"),
    press: async (path, user, card, verb, { reason, forgery = {} } = {}) => {
      const button = buttons(card).find((action) => action.verb === verb);
      if (button === undefined) throw new Error(`the card has no button ${verb}`);
      const data = { ...button.data, ...(reason === undefined ? {} : { reason }), ...forgery.data };
      const activity = {
        type: "invoke",
        name: "adaptiveCard/action",
        channelId: "msteams",
        serviceUrl,
        from: { id: `29:${user.aadObjectId}`, ...user },
        conversation: { id: "19:abc@thread.tacv2", tenantId: forgery.directory ?? DIRECTORY },
        value: { action: { type: "Action.Execute", verb, data }, trigger: "manual" },
      };
      const headers = {
        "content-type": "application/json",
        ...(forgery.noToken === true ? {} : { authorization: `Bearer ${await tokenFor(forgery)}` }),
      };
      const request = { method: "POST", headers, body: JSON.stringify(activity) };
      const response = await oven().handle(new Request(`http://localhost:3000${path}`, request));
      // cast: what the test looks into
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** The text of a card; each must be of a kind that knows no Markdown. */
function textsIn(blocks: unknown): string[] {
  if (Array.isArray(blocks)) return blocks.flatMap(textsIn);
  if (typeof blocks !== "object" || blocks === null) return [];
  const { type, items, inlines, text } = blocks as Record<string, unknown>; // cast: an object
  if (type === "TextBlock") throw new Error("a text that Teams would format");
  return type === "TextRun" ? [String(text)] : [...textsIn(items), ...textsIn(inlines)];
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return text;
}
