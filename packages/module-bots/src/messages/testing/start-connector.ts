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

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was posted
type Posted = { conversation: string; id: string; activity: any };

/** What a message may have wrong. */
export interface Forgery {
  /** Another than the activity's, in the token. */
  serviceUrl?: string;
  /** Whom the token is for. */
  audience?: string;
  /** The token is signed with a key that is not published. */
  isForeign?: boolean;
}

/** The Bot Connector, the login and the published keys, on this machine; and people who write. */
export interface Connector {
  host: string;
  origin: string;
  serviceUrl: string;
  /** Messages, without signs of typing. */
  messages: Posted[];
  typings: number;
  /** Statuses of the next answers of the connector. */
  refusals: number[];
  /** A person says something; the connector sends it to the bot's address. @returns the answer's status and the id of the message */
  say(path: string, activity: object, forgery?: Forgery): Promise<{ status: number; id: string }>;
  /** A person presses a button of a card. */
  press(path: string, account: string, card: Posted | undefined, verb: string): Promise<number>;
  stop(): Promise<void>;
}

export async function startConnector(clock: { now: Date }, oven: () => Pick<TestOven, "handle">): Promise<Connector> {
  const messages: Posted[] = [];
  const refusals: number[] = [];
  let typings = 0;
  let count = 0;
  let host = "";
  const [own, foreign] = [await generateKeyPair("RS256"), await generateKeyPair("RS256")];
  const published = { ...(await exportJWK(own.publicKey)), kid: "own", use: "sig", endorsements: ["msteams"] };
  const answer = (method: string, url: string, authorization: string | undefined, body: string): [number, unknown] => {
    if (url === "/v1/.well-known/openidconfiguration")
      return [200, { issuer: ISSUER, jwks_uri: `http://${host}/v1/.well-known/keys` }];
    if (url === "/v1/.well-known/keys") return [200, { keys: [published] }];
    if (url === `/${DIRECTORY}/oauth2/v2.0/token`)
      return new URLSearchParams(body).get("client_secret") === CLIENT_SECRET
        ? [200, { access_token: ACCESS_TOKEN, expires_in: 3_600, token_type: "Bearer" }]
        : [401, { error: "invalid_client" }];
    if (authorization !== `Bearer ${ACCESS_TOKEN}`) return [401, {}];
    const activity = JSON.parse(body);
    if (activity.type === "typing") {
      typings++;
      return [201, {}];
    }
    const refusal = refusals.shift();
    if (refusal !== undefined) return [refusal, {}];
    const [, conversation = "", id] = /^\/teams\/v3\/conversations\/([^/]+)\/activities(?:\/([^/]+))?$/.exec(url) ?? [];
    const known = messages.find((one) => one.id === decodeURIComponent(id ?? ""));
    if (method === "PUT" && known === undefined) return [404, {}];
    if (known !== undefined) known.activity = activity;
    else messages.push({ conversation: decodeURIComponent(conversation), id: `m:${++count}`, activity });
    return [201, { id: known?.id ?? `m:${count}` }];
  };
  const server = createServer(async (request, response) => {
    const { method = "", url = "", headers } = request;
    const [status, body] = answer(method, url, headers.authorization, await textOf(request));
    response
      .writeHead(status, { "content-type": "application/json", ...(status === 429 ? { "retry-after": "7" } : {}) })
      .end(JSON.stringify(body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`; // cast: it listens on a port
  const serviceUrl = `http://${host}/teams`;
  const send = async (path: string, activity: object, forgery: Forgery = {}): Promise<Response> => {
    const now = Math.floor(clock.now.getTime() / 1_000);
    const token = await new SignJWT({ serviceurl: forgery.serviceUrl ?? serviceUrl })
      .setProtectedHeader({ alg: "RS256", kid: "own", typ: "JWT" })
      .setIssuer(ISSUER)
      .setAudience(forgery.audience ?? APP_ID)
      .setExpirationTime(now + 600)
      .sign(forgery.isForeign === true ? foreign.privateKey : own.privateKey);
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    const request = { method: "POST", headers, body: JSON.stringify(activity) };
    return oven().handle(new Request(`http://localhost:3000${path}`, request));
  };
  const from = (account: string) => ({ id: `29:${account}`, name: "Somebody", aadObjectId: account });
  return {
    host,
    origin: `http://${host}`,
    serviceUrl,
    messages,
    refusals,
    get typings() {
      return typings;
    },
    say: async (path, activity, forgery) => {
      const id = `${++count}`;
      const whole = {
        ...{ type: "message", id, channelId: "msteams", serviceUrl, recipient: { id: `28:${APP_ID}` } },
        from: from("00000000-0000-4000-8000-000000000001"),
        conversation: { id: "a:personal", conversationType: "personal", tenantId: DIRECTORY },
        ...activity,
      };
      const { status } = await send(path, whole, forgery);
      return { status, id: whole.id };
    },
    press: async (path, account, card, verb) => {
      const action = findAction(card?.activity.attachments[0].content.actions, verb);
      const { status } = await send(path, {
        ...{ type: "invoke", name: "adaptiveCard/action", channelId: "msteams", serviceUrl, from: from(account) },
        conversation: { id: card?.conversation, tenantId: DIRECTORY },
        value: { action: { type: "Action.Execute", verb, data: action.data }, trigger: "manual" },
      });
      return status;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: a card as it was posted
function findAction(actions: any[] | undefined, verb: string): { data: object } {
  for (const action of actions ?? []) {
    if (action.verb === verb) return action;
    const inside = (action.card?.actions ?? []).find((one: { verb: string }) => one.verb === verb);
    if (inside !== undefined) return inside;
  }
  throw new Error(`the card has no button ${verb}`);
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return text;
}
